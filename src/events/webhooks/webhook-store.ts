/** Where webhooks come from: the configuration, `lectern webhook add`, and Strapi's table. */
import { readWebhook, type WebhookConfig } from '../../config/webhooks.ts';
import type { Rows } from '../../sql/rows.ts';
import { sql } from '../../sql/sql.ts';
import { eventsTable, webhooksTable } from '../../tables/system-tables.ts';
import { isObject, parsedObject } from '../../text/json.ts';
import { type EventName, eventNames, type Webhook } from './webhook.ts';

export const strapiTable = 'strapi_webhooks';
const table = sql.id(webhooksTable);

export const configuredWebhooks = (list: readonly WebhookConfig[]): readonly Webhook[] =>
  list.map((webhook) => ({ ...webhook, key: `config:${webhook.name}` }));

/** Those of `lectern webhook add`. */
export async function ownWebhooks(rows: Rows): Promise<readonly Webhook[]> {
  const found = await rows.run(sql`SELECT ${sql.id('key')}, definition FROM ${table} WHERE definition IS NOT NULL ORDER BY id`);
  return found.flatMap(([key, definition]) => {
    const problems: string[] = [];
    const webhook = readWebhook(parsedObject(definition), String(key), problems);
    // Written by another version of Lectern.
    return problems.length > 0 ? [] : { ...webhook, key: String(key) };
  });
}

/** Those of Strapi's panel that are enabled. Strapi reads entries with all rights, without private attributes. */
export async function strapiWebhooks(rows: Rows): Promise<readonly Webhook[]> {
  const columns = sql.join([sql`id, name, url`, sql.read(sql`headers`, 'json'), sql.read(sql`events`, 'json')]);
  const isEnabled = sql`enabled = ${sql.value(true, 'boolean')}`;
  const found = await rows.run(sql`SELECT ${columns} FROM ${sql.id(strapiTable)} WHERE ${isEnabled} ORDER BY id`);
  return found.map(([id, name, url, headers, events]) => ({
    ...{ key: `strapi:${Number(id)}`, name: String(name), url: String(url), types: undefined, secrets: [] },
    ...{ payload: 'entry', as: 'full-access', query: 'populate=*' },
    headers: textsIn(parsedJson(headers)),
    events: namesIn(parsedJson(events)),
  }));
}

const parsedJson = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
};

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {};

const namesIn = (value: unknown): readonly EventName[] =>
  Array.isArray(value) ? value.flatMap((name) => eventNames.get(String(name)) ?? []) : [];

/** Since which event each webhook is known: the id of the last one before. */
export async function knownSince(rows: Rows): Promise<ReadonlyMap<string, number>> {
  const found = await rows.run(sql`SELECT ${sql.id('key')}, since FROM ${table}`);
  return new Map(found.map(([key, since]) => [String(key), Number(since)]));
}

/** Notes that a webhook is known from now on. Earlier events are not sent to it. */
export async function noteWebhook(key: string, definition: WebhookConfig | undefined, now: number, rows: Rows): Promise<void> {
  const [last] = await rows.run(sql`SELECT max(id) FROM ${sql.id(eventsTable)}`);
  const { secrets, ...others } = definition ?? { secrets: [] };
  rows.inserts.later(
    webhooksTable,
    [
      { name: 'key', type: 'string' },
      { name: 'definition', type: 'text' },
      { name: 'since', type: 'reference' },
      { name: 'created_at', type: 'datetime' },
    ],
    [
      key,
      definition === undefined ? null : JSON.stringify({ ...others, ...(secrets.length > 0 && { secret: secrets }) }),
      Number(last?.[0] ?? 0),
      now,
    ],
  );
  rows.inserts.flush();
}

export async function forgetWebhook(key: string, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE ${sql.id('key')} = ${key}`);
}
