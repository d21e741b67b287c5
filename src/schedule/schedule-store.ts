/** Publishing and unpublishing at a time: a row for each, which stays for a month after it is done. */
import type { EventCaller } from '../events/document-event.ts';
import type { ContentType } from '../model/content-model.ts';
import type { Rows } from '../sql/rows.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { scheduleTable } from '../tables/system-tables.ts';

export type ScheduledAction = 'publish' | 'unpublish';
export type ScheduleState = 'waiting' | 'done' | 'failed';

export interface ScheduledDocument {
  readonly uid: string;
  readonly documentId: string;
  /** Null for types without locales. */
  readonly locale: string | null;
}

/** The document of a single type needs no name. */
export const scheduledName = ({ kind }: Pick<ContentType, 'kind'>, documentId: string): string => (kind === 'singleType' ? '' : documentId);

export interface Scheduled extends ScheduledDocument {
  readonly id: number;
  readonly action: ScheduledAction;
  /** Milliseconds. */
  readonly dueAt: number;
  /** Who has scheduled it, and whose rights count when it is due. */
  readonly caller: EventCaller;
  readonly state: ScheduleState;
  /** Why it failed; empty otherwise. */
  readonly problem: string;
}

const table = sql.id(scheduleTable);

const columns = sql.join([
  sql`id`,
  sql`uid`,
  sql`document_id`,
  sql`locale`,
  sql`action`,
  sql.read(sql`due_at`, 'datetime'),
  sql`caller_kind`,
  sql`caller_id`,
  sql`state`,
  sql`problem`,
]);

function scheduledOf(row: readonly unknown[]): Scheduled {
  const [id, uid, documentId, locale, action, dueAt, kind, callerId, state, problem] = row;
  return {
    id: Number(id),
    uid: String(uid),
    documentId: String(documentId),
    locale: locale === null ? null : String(locale),
    action: action as ScheduledAction,
    dueAt: Number(dueAt),
    caller: { kind: kind as EventCaller['kind'], id: callerId === null ? null : Number(callerId) },
    state: state as ScheduleState,
    problem: problem === null ? '' : String(problem),
  };
}

const inLocale = (locale: string | null): Sql => (locale === null ? sql`locale IS NULL` : sql`locale = ${locale}`);
/** The condition on rows of what waits for a document. */
export const isOf = ({ uid, documentId, locale }: ScheduledDocument): Sql =>
  sql`uid = ${uid} AND document_id = ${documentId} AND ${inLocale(locale)}`;

export type NewSchedule = ScheduledDocument & Pick<Scheduled, 'action' | 'dueAt' | 'caller'>;

/** Takes the place of what waits for the same document, locale and action. `now`: milliseconds. */
export async function schedule({ action, dueAt, caller, ...document }: NewSchedule, now: number, rows: Rows): Promise<void> {
  await cancel(document, [action], rows);
  const time = (value: number) => sql.stored(value, 'datetime');
  const names = sql`uid, document_id, locale, action, due_at, caller_kind, caller_id, state, problem, created_at, updated_at`;
  const { uid, documentId, locale } = document;
  const values = sql.join([
    ...[uid, documentId, locale, action].map((value) => sql.stored(value, 'string')),
    time(dueAt),
    sql.stored(caller.kind, 'string'),
    sql.stored(caller.id, 'reference'),
    sql`'waiting', ''`,
    time(now),
    time(now),
  ]);
  await rows.run(sql`INSERT INTO ${table} (${names}) VALUES (${values})`);
}

/** Removes what waits. */
export async function cancel(document: ScheduledDocument, actions: readonly ScheduledAction[], rows: Rows): Promise<void> {
  const named = sql.join(actions.map((action) => sql`${action}`));
  await rows.run(sql`DELETE FROM ${table} WHERE ${isOf(document)} AND state = 'waiting' AND action IN (${named})`);
}

/** The newest of a document, in every locale. */
export async function scheduledFor(
  { uid, documentId }: Pick<ScheduledDocument, 'uid' | 'documentId'>,
  rows: Rows,
): Promise<readonly Scheduled[]> {
  const where = sql`uid = ${uid} AND document_id = ${documentId}`;
  return (await rows.run(sql`SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY id DESC LIMIT 100`)).map(scheduledOf);
}

/** The next ones of these types that wait, or the last ones that are done or failed. */
export async function scheduledOfTypes(
  uids: readonly string[],
  state: ScheduleState,
  limit: number,
  rows: Rows,
): Promise<readonly Scheduled[]> {
  if (uids.length === 0) return [];
  const order = state === 'waiting' ? sql`due_at, id` : sql`id DESC`;
  const where = sql`state = ${state} AND uid IN (${sql.join(uids.map((uid) => sql`${uid}`))})`;
  return (await rows.run(sql`SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${sql.integer(limit)}`)).map(
    scheduledOf,
  );
}

/** What is due, the earliest first. */
export async function due(now: number, limit: number, rows: Rows): Promise<readonly Scheduled[]> {
  const where = sql`state = 'waiting' AND due_at <= ${sql.stored(now, 'datetime')}`;
  return (await rows.run(sql`SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY due_at, id LIMIT ${sql.integer(limit)}`)).map(
    scheduledOf,
  );
}

/** Removes what waits for a deleted document, as part of its deletion. */
export function forgetSchedules(document: ScheduledDocument, rows: Rows): void {
  rows.send(sql`DELETE FROM ${table} WHERE ${isOf(document)} AND state = 'waiting'`);
}

export function forgetSchedulesIn(locale: string, rows: Rows): void {
  rows.send(sql`DELETE FROM ${table} WHERE locale = ${locale} AND state = 'waiting'`);
}

/** Returns false if another process has noted it, or somebody has cancelled it. */
export async function note(id: number, state: 'done' | 'failed', problem: string, now: number, rows: Rows): Promise<boolean> {
  rows.lock([`schedule ${id}`]);
  const isWaiting = sql`id = ${sql.value(id, 'id')} AND state = 'waiting'`;
  if ((await rows.run(sql`SELECT id FROM ${table} WHERE ${isWaiting}`)).length === 0) return false;
  const changes = sql`state = ${state}, problem = ${problem}, updated_at = ${sql.stored(now, 'datetime')}`;
  await rows.run(sql`UPDATE ${table} SET ${changes} WHERE ${isWaiting}`);
  return true;
}

/** Whether there are any that were done before a moment. */
export async function hasOldSchedules(before: number, rows: Rows): Promise<boolean> {
  return (await rows.run(sql`SELECT id FROM ${table} WHERE ${isOld(before)} LIMIT 1`)).length > 0;
}

export async function removeOldSchedules(before: number, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE ${isOld(before)}`);
}

const isOld = (before: number): Sql => sql`state <> 'waiting' AND updated_at < ${sql.stored(before, 'datetime')}`;
