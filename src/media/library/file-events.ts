/** Events of the media library, stored in the transaction of the change. */
import type { DocumentEvent, EventCaller } from '../../events/document-event.ts';
import { insertEvents } from '../../events/event-store.ts';
import { fileUid } from '../../model/built-in-types.ts';
import type { Rows } from '../../sql/rows.ts';
import { sql } from '../../sql/sql.ts';
import type { FileLink } from './file-store.ts';

export interface FileChange {
  readonly type: 'create' | 'update' | 'delete';
  readonly documentIds: readonly string[];
  /** The attributes that were changed. */
  readonly paths: readonly string[];
}

export function storeFileEvents(change: FileChange, caller: EventCaller, now: number, rows: Rows): void {
  const { type, documentIds, paths } = change;
  const events = documentIds.map(
    (documentId): DocumentEvent => ({
      ...{ type, uid: fileUid, documentId, locale: null, isNew: type === 'create', paths },
      status: type === 'delete' ? null : 'published',
    }),
  );
  insertEvents(events, caller, now, rows);
}

export async function documentIdsOf(ids: readonly number[], rows: Rows): Promise<readonly string[]> {
  const columns = [sql`r.document_id`];
  return (await rows.select('files', { key: 'id', ids, columns, order: sql`r.id` })).map(([documentId]) => String(documentId));
}

/** Files that an upload attaches to a document change the document. */
export async function storeLinkEvent({ owner, field }: FileLink, id: number, caller: EventCaller, now: number, rows: Rows): Promise<void> {
  if (owner === undefined) return;
  const columns = [sql`r.document_id`, sql`r.locale`, sql`r.published_at IS NOT NULL`];
  const [row] = await rows.select(owner.table, { key: 'id', ids: [id], columns, order: sql`r.id` });
  if (row === undefined) return;
  const [documentId, locale, isPublished] = row;
  const status = isPublished || !owner.draftAndPublish ? 'published' : 'draft';
  insertEvents(
    [
      {
        type: owner.draftAndPublish && status === 'published' ? 'publish' : 'update',
        uid: owner.uid,
        documentId: String(documentId),
        locale: owner.localized && locale !== null ? String(locale) : null,
        status,
        isNew: false,
        paths: [field],
      },
    ],
    caller,
    now,
    rows,
  );
}
