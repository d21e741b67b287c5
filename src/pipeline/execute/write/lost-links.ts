/** Links that a draft has lost because the draft of their target was deleted, by an import for
 *  example. A document without a draft is linked by its published row. */
import type { DocumentRow, Entry, Link, LinkSource } from '../../entry/entry.ts';
import type { LinkTargets } from './load/link-targets.ts';
import { linkSource, type Version } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** Adds to a draft the links of the published entry to documents without a draft. Only if it has
 *  not changed since it was published: otherwise it may lack them on purpose. */
export async function restoreLostLinks(draft: Entry, published: Entry | undefined, version: Version, context: WriteContext): Promise<void> {
  if (published === undefined || !isUnchanged(version)) return;
  const lists = listsOf(draft, published);
  const missing = lists.flatMap((list) => missingLinks(list));
  const documents = new Map<string, Set<string>>();
  for (const { row } of missing) {
    if (row.documentId === null || context.model.contentTypes.get(row.uid)?.draftAndPublish !== true) continue;
    documents.set(row.uid, (documents.get(row.uid) ?? new Set()).add(row.documentId));
  }
  if (documents.size === 0) return;
  for (const [uid, ids] of documents) await context.targets.readDocuments(uid, [...ids]);
  const source = linkSource(context.type, version.locale, 'draft');
  for (const list of lists) restore(list, source, context.targets);
}

/** Publishing gives both rows the same time. */
const isUnchanged = ({ draft, published }: { readonly draft: DocumentRow | undefined; readonly published: DocumentRow | undefined }) =>
  draft !== undefined && published !== undefined && draft.updatedAt === published.updatedAt;

/** The links of one attribute of the draft, or of a component, and of the published entry. */
interface LinkLists {
  readonly owner: Entry;
  readonly field: string;
  readonly published: readonly Link[];
}

/** Components of an unchanged draft have the places of those that were published. */
function listsOf(draft: Entry, published: Entry): readonly LinkLists[] {
  const own = [...published.links].flatMap(([field, links]) => (draft.links.has(field) ? [{ owner: draft, field, published: links }] : []));
  const inComponents = [...published.components].flatMap(([field, components]) => {
    const copies = draft.components.get(field) ?? [];
    if (copies.length !== components.length) return [];
    return components.flatMap(({ entry }, index) => {
      const copy = copies[index]?.entry;
      return copy?.schema === entry.schema ? listsOf(copy, entry) : [];
    });
  });
  return [...own, ...inComponents];
}

const keyOf = ({ row }: Link): string => `${row.uid} ${row.documentId ?? row.id} ${row.locale}`;
const linksOf = ({ owner, field }: LinkLists): readonly Link[] => owner.links.get(field) ?? [];

function missingLinks(list: LinkLists): readonly Link[] {
  const known = new Set(linksOf(list).map(keyOf));
  return list.published.filter((link) => !known.has(keyOf(link)));
}

/** Puts each lost link after the one that it followed. */
function restore(list: LinkLists, source: LinkSource, targets: LinkTargets): void {
  const isLost = ({ row }: Link) => targets.versionFor(row, source).rows.some(({ id }) => id === row.id);
  const lost = new Set(missingLinks(list).filter(isLost));
  if (lost.size === 0) return;
  const links = [...linksOf(list)];
  let place = 0;
  for (const link of list.published) {
    const index = lost.has(link) ? -1 : links.findIndex((each) => keyOf(each) === keyOf(link));
    if (index >= 0) place = index + 1;
    if (!lost.has(link)) continue;
    links.splice(place, 0, { row: link.row, id: undefined, order: null, inverseOrder: undefined });
    place += 1;
  }
  list.owner.links.set(
    list.field,
    links.map((link, index) => ({ ...link, order: link.id === undefined ? index + 1 : link.order })),
  );
}
