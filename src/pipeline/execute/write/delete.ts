/** Deletes rows with everything that they own. */
import { ApiError } from '../../../errors/api-error.ts';
import { type DocumentRow, isComponentsAttribute } from '../../entry/entry.ts';
import { deletionOf } from './difference/difference.ts';
import { writeChanges } from './difference/write-changes.ts';
import { loadEntries } from './load/load-entries.ts';
import { concernedRows, concernedVersions } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** DELETE: deletes every version in the locales of the request. */
export const deleteDocument = (existing: readonly DocumentRow[], context: WriteContext): Promise<undefined> =>
  deleteRows(concernedRows(existing, context), context);

/** POST …/actions/unpublish: deletes the published rows and leaves the drafts. */
export async function unpublish(existing: readonly DocumentRow[], context: WriteContext): Promise<undefined> {
  const versions = concernedVersions(existing, context);
  if (versions.length === 0) throw ApiError.of('document.not-found', undefined);
  return deleteRows(
    versions.flatMap(({ published }) => published ?? []),
    context,
  );
}

export async function deleteRows(
  existing: readonly Pick<DocumentRow, 'id'>[],
  { type, rows, model, turns }: Pick<WriteContext, 'type' | 'rows' | 'model' | 'turns'>,
): Promise<undefined> {
  if (existing.length === 0) return undefined;
  const ids = existing.map(({ id }) => id);
  const entries = await loadEntries(
    type,
    { ids, wanted: { own: isComponentsAttribute, inComponents: isComponentsAttribute, unseen: true } },
    rows,
    model,
  );
  await writeChanges(deletionOf([...entries.values()], model), { rows, model, turns });
  return undefined;
}
