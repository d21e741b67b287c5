/** The events of a project's database. */
import { newestEvents, type StoredEvent } from '../../src/events/event-store.ts';
import { Rows } from '../../src/sql/rows.ts';
import type { Served } from './served-project.ts';
import { withDatabase } from './with-database.ts';

/** The oldest first. */
export const eventsOf = ({ project }: Served): Promise<readonly StoredEvent[]> =>
  withDatabase(project, (database) =>
    database.read(async (connection) => [...(await newestEvents(10_000, new Rows(connection, database.dialect)))].reverse()),
  );

/** The events that `work` has left. */
export async function eventsDuring(served: Served, work: () => Promise<unknown>): Promise<readonly StoredEvent[]> {
  const last = (await eventsOf(served)).at(-1)?.id ?? 0;
  await work();
  return (await eventsOf(served)).filter(({ id }) => id > last);
}

/** `publish page en published new: title box.label` */
export const eventText = ({ type, uid, locale, status, isNew, paths }: StoredEvent): string =>
  `${type} ${uid.split('.').at(-1)} ${locale ?? '-'} ${status ?? '-'}${isNew ? ' new' : ''}: ${paths.join(' ')}`.trim();
