/** Rows are deleted with all that they own. */
import { type DocumentRow, isPartAttribute } from './entry/entry.ts';
import { loadEntries } from './entry/load-entries.ts';
import { concernedRows } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** DELETE: every version in the locales concerned. */
export const deleteDocument = (existing: readonly DocumentRow[], context: WriteContext): Promise<undefined> =>
  deleteRows(concernedRows(existing, context), context);

export async function deleteRows(existing: readonly DocumentRow[], { type, rows, model, changes }: WriteContext): Promise<undefined> {
  if (existing.length === 0) return undefined;
  const ids = existing.map(({ id }) => id);
  const entries = await loadEntries(type, ids, { own: isPartAttribute, inParts: isPartAttribute, unseen: true }, rows, model);
  changes.delete([...entries.values()]);
  await changes.write();
  return undefined;
}
