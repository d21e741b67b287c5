import type { Connection, Database } from '../dialects/database.ts';
import { NotedConnection } from './request-record.ts';

/** A database that reports how long each statement takes, on every engine. */
export function notedDatabase(database: Database, note: (milliseconds: number) => void): Database {
  const noted =
    <T>(work: (connection: Connection) => T) =>
    (connection: Connection) =>
      work(new NotedConnection(connection, (_, _at, milliseconds) => note(milliseconds)));
  return {
    ...database,
    read: (work, stoppable) => database.read(noted(work), stoppable),
    readAtOnce: (work, stoppable) => database.readAtOnce(noted(work), stoppable),
    write: (work, stoppable) => database.write(noted(work), stoppable),
    writeIfFree: (work) => database.writeIfFree(noted(work)),
  };
}
