/** The rows of deliveries: one for each event and webhook that gets it. */
import { grouped } from '../../collections.ts';
import type { TypedColumn } from '../../sql/inserts.ts';
import type { Rows } from '../../sql/rows.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { deliveriesTable, eventsTable } from '../../tables/system-tables.ts';
import { readEvent, type StoredEvent, selectedEvent } from '../event-store.ts';

/** `waiting`: to be attempted, perhaps again. `failed`: set aside. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed';

export interface NewDelivery {
  readonly event: StoredEvent;
  /** The key of the webhook. */
  readonly webhook: string;
  /** The name of the event for this webhook: `entry.publish`. */
  readonly name: string;
}

export interface Delivery extends NewDelivery {
  readonly id: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Milliseconds. */
  readonly dueAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The last response; null if there was none. */
  readonly status: number | null;
  readonly response: string | null;
  /** Milliseconds. */
  readonly took: number | null;
}

/** What became of an attempt. */
export interface Attempt {
  readonly id: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it is attempted again. */
  readonly dueAt: number | undefined;
  readonly status: number | null;
  readonly response: string;
  readonly took: number;
}

const table = sql.id(deliveriesTable);
const events = sql.id(eventsTable);

const inserted: readonly TypedColumn[] = [
  { name: 'event_id', type: 'reference' },
  { name: 'webhook', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'document_id', type: 'string' },
  { name: 'state', type: 'string' },
  { name: 'attempts', type: 'integer' },
  { name: 'due_at', type: 'datetime' },
  { name: 'created_at', type: 'datetime' },
  { name: 'updated_at', type: 'datetime' },
];

/** Reads events that are not handled yet, in the order of their ids, and locks nothing: only the
 *  holder of the lease does so. */
export async function unhandledEvents(after: number, count: number, rows: Rows): Promise<readonly StoredEvent[]> {
  const isNew = sql`e.handled_at IS NULL AND e.id > ${sql.value(after, 'id')}`;
  const found = await rows.run(sql`SELECT ${selectedEvent('e')} FROM ${events} e WHERE ${isNew} ORDER BY e.id LIMIT ${sql.integer(count)}`);
  return found.map((row) => readEvent(row));
}

export function insertDeliveries(deliveries: readonly NewDelivery[], now: number, rows: Rows): void {
  for (const { event, webhook, name } of deliveries)
    rows.inserts.later(deliveriesTable, inserted, [event.id, webhook, name, event.documentId, 'waiting', 0, now, now, now]);
  rows.inserts.flush();
}

export function markHandled(ids: readonly number[], now: number, rows: Rows): void {
  rows.updateAll(eventsTable, ids, [{ name: 'handled_at', type: 'datetime', value: now }]);
}

const columns = (
  ['id', 'webhook', 'name', 'state', 'attempts', 'due_at', 'created_at', 'updated_at', 'status', 'response', 'took'] as const
).map((name): Sql => {
  const column = sql.id('d', name);
  return name.endsWith('_at') ? sql.read(column, 'datetime') : column;
});
const selected = () => sql`SELECT ${sql.join(columns)}, ${selectedEvent('e')} FROM ${table} d JOIN ${events} e ON e.id = d.event_id`;

function readDelivery(row: readonly unknown[]): Delivery {
  const [id, webhook, name, state, attempts, dueAt, createdAt, updatedAt, status, response, took, ...event] = row;
  const numberOr = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  return {
    id: Number(id),
    webhook: String(webhook),
    name: String(name),
    state: state as DeliveryState,
    attempts: Number(attempts),
    dueAt: Number(dueAt),
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
    status: numberOr(status),
    response: response === null ? null : String(response),
    took: numberOr(took),
    event: readEvent(event),
  };
}

/** Returns the deliveries of a webhook that are due: of each document, only the first one that waits. */
export async function dueDeliveries(webhook: string, now: number, count: number, rows: Rows): Promise<readonly Delivery[]> {
  const isDue = sql`d.due_at <= ${sql.value(now, 'datetime')}`;
  const found = await rows.run(
    sql`${selected()} JOIN (${firstWaiting(webhook)}) AS first ON first.id = d.id WHERE ${isDue} ORDER BY d.due_at, d.id LIMIT ${sql.integer(count)}`,
  );
  return found.map(readDelivery);
}

/** The first waiting message of each document. Messages are not compared with the others of their
 *  document, of which there may be thousands. */
