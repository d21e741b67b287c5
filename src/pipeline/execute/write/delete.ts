/** Deletes rows with everything that they own. */
import { ApiError } from '../../../errors/api-error.ts';
import { scheduledName } from '../../../schedule/schedule-store.ts';
import { forgetWaiting } from '../../../schedule/waiting-tables.ts';
import { type DocumentRow, isComponentsAttribute } from '../../entry/entry.ts';
import { forgottenOf, withComponents } from './difference/awaited-links.ts';
import { deletionOf } from './difference/difference.ts';
import { awaitUnpublished, forgetTarget } from './difference/follow-published.ts';
import { writeChanges } from './difference/write-changes.ts';
import { loadEntries } from './load/load-entries.ts';
import { concernedRows, concernedVersions } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** DELETE: deletes every version in the locales of the request. */
export async function deleteDocument(documentId: string, existing: readonly DocumentRow[], context: WriteContext): Promise<undefined> {
  const { type, rows, events, restrictions, hasAwaitedLinks, waiting } = context;
  const deleted = concernedRows(existing, context);
  await restrictions.refusePublished(deleted);
  const locales = new Set(deleted.map(({ locale }) => (type.localized ? locale : null)));
  for (const locale of locales) events.add(locale, { type: 'delete', status: null, isNew: false });
  if (hasAwaitedLinks) for (const locale of locales) forgetTarget({ uid: type.uid, documentId, locale }, context);
  if (type.draftAndPublish) {
    const document = { uid: type.uid, documentId: scheduledName(type, documentId) };
    for (const locale of locales) forgetWaiting({ ...document, locale }, waiting, rows);
  }
  return deleteRows(deleted, context);
}

/** POST …/actions/unpublish: deletes the published rows and leaves the drafts. */
export async function unpublish(existing: readonly DocumentRow[], context: WriteContext): Promise<undefined> {
  const versions = concernedVersions(existing, context);
  if (versions.length === 0) throw ApiError.of('document.not-found', undefined);
  for (const { locale, draft, published } of versions) {
    if (published === undefined) continue;
    context.events.add(locale, { type: 'unpublish', status: 'published', isNew: false });
    if (draft === undefined) continue;
    const { type } = context;
    awaitUnpublished({ type, documentId: published.documentId, locale, draftId: draft.id, publishedId: published.id }, context);
  }
  return deleteRows(
    versions.flatMap(({ published }) => published ?? []),
    context,
  );
}

type DeletionParts = Pick<WriteContext, 'type' | 'rows' | 'model' | 'turns'> & Partial<Pick<WriteContext, 'hasAwaitedLinks'>>;

export async function deleteRows(
  existing: readonly Pick<DocumentRow, 'id'>[],
  { type, rows, model, turns, hasAwaitedLinks = false }: DeletionParts,
): Promise<undefined> {
  if (existing.length === 0) return undefined;
  const ids = existing.map(({ id }) => id);
  const entries = await loadEntries(
    type,
    { ids, wanted: { own: isComponentsAttribute, inComponents: isComponentsAttribute, unseen: true } },
    rows,
    model,
  );
  const list = [...entries.values()];
  const forgotten = hasAwaitedLinks ? forgottenOf(list.flatMap(withComponents), model) : [];
  await writeChanges([...deletionOf(list, model), ...forgotten], { rows, model, turns });
  return undefined;
}
