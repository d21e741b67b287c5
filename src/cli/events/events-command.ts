/** `lectern events`: prints the newest events. */
import { StartError } from '../../errors/start-error.ts';
import type { EventCaller } from '../../events/document-event.ts';
import { newestEvents, type StoredEvent } from '../../events/event-store.ts';
import { Rows } from '../../sql/rows.ts';
import { hasTable } from '../../sql/table-exists.ts';
import { eventsTable } from '../../tables/system-tables.ts';
import { inColumns } from '../../text/align-columns.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { printable } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { withProject } from '../project/open-project.ts';

interface EventsOptions extends ProjectOptions {
  readonly limit: number;
  readonly json?: boolean;
}

export function events(options: EventsOptions): Promise<number> {
  return withProject(options, async ({ database }) => {
    if (!(await hasTable(database, eventsTable)))
      throw new StartError([`The database has no table "${eventsTable}". Run \`${lecternCommand('migrate apply')}\` to add it.`]);
    const found = await database.read((connection) => newestEvents(options.limit, new Rows(connection, database.dialect)));
    if (options.json === true) process.stdout.write(`${JSON.stringify(found.map(listed), null, 2)}\n`);
    else process.stdout.write(found.length === 0 ? 'There are no events.\n' : inColumns([heading, ...found.map(line)]));
    return exitCodes.done;
  });
}

const listed = ({ createdAt, ...event }: StoredEvent) => ({ ...event, createdAt: new Date(createdAt).toISOString() });

const heading = ['ID', 'TIME', 'EVENT', 'TYPE', 'DOCUMENT', 'LOCALE', 'CALLER', 'CHANGED'];

const line = ({ id, createdAt, type, isNew, uid, documentId, locale, caller, paths }: StoredEvent): readonly string[] => [
  String(id),
  new Date(createdAt).toISOString(),
  isNew && type === 'publish' ? 'publish (new)' : type,
  uid,
  printable(documentId),
  printable(locale ?? ''),
  callerName(caller),
  paths.join(' '),
];

const callerName = ({ kind, id }: EventCaller): string => (id === null ? kind : `${kind} ${id}`);
