/** Loads stored rows of the written document as entries. */
import type { Attribute } from '../../../../model/content-model.ts';
import { linksOf } from '../../../entry/copy-entry.ts';
import type { DocumentRow, Entry } from '../../../entry/entry.ts';
import type { WriteContext } from '../write-context.ts';
import { mostLoaded } from './count-components.ts';
import { loadEntries } from './load-entries.ts';

/** Returns entries by row id, with the wanted attributes. Throws when they have more components than one write may load. */
export function loadVersions(
  rows: readonly (DocumentRow | undefined)[],
  wanted: (attribute: Attribute) => boolean,
  context: WriteContext,
): Promise<Map<number, Entry>> {
  const ids = rows.flatMap((row) => row?.id ?? []);
  const components = mostLoaded(context.plan.rules.components);
  return loadEntries(context.type, ids, { own: wanted, components }, context.rows, context.model);
}

/** Looks up the other versions of the documents that an entry links to: a copy of the entry in another version links to them. */
export async function readOtherVersions(entry: Entry, { model, targets }: WriteContext): Promise<void> {
  const documents = new Map<string, Set<string>>();
  for (const { row } of linksOf(entry)) {
    if (row.documentId === null || model.contentTypes.get(row.uid)?.draftAndPublish !== true) continue;
    const ids = documents.get(row.uid) ?? new Set();
    documents.set(row.uid, ids.add(row.documentId));
  }
  for (const [uid, ids] of documents) await targets.readDocuments(uid, [...ids]);
}
