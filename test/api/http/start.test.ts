/** Starting and stopping: what is wrong is said at once and in full, and an existing database is left as it is. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Driver as BetterSqlite3 } from '../../../src/dialects/sqlite-driver.ts';
import { recordedDatabase, recordedFiles, recordedProject, secrets as recordedSecrets, replayer } from '../../compatibility/recordings.ts';
import { engines } from '../../support/engines.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import { librarySchemas } from '../../support/library/schemas.ts';
import { listen } from '../../support/listen.ts';
import { startInProcess } from '../../support/own-process.ts';
import { makeProject, projectOfTest } from '../../support/project.ts';
import { changeIn } from '../../support/served-project.ts';
import { command, run, startProcess, startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

const schema = 'src/api/book/content-types/book/schema.json';
const simple = (attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: 'books',
  info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
  attributes,
  ...more,
});

describe('a project that cannot be served', () => {
  async function startOf(files: Readonly<Record<string, unknown>>, args: readonly string[] = []) {
    const project = await projectOfTest('sqlite', files);
    const finished = await run(['start', '--dir', project.dir, '--port', '0', '--host', '127.0.0.1', ...args]);
    expect(finished.status).toBe(1);
    expect(finished.stderr).not.toMatch(/\bat .*\.js:\d+/);
    return { output: finished.stderr, project };
  }

  it('gets all its errors at once, with file and position', async () => {
    const { output } = await startOf({
      [schema]: simple({ writer: { type: 'relation', relation: 'manyToOne', target: 'api::nobody.nobody' }, pages: { type: 'intger' } }),
      'src/api/film/content-types/film/schema.json': simple({ parts: { type: 'component', component: 'none.such' } }),
      'src/components/print/broken.json': '{\n  "attributes": {\n    "a": nonsense\n  }\n}',
    });
    for (const text of [
      schema,
      'attributes.writer.target',
      'api::nobody.nobody',
      'attributes.pages',
      'intger',
      'none.such',
      'broken.json',
      'books',
    ]) {
      expect(output).toContain(text);
    }
  });
  it('names an unknown key of the configuration and the nearest known one', async () => {
    const { output } = await startOf({ 'lectern.config.json': { api: { maxLimits: 5 } }, [schema]: simple({ title: { type: 'string' } }) });
    expect(output).toContain('maxLimits');
    expect(output).toContain('api.maxLimit');
  });
  it('has a mistake in its rights, and no database is created', async () => {
    const { output, project } = await startOf({ [schema]: simple({ title: { type: 'string' } }), 'permissions.json': { rols: {} } });
    expect(output).toContain('roles');
    expect(existsSync(join(project.dir, '.tmp'))).toBe(false);
  });
  it('has a port that is taken', async () => {
    const other = createServer();
    const port = await listen(other);
    onTestFinished(() => void other.close());
    const { output } = await startOf({ [schema]: simple({ title: { type: 'string' } }) }, ['--port', String(port)]);
    expect(output).toContain(String(port));
    expect(output).toContain('--port');
  });
});

/** All of 127.0.0.0/8 is this machine, on Linux without further set-up. */
const isReached = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host }, () => socket.destroy());
    socket.on('error', () => undefined).on('close', (hasFailed) => resolve(!hasFailed));
  });

describe.skipIf(process.platform !== 'linux')('a server listens on', () => {
  it.each([
    ['127.0.0.1 alone without a setting', {}, false],
    ['all IP addresses with HOST=0.0.0.0', { HOST: '0.0.0.0' }, true],
  ])('%s', async (_, env, isOpen) => {
    const project = await projectOfTest('sqlite', { [schema]: simple({ title: { type: 'string' } }) });
    const server = startInProcess(['start', '--dir', project.dir, '--port', '0'], { ...project.env, ...env });
    const line = await new Promise<string>((resolve, reject) => {
      server.onOutput(() => server.output.stdout.includes('\n') && resolve(server.output.stdout));
      server.ended.then(() => reject(new Error(server.output.stderr)), reject);
    });
    const port = Number(/^Lectern listens on http:\/\/[\w.]+:(\d+)/.exec(line)?.[1]);
    expect([await isReached(port, '127.0.0.1'), await isReached(port, '127.0.0.2')]).toEqual([true, isOpen]);
    // Who needs all of them is told how.
    expect(line.includes('HOST=0.0.0.0')).toBe(!isOpen);
    server.terminate();
    expect(await server.ended).toBe(0);
  });
});

