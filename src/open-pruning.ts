/** Opens what removes old rows while the server runs. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config/config.ts';
import type { Database } from './dialects/database.ts';
import { pruneEvents } from './events/event-pruning.ts';
import { pruneHistory } from './history/history-pruning.ts';
import { Pruning } from './pruning.ts';
import { pruneReleases, pruneSchedules } from './scheduler.ts';
import { eventsTable, historyTable, releasesTable, scheduleTable } from './tables/system-tables.ts';

interface PruningParts {
  readonly config: Config;
  readonly database: Database;
  /** Tables of the database. */
  readonly tables: { has(name: string): boolean };
  readonly log: FastifyBaseLogger;
}

export function openPruning({ config, database, tables, log }: PruningParts): { close(): Promise<unknown> } {
  const all = [
    { table: eventsTable, what: 'old events', prune: () => pruneEvents(config, database) },
    { table: historyTable, what: 'old versions of documents', prune: () => pruneHistory(config, database) },
    { table: scheduleTable, what: 'old schedules', prune: () => pruneSchedules(database) },
    { table: releasesTable, what: 'old releases', prune: () => pruneReleases(database) },
  ];
  const opened = all
    .filter(({ table }) => tables.has(table))
    .map(({ what, prune }) => new Pruning(prune, (error) => log.warn({ err: error }, `${what} cannot be removed`)));
  return { close: () => Promise.all(opened.map((each) => each.close())) };
}
