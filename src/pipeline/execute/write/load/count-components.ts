/** Limits a document's components, since every write of it takes time for all of them. */
import { ApiError } from '../../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { type Entry, isComponentsAttribute } from '../../../entry/entry.ts';
import { loadEntries } from './load-entries.ts';

/** One write may load this many versions with as many components as the limit: draft and published
 *  row in two locales. */
const versionsAtOnce = 4;

export const maxLoaded = (limit: number): number => versionsAtOnce * limit;

const count = (entry: Entry): number => {
  let sum = 0;
  for (const components of entry.components.values()) for (const component of components) sum += 1 + count(component.entry);
  return sum;
};

export interface Counted {
  readonly entry: Entry;
  readonly current: Entry | undefined;
  readonly type: ContentType;
  readonly limit: number;
}

/** Throws when a write gives a version more components than the limit. A version that has more
 *  already, because another program wrote it, can still be changed and made smaller. */
export async function refuseMoreComponents({ entry, current, type, limit }: Counted, rows: Rows, model: ContentModel): Promise<void> {
  const wanted = count(entry);
  if (wanted <= (current === undefined ? 0 : count(current))) return;
  if (wanted + (await countOthers(entry, { type, limit }, rows, model)) > limit)
    throw ApiError.of('limit.components', { what: 'The document would have', limit });
}

/** Counts components of attributes that are not loaded, with an id query for each join table. */
async function countOthers(
  entry: Entry,
  { type, limit }: { readonly type: ContentType; readonly limit: number },
  rows: Rows,
  model: ContentModel,
): Promise<number> {
  const others = [...type.attributes.values()].filter(
    (attribute) => isComponentsAttribute(attribute) && !entry.components.has(attribute.name),
  );
  if (entry.id === undefined || others.length === 0) return 0;
  const names = new Set(others.map(({ name }) => name));
  const wanted = {
    own: ({ name }: { readonly name: string }) => names.has(name),
    inComponents: isComponentsAttribute,
    unseen: true,
    components: maxLoaded(limit),
  };
  const loaded = (await loadEntries(type, { ids: [entry.id], wanted }, rows, model)).get(entry.id);
  return loaded === undefined ? 0 : count(loaded);
}
