/** What waits for a document is removed with it, in the same transaction. */
import type { Rows } from '../sql/rows.ts';
import { tableExists } from '../sql/table-exists.ts';
import { releaseEntriesTable, scheduleTable } from '../tables/system-tables.ts';
import { forgetEntries, forgetEntriesIn } from './release-store.ts';
import { forgetSchedules, forgetSchedulesIn, type ScheduledDocument } from './schedule-store.ts';

/** Which tables of what waits the database has; one that Strapi made may lack them. */
export interface WaitingTables {
  readonly schedules: boolean;
  readonly releases: boolean;
}

export const noWaitingTables: WaitingTables = { schedules: false, releases: false };

export const waitingTables = async ({ connection }: Rows): Promise<WaitingTables> => ({
  schedules: await tableExists(connection, scheduleTable),
  releases: await tableExists(connection, releaseEntriesTable),
});

export function forgetWaiting(document: ScheduledDocument, { schedules, releases }: WaitingTables, rows: Rows): void {
  if (schedules) forgetSchedules(document, rows);
  if (releases) forgetEntries(document, rows);
}

export function forgetWaitingIn(locale: string, { schedules, releases }: WaitingTables, rows: Rows): void {
  if (schedules) forgetSchedulesIn(locale, rows);
  if (releases) forgetEntriesIn(locale, rows);
}
