/** Where webhooks come from: the configuration, `lectern webhook add`, and Strapi's table. */
import { isHeader, isReceiverUrl, readWebhook, type WebhookConfig } from '../../config/webhooks.ts';
import type { Rows } from '../../sql/rows.ts';
import { sql } from '../../sql/sql.ts';
import { eventsTable, webhooksTable } from '../../tables/system-tables.ts';
import { isObject, jsonOrUndefined, parsedObject } from '../../text/json.ts';
import { type EventName, eventNames, type Webhook } from './webhook.ts';

export const strapiTable = 'strapi_webhooks';
const table = sql.id(webhooksTable);

export const configuredWebhooks = (list: readonly WebhookConfig[]): readonly Webhook[] =>
  list.map((webhook) => ({ ...webhook, key: `config:${webhook.name}` }));

export interface StoredWebhooks {
  readonly webhooks: readonly Webhook[];
  /** Names of those that another version of Lectern has written. */
  readonly unread: readonly string[];
}

/** All webhooks in the database. `tables`: those that it has. */
export async function storedWebhooks(tables: { has(name: string): boolean }, rows: Rows): Promise<StoredWebhooks> {
  const { webhooks, unread } = await ownWebhooks(rows);
  return { webhooks: [...webhooks, ...(tables.has(strapiTable) ? await strapiWebhooks(rows) : [])], unread };
}

/** Those of `lectern webhook add`. */
async function ownWebhooks(rows: Rows): Promise<StoredWebhooks> {
  const found = await rows.run(sql`SELECT ${sql.id('key')}, definition FROM ${table} WHERE definition IS NOT NULL ORDER BY id`);
  const webhooks: Webhook[] = [];
  const unread: string[] = [];
  for (const [key, definition] of found) {
    const problems: string[] = [];
    const webhook = readWebhook(parsedObject(definition), String(key), problems);
    if (problems.length === 0) webhooks.push({ ...webhook, key: String(key) });
    else unread.push(String(key).slice(ownKey('').length));
  }
  return { webhooks, unread };
}

export const ownKey = (name: string): string => `own:${name}`;

/** Those of Strapi's panel that are enabled and have a URL. Strapi reads entries with all rights,
 *  without private attributes. */
export async function strapiWebhooks(rows: Rows): Promise<readonly Webhook[]> {
  const columns = sql.join([sql`id, name, url`, sql.read(sql`headers`, 'json'), sql.read(sql`events`, 'json')]);
  const isEnabled = sql`enabled = ${sql.value(true, 'boolean')}`;
  const found = await rows.run(sql`SELECT ${columns} FROM ${sql.id(strapiTable)} WHERE ${isEnabled} ORDER BY id`);
  return found
    .filter(([, , url]) => isReceiverUrl(String(url)))
    .map(([id, name, url, headers, events]) => ({
      ...{ key: `strapi:${Number(id)}`, name: String(name), url: String(url), types: undefined, secrets: [] },
      ...{ payload: 'entry', as: 'full-access', query: 'populate=*' },
      headers: headersIn(jsonOf(headers)),
      events: namesIn(jsonOf(events)),
    }));
}

const jsonOf = (value: unknown): unknown => (typeof value === 'string' ? jsonOrUndefined(value) : value);

const headersIn = (value: unknown): Readonly<Record<string, string>> =>
  isObject(value) ? (Object.fromEntries(Object.entries(value).filter((entry) => isHeader(entry))) as Readonly<Record<string, string>>) : {};

const namesIn = (value: unknown): readonly EventName[] =>
  Array.isArray(value) ? value.flatMap((name) => eventNames.get(String(name)) ?? []) : [];

export interface KnownWebhook {
  /** The id of the last event before the webhook was known. */
  readonly since: number;
  /** Since when it is not there. Milliseconds. */
  readonly goneAt: number | undefined;
  /** Whether its definition is in the database. */
  readonly isStored: boolean;
}

export async function knownWebhooks(rows: Rows): Promise<ReadonlyMap<string, KnownWebhook>> {
  const columns = sql.join([sql.id('key'), sql`since`, sql.read(sql`gone_at`, 'datetime'), sql`definition IS NOT NULL`]);
  const found = await rows.run(sql`SELECT ${columns} FROM ${table}`);
  return new Map(
    found.map(([key, since, goneAt, isStored]) => [
      String(key),
      { since: Number(since), goneAt: goneAt === null ? undefined : Number(goneAt), isStored: Boolean(isStored) },
    ]),
  );
}

export async function lastEventId(rows: Rows): Promise<number> {
  const [last] = await rows.run(sql`SELECT max(id) FROM ${sql.id(eventsTable)}`);
  return Number(last?.[0] ?? 0);
}

/** Notes that a webhook is known from now on. Earlier events are not sent to it. */
export async function noteWebhook(key: string, definition: WebhookConfig | undefined, now: number, rows: Rows): Promise<void> {
  const { secrets, ...others } = definition ?? { secrets: [] };
  const text = definition === undefined ? null : JSON.stringify({ ...others, ...(secrets.length > 0 && { secret: secrets }) });
  rows.inserts.later(
    webhooksTable,
    [
      { name: 'key', type: 'string' },
      { name: 'definition', type: 'text' },
      { name: 'since', type: 'reference' },
      { name: 'created_at', type: 'datetime' },
    ],
    [key, text, await lastEventId(rows), now],
  );
  rows.inserts.flush();
}

export async function changeWebhook(
  key: string,
  { since, goneAt }: { readonly since: number; readonly goneAt: number | null },
  rows: Rows,
): Promise<void> {
  const changes = sql`since = ${sql.stored(since, 'reference')}, gone_at = ${sql.stored(goneAt, 'datetime')}`;
  await rows.run(sql`UPDATE ${table} SET ${changes} WHERE ${sql.id('key')} = ${key}`);
}

export async function forgetWebhook(key: string, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE ${sql.id('key')} = ${key}`);
}
