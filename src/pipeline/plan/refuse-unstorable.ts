import type { Dialect } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type ContentModel, type ScalarAttribute, schemaOf } from '../../model/content-model.ts';
import { locatedObjects } from '../body/body-targets.ts';
import type { BodyEntry } from '../parse/body/types.ts';

/** Throws for a text that the database cannot store: PostgreSQL stores no NUL.
 *
 *  `{ title: 'a\0b' }` on PostgreSQL → 400 `body.unstorable`, path `title` */
export function refuseUnstorable(body: BodyEntry, { storesNul }: Dialect, model: ContentModel): void {
  for (const { object, path } of storesNul ? [] : locatedObjects(body)) {
    for (const [name, read] of object.scalars) {
      const attribute = schemaOf(model, object.uid)?.attributes.get(name);
      // A password may contain NUL, since only its hash is stored.
      if (attribute?.kind !== 'scalar' || attribute.type === 'password' || read.ok !== true || typeof read.value !== 'string') continue;
      if (hasNul(read.value, attribute)) throw ApiError.of('body.unstorable', { path: name }).locatedAt([...path, name]);
    }
  }
}

/** Matches an escaped NUL, but not an escaped backslash before the text `u0000`. */
const nulInJson = /(?<!\\)(?:\\\\)*\\u0000/;

const hasNul = (value: string, { type }: ScalarAttribute): boolean =>
  type === 'json' || type === 'blocks' ? nulInJson.test(value) : value.includes('\0');
