/** Reads and writes the settings of Strapi's plugins: rows with a key and a JSON text. */
import type { Connection } from '../dialects/database.ts';
import { run, send } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { settingsTable } from './system-tables.ts';

const table = sql.id(settingsTable);
const isKey = (key: string): Sql => sql`${sql.id('key')} = ${key}`;

/** The parsed value; undefined if there is no such setting. */
export async function readSetting(connection: Connection, key: string): Promise<unknown> {
  const [row] = await run(connection, sql`SELECT value FROM ${table} WHERE ${isKey(key)}`);
  return settingOf(row?.[0]);
}

/** Reads the column `value` of a setting. */
export const settingOf = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : undefined);

/** Updates the setting, or inserts it. */
export async function writeSetting(connection: Connection, key: string, value: string | object): Promise<void> {
  const text = JSON.stringify(value);
  const [present] = await run(connection, sql`SELECT id FROM ${table} WHERE ${isKey(key)}${sql.rowLock}`);
  if (present !== undefined) {
    send(connection, sql`UPDATE ${table} SET value = ${text} WHERE ${isKey(key)}`);
    return;
  }
  await run(connection, sql`INSERT INTO ${table} (${sql.id('key')}, value, type) VALUES (${key}, ${text}, ${typeof value})`);
}
