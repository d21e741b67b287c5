/** Repeats transactions that conflict with others. In InnoDB, deadlocks are common. */
import type { Connection, Database } from './database.ts';

/** A conflicting transaction is attempted at most this many times. */
const attempts = 32;
/** The mean pause grows by this after each attempt, up to eight times. Milliseconds. */
const pauseStep = 5;

/** Runs `work`, and runs it again after a conflict with another transaction. */
export async function retryConflicts<T>(database: Pick<Database, 'errorKindOf'>, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || database.errorKindOf(error) !== 'conflict') throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * pauseStep * Math.min(attempt, 8)));
    }
  }
}

/** Runs `work` in one transaction, and in another one after a conflict. So `work` may run several
 *  times, and changes nothing but the database. */
export const writeRetried = <T>(database: Database, work: (connection: Connection) => Promise<T>): Promise<T> =>
  retryConflicts(database, () => database.write(work));

/** The same for a write to rows that no response shows. */
export const writeUnshown = <T>(database: Database, work: (connection: Connection) => Promise<T>): Promise<T> =>
  writeRetried(database, (connection) => {
    connection.changes([], []);
    return work(connection);
  });
