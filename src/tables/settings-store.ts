/** Reads and writes the settings of Strapi's plugins: rows with a key and a JSON text. */
import type { Connection } from '../dialects/dialect.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { settingsTable } from './system-tables.ts';

const table = sql.id(settingsTable);

/** The parsed value; undefined if there is no such setting. */
export async function readSetting(connection: Connection, key: string): Promise<unknown> {
  const [row] = await run(connection, sql`SELECT value FROM ${table} WHERE key = ${key}`);
  return settingOf(row?.[0]);
}

/** Reads the column `value` of a setting. */
export const settingOf = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : undefined);

/** Updates the setting, or inserts it. */
export async function writeSetting(connection: Connection, key: string, value: string | object): Promise<void> {
  const text = JSON.stringify(value);
  const changed = await run(connection, sql`UPDATE ${table} SET value = ${text} WHERE key = ${key} RETURNING id`);
  if (changed.length > 0) return;
  await run(connection, sql`INSERT INTO ${table} (key, value, type) VALUES (${key}, ${text}, ${typeof value})`);
}
