import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import { writeUnshown } from '../dialects/retry-conflicts.ts';
import { day, pruningStep } from '../pruning.ts';
import { Rows } from '../sql/rows.ts';
import { oldVersions, removeVersions } from './history-store.ts';

/** Removes versions that are older than `history.days`. Returns how many they were. */
export async function pruneHistory({ history }: Pick<Config, 'history'>, database: Database): Promise<number> {
  const { dialect } = database;
  const before = Date.now() - history.days * day;
  // A server that only reads begins no transaction that writes.
  const old = await database.read((connection) => oldVersions(before, pruningStep, new Rows(connection, dialect)));
  if (old === undefined) return 0;
  await writeUnshown(database, (connection) => removeVersions(old, new Rows(connection, dialect)));
  return old.count;
}