describe.each(engines)('%s: a database', (engine) => {
  const project = useMade(() => makeProject(engine, librarySchemas));

  it('is not created with migrate: never', async () => {
    const { status, stderr } = await run(['start', '--dir', project().dir, '--port', '0'], { ...project().env, LECTERN_MIGRATE: 'never' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/migrate/i);
  });
  it('is created for a new project, private by default', async () => {
    const server = await startServer(project().dir, project().env);
    expect((await server.get('/api/books')).status).toBe(403);
    expect((await server.get('/_health')).status).toBe(204);
    await server.stop();
  });
  it('is used again at the next start; the process ends cleanly with connections open and requests under way', async () => {
    const server = await startProcess(project().dir, project().env);
    const requests = Array.from({ length: 50 }, () =>
      server.get('/api/books').then(
        (response) => response.status,
        () => 'refused',
      ),
    );
    await Promise.race(requests);
    await server.stop();
    for (const outcome of await Promise.all(requests)) expect([403, 503, 'refused']).toContain(outcome);
  });
  it('that Strapi made is left alone: what is missing is reported by its name', async () => {
    await changeIn(
      project(),
      'CREATE TABLE strapi_database_schema (id integer, schema text, time integer, hash text)',
      'ALTER TABLE loans RENAME TO elsewhere',
      'ALTER TABLE books RENAME COLUMN pages TO sheets',
    );
    const { status, stderr } = await run(['start', '--dir', project().dir, '--port', '0'], project().env);
    expect(status).toBe(1);
    for (const says of ['has no table "loans"', 'The table "books" has no column "pages"', 'migrate']) expect(stderr).toContain(says);
  });
});

describe('a database file that Strapi made', () => {
  const withoutCredentials = new Set(['public', 'badtoken', 'expired']);

  it('is the same byte for byte after it was read, and but for the time of their last use after it was read with tokens', async () => {
    const project = await recordedProject('sqlite');
    onTestFinished(() => project.remove());
    const hash = () => createHash('sha256').update(readFileSync(project.file)).digest('hex');
    const reads = recordedFiles('reads')
      .filter(({ file }) => /populate|filters-relations|auth-token/.test(file))
      .flatMap(({ cases }) => cases.filter(({ request }) => request.method === 'GET'))
      // Every fifth request is enough: which query is sent makes no difference to what a read could change.
      .filter((_, index) => index % 5 === 0);
    const readAs = async (counts: (as: string) => boolean) => {
      const server = await startServer(project.dir, { ...project.env, ...recordedSecrets, LECTERN_PROFILE: 'strapi' });
      const replay = replayer(server);
      for (const recorded of reads) if (counts(recorded.as)) await replay(recorded);
      await server.stop();
    };
    const before = hash();
    await readAs((as) => withoutCredentials.has(as));
    expect(hash()).toBe(before);
    // Signing in adds a session, which changes the database.
    await readAs((as) => as !== 'reader' && !withoutCredentials.has(as));
    await changeIn(project, 'UPDATE strapi_api_tokens SET last_used_at = NULL WHERE last_used_at IS NOT NULL');
    expect(contentOf(project.file)).toEqual(contentOf(recordedDatabase));
  });
});

/** As in a terminal, where Ctrl-C reaches all processes of a command. */
describe.runIf(engines.includes('sqlite') && process.platform !== 'win32')('Ctrl-C during the start', () => {
  it('is no unexpected error, whenever it comes', { timeout: 120_000 }, async () => {
    const project = await libraryProject('sqlite');
    onTestFinished(() => project.remove());
    for (let after = 150; after <= 600; after += 150) {
      const args = [command, 'start', '--dir', project.dir, '--port', '0', '--host', '127.0.0.1'];
      const started = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...project.env }, detached: true });
      let said = '';
      started.stderr.on('data', (text) => {
        said += String(text);
      });
      const ended = new Promise((resolve) => started.once('close', resolve));
      await new Promise((resolve) => setTimeout(resolve, after));
      process.kill(-Number(started.pid), 'SIGINT');
      await ended;
      expect(said, `after ${after} ms`).not.toContain('unexpected');
    }
  });
});

/** Every row of every table. */
function contentOf(file: string): Record<string, unknown> {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    const tables = database.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all();
    return Object.fromEntries(tables.map(({ name, sql }) => [name, { sql, rows: database.prepare(`SELECT * FROM "${name}"`).all() }]));
  } finally {
    database.close();
  }
}
