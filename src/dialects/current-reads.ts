/** Reads that have every commit from before, on whichever node of the database. */
import type { Database } from './database.ts';

/** The same database with such reads; itself where every read is one. */
export function withCurrentReads(database: Database): Database {
  if (!database.hasWritingNodes) return database;
  const read: Database['read'] = (work, stoppable) => database.read(work, { stop: undefined, ...stoppable, isCurrent: true });
  return { ...database, read, readAtOnce: read };
}
