import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import { writeUnshown } from '../dialects/retry-conflicts.ts';
import { day, pruningStep } from '../pruning.ts';
import { Rows } from '../sql/rows.ts';
import { oldEvents, removeEvents } from './event-store.ts';

/** At most so many events are kept, even if newer than `events.keep`. */
const most = 100_000;

/** Removes old events. Returns how many they were. */
export async function pruneEvents({ events }: Pick<Config, 'events'>, database: Database): Promise<number> {
  const { dialect } = database;
  const bounds = { before: Date.now() - events.keep * day, most, step: pruningStep };
  // A server that only reads begins no transaction that writes.
  const old = await database.read((connection) => oldEvents(bounds, new Rows(connection, dialect)));
  if (old === undefined) return 0;
  await writeUnshown(database, (connection) => removeEvents(old, new Rows(connection, dialect)));
  return old.count;
}
