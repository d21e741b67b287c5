/** Keeps what a write replaces, in its transaction. */
import { ApiError } from '../../../errors/api-error.ts';
import { type FormerVersion, keepVersions } from '../../../history/history-store.ts';
import { writeLossless } from '../../../model/attributes/lossless.ts';
import type { Attribute } from '../../../model/content-model.ts';
import { allDone } from '../../../sql/all-done.ts';
import { contentOf } from '../../entry/content-of.ts';
import type { DocumentRow, Entry } from '../../entry/entry.ts';
import type { WritePlan } from '../../plan/types.ts';
import { isPublishing } from './apply-to-entry.ts';
import { loadVersions } from './load/load-versions.ts';
import { concernedRows } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** The versions that a write may replace, as they are before it. */
export interface Former {
  readonly rows: readonly DocumentRow[];
  readonly entries: ReadonlyMap<number, Entry>;
}

/** Reads them before the write changes them. Undefined where no history is kept.
 *
 *  Values that all locales share are kept with the locale that the write names. */
export async function readFormer(existing: readonly DocumentRow[], context: WriteContext): Promise<Former | undefined> {
  if (context.plan.history === undefined) return undefined;
  const rows = concernedRows(existing, context).filter((row) => isReplaced(row, context));
  // Each by itself, as one of them may be too large.
  const loaded = await allDone(rows.map((row) => loadVersions([row], isKept, context).catch(ignoreTooLarge)));
  return { rows, entries: new Map(loaded.flatMap((found) => [...(found ?? [])])) };
}

/** Links of the other side belong to other documents, and may be a million. */
const isKept = (attribute: Attribute): boolean => attribute.kind !== 'relation' || attribute.mappedBy === undefined;

/** A document with too many components has no history; it can still be changed and made smaller. */
function ignoreTooLarge(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'limit.components') throw error;
}

/** A type without drafts has published rows alone. */
function isReplaced({ published }: DocumentRow, context: WriteContext): boolean {
  if (!context.type.draftAndPublish) return true;
  const replaces: Readonly<Record<WritePlan['action'], boolean>> = {
    create: false,
    update: !published || isPublishing(context),
    publish: published,
    unpublish: published,
    discardDraft: !published,
    delete: true,
  };
  return replaces[context.plan.action];
}

/** Sends the rows, without those that the write has left as they were. */
export function keepFormer({ rows: all, entries }: Former, context: WriteContext): void {
  const { plan, type, events, rows } = context;
  if (plan.history === undefined) return;
  const { versions, caller } = plan.history;
  const kept = all.flatMap((row) => {
    const entry = entries.get(row.id);
    const event = events.in(type.localized ? row.locale : null);
    if (entry === undefined || event === undefined) return [];
    const leavesContent = event.type !== 'delete' && event.type !== 'unpublish' && event.paths.length === 0;
    if (leavesContent) return [];
    const version: FormerVersion = {
      uid: type.uid,
      documentId: row.documentId,
      locale: type.localized ? row.locale : null,
      status: row.published ? 'published' : 'draft',
      event: event.type,
      caller,
      paths: event.paths,
      replacedAt: plan.now,
      writtenAt: row.updatedAt,
    };
    return [{ version, content: writeLossless(contentOf(entry)) }];
  });
  if (kept.length > 0) keepVersions(kept, versions, rows);
}
