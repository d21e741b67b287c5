/** Loads stored rows of the written document as entries. */
import { ApiError } from '../../../../errors/api-error.ts';
import type { Attribute } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import { linksOf } from '../../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, isContent } from '../../../entry/entry.ts';
import { mayHaveAwaited, readAwaited } from '../difference/awaited-links.ts';
import { concernedVersions, type Version } from '../versions.ts';
import type { WriteContext } from '../write-context.ts';
import { maxLoaded } from './count-components.ts';
import { loadEntries } from './load-entries.ts';

/** Entries by row id, with the wanted attributes, and published ones with what they await. Throws
 *  for too many components in one write. */
export async function loadVersions(
  rows: readonly (DocumentRow | undefined)[],
  wanted: (attribute: Attribute) => boolean,
  context: WriteContext,
): Promise<ReadonlyMap<number, Entry>> {
  const ids = rows.flatMap((row) => row?.id ?? []);
  const components = maxLoaded(context.plan.rules.components);
  const { type, model } = context;
  const published = rows.flatMap((row) => (row?.published === true && type.draftAndPublish ? row.id : []));
  const [entries, isAwaiting] = await allDone([
    loadEntries(type, { ids, wanted: { own: wanted, components } }, context.rows, model),
    // Asked at the same time, as few entries await anything.
    published.length > 0 && mayHaveAwaited(type, context),
  ]);
  if (isAwaiting)
    await readAwaited(
      published.flatMap((id) => entries.get(id) ?? []),
      context.rows,
      model,
    );
  return entries;
}

/** Loads the document's versions in the request's locales. Throws if none has that status. */
export async function loadContent(
  status: 'draft' | 'published',
  existing: readonly DocumentRow[],
  context: WriteContext,
): Promise<{ readonly versions: readonly Version[]; readonly entries: ReadonlyMap<number, Entry> }> {
  const versions = concernedVersions(existing, context).filter((version) => version[status] !== undefined);
  if (versions.length === 0) throw ApiError.of('document.not-found', undefined);
  const rows = versions.flatMap(({ draft, published }) => [draft, published]);
  return { versions, entries: await loadVersions(rows, isContent, context) };
}

/** Looks up other versions of an entry's linked documents, for its copy in another version. */
export async function readOtherVersions(entry: Entry, { model, targets }: WriteContext): Promise<void> {
  const documents = new Map<string, Set<string>>();
  for (const { row } of linksOf(entry)) {
    const type = model.contentTypes.get(row.uid);
    if (row.documentId === null || (type?.draftAndPublish !== true && type?.localized !== true)) continue;
    const ids = documents.get(row.uid) ?? new Set();
    documents.set(row.uid, ids.add(row.documentId));
  }
  await allDone([...documents].map(([uid, ids]) => targets.readDocuments(uid, [...ids])));
}
