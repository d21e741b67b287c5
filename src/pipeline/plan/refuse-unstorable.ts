import type { Dialect } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ContentModel, ScalarAttribute, Schema } from '../../model/content-model.ts';
import type { BodyEntry } from '../parse/body/types.ts';

/** Throws for a text that the database cannot store: PostgreSQL stores no NUL.
 *
 *  `{ title: 'a\0b' }` on PostgreSQL → 400 `body.unstorable`, path `title` */
export function refuseUnstorable(entry: BodyEntry, { storesNul }: Dialect, model: ContentModel): void {
  if (!storesNul) refuseNul(entry, model);
}

function refuseNul({ uid, scalars, components }: BodyEntry, model: ContentModel): void {
  const schema: Schema | undefined = model.contentTypes.get(uid) ?? model.components.get(uid);
  for (const [name, read] of scalars) {
    const attribute = schema?.attributes.get(name);
    // A password may contain NUL, since only its hash is stored.
    if (attribute?.kind !== 'scalar' || attribute.type === 'password' || read.ok !== true || typeof read.value !== 'string') continue;
    if (hasNul(read.value, attribute)) throw ApiError.of('body.unstorable', { path: attribute.name });
  }
  for (const { items } of components.values()) for (const item of items) if (item.kind === 'entry') refuseNul(item.entry, model);
}

/** Matches an escaped NUL, but not an escaped backslash before the text `u0000`. */
const nulInJson = /(?<!\\)(?:\\\\)*\\u0000/;

const hasNul = (value: string, { type }: ScalarAttribute): boolean =>
  type === 'json' || type === 'blocks' ? nulInJson.test(value) : value.includes('\0');
