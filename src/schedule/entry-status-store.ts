/** What has become of the documents of a release: whether they are published, or have changed since. */
import { grouped } from '../collections.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Rows } from '../sql/rows.ts';
import { sql } from '../sql/sql.ts';
import type { StoredEntry } from './release-store.ts';

export type EntryStatus = 'draft' | 'modified' | 'published' | 'missing';

/** By the id of the entry. */
export async function statusesOf(
  entries: readonly StoredEntry[],
  model: ContentModel,
  rows: Rows,
): Promise<ReadonlyMap<number, EntryStatus>> {
  const found = new Map<number, EntryStatus>();
  for (const [uid, ofType] of grouped(entries, (entry) => entry.uid)) {
    const type = model.contentTypes.get(uid);
    const versions = type === undefined ? new Map() : await versionsIn(type, ofType, rows);
    for (const { id, documentId, locale } of ofType) found.set(id, statusOf(versions.get(keyOf(documentId, locale))));
  }
  return found;
}

/** When each version was changed. Milliseconds. */
interface Versions {
  draft?: number;
  published?: number;
}

function statusOf({ draft, published }: Versions = {}): EntryStatus {
  if (published === undefined) return draft === undefined ? 'missing' : 'draft';
  return draft !== undefined && draft > published ? 'modified' : 'published';
}

const keyOf = (documentId: string, locale: string | null) => `${locale} ${documentId}`;

interface StoredType {
  readonly table: string;
  readonly kind: 'collectionType' | 'singleType';
  readonly localized: boolean;
}

async function versionsIn(
  { table, kind, localized }: StoredType,
  entries: readonly StoredEntry[],
  rows: Rows,
): Promise<Map<string, Versions>> {
  const isSingle = kind === 'singleType';
  const ids = entries.map(({ documentId }) => documentId);
  const where = isSingle ? sql.empty : sql` WHERE ${sql.isOneOf(sql`document_id`, ids, 'wanted')}`;
  const updated = sql.read(sql`updated_at`, 'datetime');
  const stored = await rows.run(sql`SELECT document_id, locale, published_at IS NULL, ${updated} FROM ${sql.id(table)}${where}`);
  const versions = new Map<string, Versions>();
  for (const [documentId, locale, isDraft, at] of stored) {
    const key = keyOf(isSingle ? '' : String(documentId), localized && locale !== null ? String(locale) : null);
    const of = versions.get(key) ?? {};
    of[Number(isDraft) === 1 ? 'draft' : 'published'] = Number(at);
    versions.set(key, of);
  }
  return versions;
}
