/** A server, its writing thread and a foreign program on one file: equal versions, equal rows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { openSqliteDatabase } from './sqlite-connection.ts';
import { Driver } from './sqlite-driver.ts';
import type { OwnCommit } from './sqlite-writes.ts';
import type { Changed } from './transaction-changes.ts';

const tables = ['pages', 'links', 'notes'] as const;
const later = () => new Promise((resolve) => setImmediate(resolve));

describe.each(['wal', 'delete'])('versions of tables (journal_mode %s)', (mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-versions-'));
  const filename = join(folder, 'data.db');
  let [server, writer]: Database[] = [];
  const foreign = new Driver(filename);
  /** Messages of the writing thread arrive in their order, at some later time. */
  let messages = Promise.resolve<unknown>(undefined);
  const send = <T>(receive: () => T): Promise<T> => {
    const arrived = messages.then(later).then(receive);
    messages = arrived;
    return arrived;
  };

  beforeAll(() => {
    foreign.pragma(`journal_mode = ${mode}`);
    foreign.pragma('foreign_keys = ON');
    foreign.exec(`
      CREATE TABLE pages (id integer PRIMARY KEY, count integer);
      CREATE TABLE links (id integer PRIMARY KEY, page_id integer REFERENCES pages (id) ON DELETE CASCADE);
      CREATE TABLE notes (id integer PRIMARY KEY, count integer);
    `);
    const committed = (_: Changed, commit?: OwnCommit) => void send(() => server?.writer?.noteCommit(commit));
    writer = openSqliteDatabase(filename, { create: false, committed });
    server = openSqliteDatabase(filename, {
      create: false,
      askWriter: () => {
        // The thread answers between two transactions.
        const seen = messages.then(later).then(() => writer?.writer?.state());
        messages = seen;
        return seen;
      },
    });
  });
  afterAll(async () => {
    await server?.close();
    await writer?.close();
    foreign.close();
    rmSync(folder, { recursive: true });
  });

  const writes = {
    pages: 'INSERT INTO pages (count) VALUES (1)',
    links: 'INSERT INTO links (page_id) SELECT max(id) FROM pages',
    notes: 'INSERT INTO notes (count) VALUES (1)',
    gone: 'DELETE FROM pages WHERE id = (SELECT max(id) FROM pages)',
  };
  const by = {
    server: (text: string) => server?.write((connection) => connection.query(text, [])),
    writer: (text: string) => writer?.write((connection) => connection.query(text, [])),
    foreign: (text: string) => foreign.prepare(text).run(),
  };
  const rowsOf = (table: string) => JSON.stringify(foreign.prepare(`SELECT * FROM ${table}`).raw().all());
  const versions = async () => {
    const version = await server?.dataVersion();
    if (version === undefined) throw new Error('the version is unknown');
    return Object.fromEntries(tables.map((table) => [table, version.of([table])]));
  };

  it('own writes change those of their tables, and nothing else', async () => {
    // Each of the two connections has to see the other one at least once.
    await by.writer(writes.pages);
    await versions();
    await by.server(writes.pages);
    await versions();
    for (const who of ['writer', 'server', 'writer', 'writer', 'server'] as const) {
      await later();
      await messages;
      const before = await versions();
      await by[who](writes.notes);
      const after = await versions();
      expect([who, after.pages, after.links]).toEqual([who, before.pages, before.links]);
      expect([who, after.notes]).not.toEqual([who, before.notes]);
      await by[who](writes.gone);
      const last = await versions();
      expect([who, last.notes]).toEqual([who, after.notes]);
      expect(last.pages).not.toBe(after.pages);
      expect(last.links).not.toBe(after.links);
      await by[who](writes.pages);
    }
  });

  it('any write of others changes those of all tables', async () => {
    const before = await versions();
    by.foreign(writes.notes);
    const after = await versions();
    for (const table of tables) expect(after[table]).not.toBe(before[table]);
  });

  it('equal versions mean equal rows, whoever writes what in whatever order', { timeout: 60_000 }, async () => {
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const rows = new Map<string, string>();
    let kept = 0;
    for (let step = 0; step < 300; step++) {
      const who = (['server', 'writer', 'writer', 'foreign'] as const)[random(random(4) === 0 ? 4 : 3)] ?? 'server';
      const what = writes[(['pages', 'links', 'notes', 'gone'] as const)[random(4)] ?? 'pages'];
      const before = random(3) === 0 ? undefined : await versions();
      const written = by[who](what);
      if (random(2) === 0) await written;
      const version = await versions();
      await written;
      if (before !== undefined) kept += tables.filter((table) => before[table] === version[table]).length;
      // The version is from between the call and now, so it is compared when nothing is under way.
      const now = await versions();
      for (const table of tables) {
        const key = `${table} ${now[table]}`;
        const present = rowsOf(table);
        expect(rows.get(key) ?? present).toBe(present);
        rows.set(key, present);
      }
    }
    expect(kept).toBeGreaterThan(150);
  });
});
