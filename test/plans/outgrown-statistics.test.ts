/** Statistics of SQLite are renewed when tables have outgrown them: while the server runs, and when it ends. */
import { describe, expect, it } from 'vitest';
import { Driver } from '../../src/dialects/sqlite-driver.ts';
import { engines } from '../support/engines.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { type Served, useProject } from '../support/served-project.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { useMade } from '../support/use-made.ts';
import { openExample } from './example.ts';
import { sqlitePlan } from './sqlite-plan.ts';

const grown = 6000;
const growth = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${grown})`;

describe.runIf(engines.includes('sqlite'))('statistics of a table that had a handful of rows', () => {
  const example = useMade(() => openExample('sqlite'));

  it('are renewed after many writes, for connections that are open as well', async () => {
    const rows = example().statements({ type: 'author', query: 'filters[articles][slug]=any' }).get('rows');
    if (rows === undefined) throw new Error('there is no statement for the rows');
    const { database } = example();
    await database.write(async (connection) => {
      await connection.query('ANALYZE', []);
      await connection.query(`INSERT INTO authors (document_id, name) ${growth} SELECT 'author' || n, 'Author ' || n FROM n`, []);
    });
    /** The connection plans again when it runs a statement and sees that the schema has changed. An explained statement is not run, and stays as it was
     *  prepared, so each look needs another text. */
    const startsFrom = async (look: number) => {
      await database.tables();
      return (await sqlitePlan(example(), { ...rows, text: `${rows.text} -- ${look}` }))[0];
    };
    expect(await startsFrom(1)).toBe('scan authors');
    await database.renewStatistics();
    expect(await startsFrom(2)).toBe('authors by rowid');
  });
});

const noteFiles = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });
const isStrapis = 'CREATE TABLE strapi_database_schema (id integer PRIMARY KEY, schema json, time datetime, hash varchar(255))';

/** Straight in the file, without what `Database` does. */
function inFile<T>({ project }: Pick<Served, 'project'>, work: (handle: InstanceType<typeof Driver>) => T): T {
  const handle = new Driver(project.file, { timeout: 5000 });
  try {
    return work(handle);
  } finally {
    handle.close();
  }
}
const grow = (served: Served) =>
  inFile(served, (handle) => handle.exec(`INSERT INTO notes (document_id, title) ${growth} SELECT 'note' || n, 'Note ' || n FROM n`));

const writeNote = (server: RunningServer, { authorization }: Served) =>
  server.send({ method: 'POST', path: '/api/notes', headers: authorization('full'), body: { data: { title: 'New' } } });

/** The number of rows that the statistics know; undefined without statistics. */
const knownRows = (served: Served): number | undefined =>
  inFile(served, (handle) => {
    if (handle.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'").get() === undefined) return undefined;
    const stat = handle.prepare<[], string>("SELECT stat FROM sqlite_stat1 WHERE tbl = 'notes' LIMIT 1").pluck(true).get();
    return stat === undefined ? undefined : Number.parseInt(stat, 10);
  });

describe.runIf(engines.includes('sqlite'))('statistics when a server ends', () => {
  describe('of a database that Lectern made', () => {
    const served = useProject('sqlite', { files: noteFiles });
    const again = () => startServer(served.project.dir, served.environment);

    it('are collected, and later renewed', async () => {
      await served.server.stop();
      expect(knownRows(served)).toBeUndefined();
      for (const rows of [1, 1 + grown]) {
        const server = await again();
        await writeNote(server, served);
        if (rows > 1) grow(served);
        await server.stop();
        expect(knownRows(served)).toBeGreaterThanOrEqual(rows);
      }
    });

    it('stay as they are when it only read', async () => {
      inFile(served, (handle) => handle.exec("UPDATE sqlite_stat1 SET stat = '7 1' WHERE tbl = 'notes'"));
      const server = await again();
      expect((await server.get('/api/notes', served.authorization('full'))).status).toBe(200);
      await server.stop();
      expect(knownRows(served)).toBe(7);
    });

    it('stay as they are, and the end is not delayed, while another program writes', async () => {
      const server = await again();
      await writeNote(server, served);
      const handle = new Driver(served.project.file);
      handle.exec('BEGIN IMMEDIATE');
      const since = performance.now();
      await server.stop();
      expect(performance.now() - since).toBeLessThan(4000);
      handle.exec('ROLLBACK');
      handle.close();
      expect(knownRows(served)).toBe(7);
    });
  });

  describe('of a database that Strapi made', () => {
    const served = useProject('sqlite', {
      files: noteFiles,
      prepare: ({ file }) => {
        const handle = new Driver(file);
        // Those of the support's own connection.
        handle.exec('DROP TABLE IF EXISTS sqlite_stat1');
        handle.exec(isStrapis);
        handle.close();
      },
    });

    it('are not collected unasked', async () => {
      await served.write('POST', '/api/notes', { title: 'New' });
      await served.server.stop();
      expect(knownRows(served)).toBeUndefined();
    });

    it('are renewed when somebody has run ANALYZE', async () => {
      inFile(served, (handle) => handle.exec('ANALYZE'));
      grow(served);
      const server = await startServer(served.project.dir, served.environment);
      await writeNote(server, served);
      await server.stop();
      expect(knownRows(served)).toBeGreaterThan(grown);
    });
  });
});
