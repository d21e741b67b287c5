/** POST …/actions/unpublish: deletes the published rows and leaves the drafts. */
import { ApiError } from '../../../errors/api-error.ts';
import type { DocumentRow } from '../../entry/entry.ts';
import { deleteRows } from './delete.ts';
import { concernedVersions } from './versions.ts';
import type { WriteContext } from './write-context.ts';

export async function unpublish(existing: readonly DocumentRow[], context: WriteContext): Promise<undefined> {
  const versions = concernedVersions(existing, context);
  if (versions.length === 0) throw ApiError.of('document.not-found', undefined);
  return deleteRows(
    versions.flatMap(({ published }) => published ?? []),
    context,
  );
}
