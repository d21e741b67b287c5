/** What a write still has to do after SQLite has rolled its transaction back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Connection } from './database.ts';
import { openSqliteDatabase } from './sqlite-connection.ts';

it('is refused, and not committed by itself', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-sqlite-'));
  const database = openSqliteDatabase(join(dir, 'data.db'), { create: true });
  await database.write((connection) => connection.query('CREATE TABLE rows (value TEXT)', []));
  const rows = () => database.read((connection) => connection.query('SELECT count(*) FROM rows', []));
  const insert = (connection: Connection, text: string) => connection.query('INSERT INTO rows VALUES (?)', [text]);
  const full = database.write(async (connection) => {
    insert(connection, 'first');
    connection.query('PRAGMA max_page_count = 3', []);
    const failed = new Promise((resolve) => resolve(insert(connection, 'x'.repeat(100_000))));
    // A part of the same write that runs beside the one that fails.
    const beside = failed.catch(() => insert(connection, 'orphan'));
    await Promise.all([failed, beside]);
  });
  await expect(full).rejects.toThrow('full');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await rows()).toEqual([[0]]);
  await database.write((connection) => connection.query('PRAGMA max_page_count = 1000', []));
  await database.write((connection) => insert(connection, 'next'));
  expect(await rows()).toEqual([[1]]);
  await database.close();
  rmSync(dir, { recursive: true });
});
