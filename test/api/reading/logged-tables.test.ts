/** Versions by table on PostgreSQL (`database.tableVersions`): what is cached survives writes to other tables and other databases, whoever makes them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, engines, type TestDatabase } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { type OwnPool, poolOf } from '../../support/own-pool.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { idOf, type Json, useProject } from '../../support/served-project.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

const files = schemaFiles({
  note: { attributes: { title: { type: 'string' }, topic: relation('manyToOne', 'topic', { inversedBy: 'notes' }) } },
  topic: { attributes: { name: { type: 'string' }, notes: relation('oneToMany', 'note', { mappedBy: 'topic' }) } },
  remark: { attributes: { text: { type: 'string' } } },
});
const find = ['note', 'topic', 'remark'].flatMap((type) => ['find', 'findOne'].map((action) => `api::${type}.${type}.${action}`));
const isHit = ({ headers }: HttpResponse) => String(headers['server-timing']).includes('cache;desc=hit');
const remark = `/api/remarks/${idOf('remark', 'r')}`;
const notes = '/api/notes?populate=topic&sort=title';
const firstNote = `/api/notes/${idOf('note', 'n1')}`;

describe.runIf(engines.includes('postgres'))('postgres: versions by table', () => {
  const engine = 'postgres';
  const served = useProject(engine, {
    files,
    types: [
      { type: 'api::topic.topic', documents: ['sea', 'sky'].map((key) => ({ key, status: 'published' as const, data: { name: key } })) },
      {
        type: 'api::note.note',
        documents: ['n1', 'n2', 'n3'].map((key) => ({ key, status: 'published' as const, data: { title: key, topic: 'sea' } })),
      },
      { type: 'api::remark.remark', documents: [{ key: 'r', status: 'published', data: { text: 'none' } }] },
    ],
    public: find,
    env: { LECTERN_DATABASE_TABLE_VERSIONS: 'true' },
  });
  let reader: RunningServer;
  let pool: OwnPool;
  let elsewhere: TestDatabase;
  let other: OwnPool;
  beforeAll(async () => {
    reader = await startServer(served.project.dir, served.environment);
    pool = poolOf(served.project.database);
    elsewhere = await createDatabase(engine);
    other = poolOf(elsewhere);
    await other.query('CREATE TABLE counted (n integer)');
  });
  afterAll(async () => {
    await reader?.stop();
    await pool?.end();
    await other?.end();
    await elsewhere?.drop();
  });

  const get = (path: string) => reader.get(path);
  /** Requests until the response is cached. Where its tables have the version of everything, other tests on the same server prevent it for a while. */
  const cached = async (path: string) => {
    for (let tried = 0; tried < 100; tried++) if (isHit(await get(path))) return;
    throw new Error(`${path} is not cached`);
  };
  const titles = (response: HttpResponse) => (response.json() as { data: readonly Json[] }).data.map(({ title }) => title);
  const setTitle = (title: string) => pool.query(`UPDATE notes SET title = $1 WHERE title LIKE 'n1%'`, [title]);

  it('leaves responses cached while another type is written, by another server or a program', async () => {
    for (let time = 0; time < 5; time++) {
      await cached(notes);
      await served.write('PUT', remark, { text: `text ${time}` });
      expect(isHit(await get(notes))).toBe(true);
      await pool.query('UPDATE remarks SET text = $1', [`behind ${time}`]);
      expect(isHit(await get(notes))).toBe(true);
      const response = await get(remark);
      expect([isHit(response), response.text.includes(`behind ${time}`)]).toEqual([false, true]);
    }
  });

  it('leaves responses cached while other databases of the server are written', async () => {
    for (let time = 0; time < 5; time++) {
      await cached(notes);
      await other.query('INSERT INTO counted VALUES (1)');
      expect(isHit(await get(notes))).toBe(true);
    }
  });

  it('leaves the ids and totals of lists known while other types are written', async () => {
    const totalOf = (response: HttpResponse) => (response.json() as { meta: { pagination: { total: number } } }).meta.pagination.total;
    let known = 0;
    // Other tests commit on the same server at any time: a page is found anew if they do while it is read.
    for (let tried = 0; tried < 30 && known === 0; tried++) {
      await cached(notes);
      // Nobody can learn of the new note: its row in the log is removed in the same transaction. The topics make the response invalid.
      await pool.together([
        "INSERT INTO notes (document_id, title, published_at) VALUES ('hidden', 'n0', now())",
        'DELETE FROM lectern_table_writes WHERE xid = pg_current_xact_id()',
        'UPDATE topics SET name = name',
      ]);
      const response = await get(notes);
      expect(isHit(response)).toBe(false);
      if (totalOf(response) === 3) known++;
      await pool.query("DELETE FROM notes WHERE document_id = 'hidden'");
      expect(totalOf(await get(notes))).toBe(3);
    }
    expect(known).toBe(1);
  });

  it.each<readonly [string, () => Promise<unknown>, (response: HttpResponse) => unknown, unknown]>([
    ['another server', () => served.write('PUT', firstNote, { title: 'n1 by a server' }), titles, ['n1 by a server', 'n2', 'n3']],
    ['a statement', () => setTitle('n1 by hand'), titles, ['n1 by hand', 'n2', 'n3']],
    [
      'a session without triggers',
      () => pool.together(['SET LOCAL session_replication_role = replica', "UPDATE notes SET title = 'n1 replica' WHERE title LIKE 'n1%'"]),
      titles,
      ['n1 replica', 'n2', 'n3'],
    ],
    [
      'a savepoint, after one that was rolled back',
      () =>
        pool.together([
          'SAVEPOINT one',
          "UPDATE notes SET title = 'n1 lost' WHERE title LIKE 'n1%'",
          'ROLLBACK TO one',
          "UPDATE notes SET title = 'n1 kept' WHERE title LIKE 'n1%'",
        ]),
      titles,
      ['n1 kept', 'n2', 'n3'],
    ],
    [
      'a savepoint that was released before one that was rolled back',
      () =>
        pool.together([
          'SAVEPOINT one',
          "UPDATE notes SET title = 'n1 released' WHERE title LIKE 'n1%'",
          'RELEASE one',
          'SAVEPOINT two',
          "UPDATE notes SET title = 'n1 lost' WHERE title LIKE 'n1%'",
          'ROLLBACK TO two',
        ]),
      titles,
      ['n1 released', 'n2', 'n3'],
    ],
    [
      'a table that is written anew',
      () => pool.query("ALTER TABLE notes ALTER COLUMN title TYPE varchar(200) USING replace(title, 'released', 'anew')"),
      titles,
      ['n1 anew', 'n2', 'n3'],
    ],
    [
      'a trigger that was off meanwhile',
      () =>
        pool.together([
          'ALTER TABLE notes DISABLE TRIGGER lectern_log_write',
          "UPDATE notes SET title = 'n1 meanwhile' WHERE title LIKE 'n1%'",
          'ALTER TABLE notes ENABLE ALWAYS TRIGGER lectern_log_write',
        ]),
      titles,
      ['n1 meanwhile', 'n2', 'n3'],
    ],
    [
      'a deletion whose links go by a cascade',
      () => pool.query("DELETE FROM topics WHERE name = 'sea'"),
      (response) => (response.json() as { data: readonly Json[] }).data.map(({ topic }) => topic),
      [null, null, null],
    ],
    ['a table that is emptied', () => pool.query('TRUNCATE notes CASCADE'), titles, []],
  ])('shows what was written by %s', async (_, write, shown, expected) => {
    await cached(notes);
    await write();
    const response = await get(notes);
    expect([isHit(response), shown(response)]).toEqual([false, expected]);
    await cached(notes);
  });

  it('shows what a long transaction wrote when it is committed, and what others write meanwhile', async () => {
    await cached(remark);
    const commit = await pool.begun("UPDATE remarks SET text = 'after long'");
    await get(notes);
    for (let time = 0; time < 3; time++) {
      await pool.query(`INSERT INTO topics (document_id, name, published_at) VALUES ('long${time}', 'long ${time}', now())`);
      expect((await get('/api/topics')).text).toContain(`long ${time}`);
      expect(isHit(await get(remark))).toBe(true);
    }
    await commit();
    expect((await get(remark)).text).toContain('after long');
  });

  it.each([
    ['no right', '', 'SELECT, UPDATE, DELETE'],
    ['SELECT', 'SELECT', 'UPDATE, DELETE'],
    ['all rights', 'SELECT, UPDATE, DELETE', undefined],
  ])('a server whose role has %s to the log starts and says what it lacks', async (_, given, lacking) => {
    const role = `lectern_logged_tables_${process.pid}`;
    await pool.together([
      `CREATE ROLE ${role} LOGIN`,
      `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
      `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
      `REVOKE ALL ON lectern_table_writes FROM ${role}`,
      ...(given === '' ? [] : [`GRANT ${given} ON lectern_table_writes TO ${role}`]),
    ]);
    try {
      const url = new URL(served.project.database.url ?? '');
      url.username = role;
      const limited = await startServer(served.project.dir, { ...served.environment, DATABASE_URL: url.href, LECTERN_MIGRATE: 'never' });
      try {
        expect((await limited.get(notes)).status).toBe(200);
        const said = /`GRANT .*`/.exec(limited.output.stderr)?.[0];
        expect(said).toBe(lacking && `\`GRANT ${lacking} ON "public"."lectern_table_writes" TO "${role}"\``);
      } finally {
        await limited.stop();
      }
    } finally {
      await pool.together([`DROP OWNED BY ${role}`, `DROP ROLE ${role}`]);
    }
  });

  it('uses the version of everything for a table without its trigger, and says so once', async () => {
    await cached(notes);
    await cached(remark);
    await pool.query('DROP TRIGGER lectern_log_write ON remarks');
    for (let time = 0; time < 3; time++) {
      await pool.query('UPDATE remarks SET text = $1', [`unlogged ${time}`]);
      expect((await get(remark)).text).toContain(`unlogged ${time}`);
      await cached(remark);
      await other.query('INSERT INTO counted VALUES (1)');
      expect(isHit(await get(remark))).toBe(false);
      expect(isHit(await get(notes))).toBe(true);
    }
    const said = reader.output.stderr.split('\n').filter((line) => line.includes('no longer logged'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('["remarks"]');
  });

  it('forgets what is cached when the log does not go back far enough', async () => {
    await cached(notes);
    await pool.query(
      "UPDATE lectern_table_writes SET cleared_before = (pg_snapshot_xmax(pg_current_snapshot())::text::int8 + 1)::text::xid8 WHERE xid = '0'",
    );
    expect(isHit(await get(notes))).toBe(false);
    await pool.query("UPDATE lectern_table_writes SET cleared_before = '0' WHERE xid = '0'");
    await get(notes);
    await cached(notes);
  });

  it('uses the version of everything when the log is gone', async () => {
    await cached(notes);
    await pool.together(['DROP FUNCTION lectern_log_write() CASCADE', 'DROP TABLE lectern_table_writes']);
    for (let time = 0; time < 3; time++) {
      await pool.query(`INSERT INTO notes (document_id, title, published_at) VALUES ('gone${time}', 'gone ${time}', now())`);
      expect((await get(notes)).text).toContain(`gone ${time}`);
      await cached(notes);
    }
  });
});
