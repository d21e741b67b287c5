/** Opens what publishes at a time. */
import { createPublishEntries, type PublishParts } from './http/endpoints/releases/publish-entries.ts';
import { Scheduler, type SchedulerParts } from './scheduler.ts';
import { releaseEntriesTable, scheduleTable } from './tables/system-tables.ts';

interface OpenParts extends Omit<SchedulerParts, 'tables' | 'publishEntries'>, PublishParts {
  /** Tables of the database. */
  readonly tables: { has(name: string): boolean };
}

/** Undefined where nothing can be scheduled: in a database that Strapi made, until `migrate apply`. */
export function openScheduler({ tables, ...parts }: OpenParts): Scheduler | undefined {
  const waiting = { schedules: tables.has(scheduleTable), releases: tables.has(releaseEntriesTable) };
  if (!waiting.schedules && !waiting.releases) return undefined;
  return new Scheduler({ ...parts, tables: waiting, publishEntries: createPublishEntries(parts) });
}