const firstWaiting = (webhook: string): Sql =>
  sql`SELECT min(id) AS id FROM ${table} WHERE webhook = ${webhook} AND state = 'waiting' GROUP BY document_id`;

/** When the next delivery of a webhook is due; undefined if none waits. */
export async function nextDue(webhook: string, rows: Rows): Promise<number | undefined> {
  const due = sql.read(sql`min(d.due_at)`, 'datetime');
  const [row] = await rows.run(sql`SELECT ${due} FROM ${table} d JOIN (${firstWaiting(webhook)}) AS first ON first.id = d.id`);
  return row === undefined || row[0] === null ? undefined : Number(row[0]);
}

/** The key of the webhook of a delivery. */
export async function webhookOfDelivery(id: number, rows: Rows): Promise<string | undefined> {
  const [row] = await rows.run(sql`SELECT webhook FROM ${table} WHERE id = ${sql.value(id, 'id')}`);
  return row === undefined ? undefined : String(row[0]);
}

/** One statement for all attempts with the same outcome: most receivers respond alike. */
export function storeAttempts(attempts: readonly Attempt[], now: number, rows: Rows): void {
  for (const alike of grouped(attempts, ({ id, ...outcome }) => JSON.stringify(outcome)).values()) {
    const [{ state, attempts: count, dueAt, status, response, took }] = alike as [Attempt];
    const ids = alike.map(({ id }) => id);
    rows.updateAll(deliveriesTable, ids, [
      { name: 'state', type: 'string', value: state },
      { name: 'attempts', type: 'integer', value: count },
      ...(dueAt === undefined ? [] : [{ name: 'due_at', type: 'datetime', value: dueAt } as const]),
      { name: 'status', type: 'integer', value: status },
      { name: 'response', type: 'text', value: response },
      { name: 'took', type: 'integer', value: took },
      { name: 'updated_at', type: 'datetime', value: now },
    ]);
  }
}

export interface DeliveryFilter {
  readonly webhook: string | undefined;
  readonly state: DeliveryState | undefined;
}

/** The newest first. */
export async function listDeliveries({ webhook, state }: DeliveryFilter, count: number, rows: Rows): Promise<readonly Delivery[]> {
  const conditions = [
    ...(webhook === undefined ? [] : [sql`d.webhook = ${webhook}`]),
    ...(state === undefined ? [] : [sql`d.state = ${state}`]),
  ];
  const where = conditions.length === 0 ? sql.empty : sql` WHERE ${sql.join(conditions, ' AND ')}`;
  return (await rows.run(sql`${selected()}${where} ORDER BY d.id DESC LIMIT ${sql.integer(count)}`)).map(readDelivery);
}

export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

/** By the key of the webhook. */
export async function countDeliveries(rows: Rows): Promise<ReadonlyMap<string, DeliveryCounts>> {
  const counts = new Map<string, Record<DeliveryState, number>>();
  for (const [webhook, state, count] of await rows.run(sql`SELECT webhook, state, count(*) FROM ${table} GROUP BY webhook, state`)) {
    const of = counts.get(String(webhook)) ?? { waiting: 0, delivered: 0, failed: 0 };
    of[state as DeliveryState] = Number(count);
    counts.set(String(webhook), of);
  }
  return counts;
}

/** Makes deliveries due at once: one, in any state, or all failed ones of a webhook. Returns their
 *  number. */
export async function retryDeliveries(
  which: { readonly id: number } | { readonly webhook: string },
  now: number,
  rows: Rows,
): Promise<number> {
  const isMeant = 'id' in which ? sql`id = ${sql.value(which.id, 'id')}` : sql`webhook = ${which.webhook} AND state = 'failed'`;
  const ids = (await rows.run(sql`SELECT id FROM ${table} WHERE ${isMeant}`)).map(([id]) => Number(id));
  rows.updateAll(deliveriesTable, ids, [
    { name: 'state', type: 'string', value: 'waiting' },
    { name: 'attempts', type: 'integer', value: 0 },
    { name: 'due_at', type: 'datetime', value: now },
    // The time for which it is attempted begins again.
    { name: 'created_at', type: 'datetime', value: now },
  ]);
  return ids.length;
}

/** Sets aside what waits for webhooks that are no longer there. */
export function dropDeliveries(webhook: string, now: number, rows: Rows): void {
  const failed = sql`state = 'failed', response = 'the webhook was removed', updated_at = ${sql.stored(now, 'datetime')}`;
  rows.send(sql`UPDATE ${table} SET ${failed} WHERE webhook = ${webhook} AND state = 'waiting'`);
}
