/** The outbox of events: a row for each, written in the transaction of the change itself. */
import type { Config } from '../config/config.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import type { ContentType } from '../model/content-model.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import type { Rows } from '../sql/rows.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { eventsTable } from '../tables/system-tables.ts';
import { type EventCaller, type NewEvent, serverItself } from './document-event.ts';

export interface StoredEvent extends NewEvent {
  /** Events of one document have growing ids in the order of their commits. */
  readonly id: number;
  readonly caller: EventCaller;
  /** Milliseconds. */
  readonly createdAt: number;
}

/** A database that Strapi made has no table of events until `lectern migrate apply`. */
export const keepsEvents = ({ events }: Pick<Config, 'events'>, tables: { has(name: string): boolean }): boolean =>
  events.keep > 0 && tables.has(eventsTable);

const table = sql.id(eventsTable);

const columns: readonly TypedColumn[] = [
  { name: 'type', type: 'string' },
  { name: 'uid', type: 'string' },
  { name: 'document_id', type: 'string' },
  { name: 'locale', type: 'string' },
  { name: 'status', type: 'string' },
  { name: 'is_new', type: 'boolean' },
  { name: 'paths', type: 'text' },
  { name: 'caller_kind', type: 'string' },
  { name: 'caller_id', type: 'reference' },
  { name: 'created_at', type: 'datetime' },
];

/** Sends the rows without waiting (`Connection.send`). Reports no changes: no response shows
 *  events. */
export function insertEvents(events: readonly NewEvent[], caller: EventCaller, now: number, rows: Rows): void {
  if (events.length === 0) return;
  for (const { type, uid, documentId, locale, status, isNew, paths } of events)
    rows.inserts.later(eventsTable, columns, [
      type,
      uid,
      documentId,
      locale,
      status,
      isNew,
      JSON.stringify(paths),
      caller.kind,
      caller.id,
      now,
    ]);
  rows.inserts.flush();
}

/** Stores the deletion of every document of a type in a locale, ahead of it. */
export function insertDeletions({ uid, table: from }: ContentType, locale: string, now: number, rows: Rows): void {
  const value = (name: string) => {
    const values: Readonly<Record<string, SqlValue>> = {
      ...{ type: 'delete', uid, locale, status: null, is_new: false, paths: '[]' },
      ...{ caller_kind: serverItself.kind, caller_id: serverItself.id, created_at: now },
    };
    return values[name] ?? null;
  };
  const selected = columns.map(({ name, type }) => (name === 'document_id' ? sql`document_id` : sql.stored(value(name), type)));
  const names = sql.join(columns.map(({ name }) => sql.id(name)));
  rows.send(
    sql`INSERT INTO ${table} (${names}) SELECT ${sql.join(selected)} FROM ${sql.id(from)} WHERE locale = ${locale} GROUP BY document_id`,
  );
}

/** Returns the last one of the oldest events to be removed, and how many they are; undefined if there
 *  are none. An event stays if a younger one seems older, after a change of the clock. */
export async function oldEvents({ before, most, step }: EventBounds, rows: Rows): Promise<OldEvents | undefined> {
  const [excess] = await rows.run(sql`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1 OFFSET ${sql.integer(most)}`);
  const lastExcess = Number(excess?.[0] ?? 0);
  const created = sql.read(sql`created_at`, 'datetime');
  const oldest = await rows.run(sql`SELECT id, ${created} FROM ${table} ORDER BY id LIMIT ${sql.integer(step)}`);
  const first = oldest.findIndex(([id, at]) => Number(id) > lastExcess && Number(at) >= before);
  const count = first < 0 ? oldest.length : first;
  return count === 0 ? undefined : { last: Number(oldest[count - 1]?.[0]), count };
}

export interface OldEvents {
  /** The id. */
  readonly last: number;
  readonly count: number;
}

/** With the deliveries of these events. */
export async function removeEvents({ last }: OldEvents, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE id <= ${sql.value(last, 'id')}`);
}

export interface EventBounds {
  /** Older events are removed. Milliseconds. */
  readonly before: number;
  /** At most so many stay. */
  readonly most: number;
  /** At most so many rows are removed at once. */
  readonly step: number;
}

/** The columns that `readEvent` reads, of a table with this alias. */
export const selectedEvent = (alias: string): Sql =>
  sql.join([sql.id(alias, 'id'), ...columns.map(({ name, type }) => sql.read(sql.id(alias, name), type))]);

export function readEvent(row: readonly unknown[]): StoredEvent {
  const [id, type, uid, documentId, locale, status, isNew, paths, kind, callerId, createdAt] = row;
  return {
    id: Number(id),
    type: type as StoredEvent['type'],
    uid: String(uid),
    documentId: String(documentId),
    locale: locale === null ? null : String(locale),
    status: status as StoredEvent['status'],
    isNew: Boolean(isNew),
    paths: JSON.parse(String(paths)),
    caller: { kind: kind as EventCaller['kind'], id: callerId === null ? null : Number(callerId) },
    createdAt: Number(createdAt),
  };
}

/** The newest events, the last one first. */
export async function newestEvents(count: number, rows: Rows): Promise<readonly StoredEvent[]> {
  return (await rows.run(sql`SELECT ${selectedEvent('e')} FROM ${table} e ORDER BY e.id DESC LIMIT ${sql.integer(count)}`)).map(readEvent);
}
