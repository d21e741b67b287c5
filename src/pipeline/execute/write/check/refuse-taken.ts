import type { Entry } from '../../../entry/entry.ts';
import type { WriteContext } from '../write-context.ts';
import { checkUnique, uniqueKeys } from './check-unique-values.ts';

/** Throws all problems so far, together with those of unique values that another document has. */
export async function refuseTaken(
  entry: Entry,
  locale: string | null,
  ownId: number | undefined,
  { type, rows, problems }: WriteContext,
): Promise<void> {
  rows.lock(uniqueKeys(entry));
  await checkUnique(entry, { type, locale, ownId }, rows, problems);
  problems.throwIfAny();
}
