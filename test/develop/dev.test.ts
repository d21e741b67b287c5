/** `lectern dev`: reloads while requests arrive. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type DevServer, startDev } from '../support/dev-server.ts';
import { anyEngine } from '../support/engines.ts';
import { listen } from '../support/listen.ts';
import { makeProject, type Project, projectOfTest } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { changeIn } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { hasTerminal, startOnTerminal } from '../support/terminal.ts';

const file = 'src/api/note/content-types/note/schema.json';
const string = { type: 'string' };
const note = (attributes: object): string => JSON.stringify(schemaFiles({ note: { attributes: attributes as never } })[file], null, 2);
const rights = (actions: readonly string[]) => JSON.stringify({ roles: { public: { rights: { note: actions } } } });

/** Sends requests on connections that stay open, one after the other on each, until `stop`, which returns what went wrong. */
function keepSending(base: string, paths: readonly string[], connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const failures: string[] = [];
  let sent = 0;
  let running = true;
  const one = (path: string) =>
    new Promise<void>((done) => {
      const fail = (reason: string) => {
        failures.push(`${path}: ${reason}`);
        done();
      };
      const call = request(base + path, { agent }, (response) => {
        response.on('error', (error) => fail(error.message));
        let body = '';
        response.on('data', (bytes) => {
          body += bytes;
        });
        response.on('end', () => (response.statusCode === 200 ? done() : fail(body)));
      });
      call.on('error', (error) => fail(error.message));
      call.end();
      sent += 1;
    });
  const loops = Array.from({ length: connections }, async (_, at) => {
    for (let count = at; running; count += 1) {
      await one(paths[count % paths.length] ?? '/');
      await pause(10);
    }
  });
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
      agent.destroy();
      return { sent, failures };
    },
  };
}

describe.each(anyEngine)('%s: lectern dev', (engine) => {
  let project: Project;
  let server: DevServer;
  beforeAll(async () => {
    project = await makeProject(engine, { [file]: note({ title: string }), 'permissions.json': rights(['find', 'create']) });
    server = await startDev(project.dir, { ...project.env, LECTERN_LOG_LEVEL: 'info' });
    await server.send({ method: 'POST', path: '/api/notes', body: { data: { title: 'kept' } } });
  });
  afterAll(async () => {
    if (server?.alive()) await server.stop();
    await project?.remove();
  });
  const attributes = async () => Object.keys(JSON.parse((await server.get('/api/notes')).text).data[0]);

  it('fails no request while a schema file is changed, broken and mended', async () => {
    const requests = keepSending(server.base, ['/api/notes', '/api/notes?sort=title', '/api/notes?fields=title'], 6);
    const changed = await server.change({ [file]: note({ title: string, body: { type: 'text' } }) }, /Reloaded in \d+ ms/);
    expect(changed).toContain(`Changed: ${file}\n`);
    expect(changed).toContain('ALTER TABLE "notes" ADD COLUMN "body"');
    expect(await attributes()).toContain('body');

    const broken = await server.change({ [file]: '{\n  "info": {\n}' }, 'still served');
    expect(broken).toMatch(new RegExp(`Not reloaded: ${file}.*\\b3\\b.*\\b2\\b`));
    expect(await attributes()).toContain('body');

    await server.change({ [file]: note({ title: string, body: { type: 'text' }, stars: { type: 'integer' } }) }, /Reloaded in/);
    expect(await attributes()).toContain('stars');
    const { sent, failures } = await requests.stop();
    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThan(50);
  });

  it('writes one line for each request, with its query, status and time', async () => {
    const before = server.output.stderr.length;
    await server.get('/api/notes?filters%5Btitle%5D=kept');
    await server.get('/api/none');
    await expect
      .poll(() => server.output.stderr.slice(before))
      .toMatch(
        /(?:^|\n)\d\d:\d\d:\d\d GET \/api\/notes\?filters\[title\]=kept 200 [\d.]+ ms\n\d\d:\d\d:\d\d GET \/api\/none 404 [\d.]+ ms\n$/,
      );
    expect(server.output.stderr).not.toContain('\u001b');
  });

  it('brings changed rights to the database, and names a mistake with its position', async () => {
    expect((await server.send({ method: 'POST', path: '/api/notes', body: { data: { title: 'b' } } })).status).toBe(201);
    await server.change({ 'permissions.json': rights(['find']) }, /Reloaded in/);
    expect((await server.send({ method: 'POST', path: '/api/notes', body: { data: { title: 'b' } } })).status).toBe(403);
    expect(await server.change({ 'permissions.json': '{ "roles": }' }, 'still served')).toContain('permissions.json:1:12 is not JSON');
    await server.change({ 'permissions.json': rights(['find', 'create']) }, /Reloaded in/);
  });

  it('tells of a mistake in the rights without the migration, which has to wait', async () => {
    const schema = readFileSync(join(project.dir, file), 'utf8');
    const wrong = { [file]: note({ title: string, extra: string }), 'permissions.json': rights(['fnd']) };
    const told = await server.change(wrong, 'still served');
    expect(told).toContain('permissions.json: ');
    expect(told).not.toContain('extra');
    await server.change({ [file]: schema, 'permissions.json': rights(['find', 'create']) }, /Reloaded in/);
  });

  it('takes settings that appear, and files that an editor replaces', async () => {
    await server.change({ '.env': 'LECTERN_API_DEFAULT_LIMIT=1\n' }, /Reloaded in/);
    const page = async () => JSON.parse((await server.get('/api/notes')).text).meta.pagination.pageSize;
    expect(await page()).toBe(1);
    writeFileSync(join(project.dir, '.env~'), 'LECTERN_API_DEFAULT_LIMIT=2\n');
    const before = server.output.stderr.length;
    renameSync(join(project.dir, '.env~'), join(project.dir, '.env'));
    await expect.poll(() => server.output.stderr.slice(before), { timeout: 20_000 }).toMatch(/Reloaded in/);
    expect(await page()).toBe(2);
  });

  it('names the command for what it does not do by itself, and goes on serving', async () => {
    const schema = readFileSync(join(project.dir, file), 'utf8');
    const renamed = await server.change({ [file]: schema.replace('"title"', '"headline"') }, /Reloaded in/);
    expect(renamed).toContain('--rename api::note.note.title=headline');
    expect((await server.get('/api/notes')).status).toBe(200);
    const moved = await server.change({ [file]: schema.replace('"collectionName": "notes"', '"collectionName": "memos"') }, 'still served');
    expect(moved).toContain('--rename api::note.note=api::note.note');
    expect((await server.get('/api/notes')).status).toBe(200);
    await server.change({ [file]: schema }, /Reloaded in/);
  });

  it.skipIf(!hasTerminal)('waits for the first correct files, and asks on a terminal before it renames or sets aside', async () => {
    const asking = await makeProject(engine, { [file]: '{', 'permissions.json': rights(['find', 'create']) });
    const dev = startOnTerminal(['dev', '--dir', asking.dir, '--port', '0', '--host', '127.0.0.1'], asking.env);
    const shows = (text: string | RegExp, from: number) =>
      expect
        .poll(() => dev.shown().slice(from), { timeout: 30_000, interval: 100 })
        .toMatch(text instanceof RegExp ? text : new RegExp(text));
    await shows('Nothing is served until a file is corrected\\.', 0);
    writeFileSync(join(asking.dir, file), note({ title: string, body: string }));
    await shows(/http:\/\/127\.0\.0\.1:\d+/, 0);
    const base = /http:\/\/127\.0\.0\.1:\d+/.exec(dev.shown())?.[0] ?? '';
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ data: { title: 'kept', body: 'long' } });
    expect((await fetch(`${base}/api/notes`, { method: 'POST', headers, body })).status).toBe(201);
    const only = async () => ((await (await fetch(`${base}/api/notes`)).json()) as { data: Record<string, unknown>[] }).data[0];
    const change = async (attributes: object, question: string, key: string) => {
      const before = dev.shown().length;
      writeFileSync(join(asking.dir, file), note(attributes));
      await shows(question, before);
      const asked = dev.shown().length;
      dev.type(key);
      await shows(/Reloaded in/, asked);
    };
    const requests = keepSending(base, ['/api/notes', '/api/notes?sort=id'], 4);
    await change({ headline: string, body: string }, 'Rename it, with its values\\?', 'y');
    expect(await only()).toMatchObject({ headline: 'kept', body: 'long' });
    await change({ headline: string }, 'Set it aside under another name\\?', 'n');
    expect(await only()).not.toHaveProperty('body');
    await change({ headline: string, body: string }, '', '');
    expect(await only()).toMatchObject({ body: 'long' });
    const { sent, failures } = await requests.stop();
    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThan(50);
    dev.type('\u0003');
    expect(await dev.ended).toBe(0);
    await asking.remove();
  });

  it('serves a changed type as its column is, until another process has migrated the column', async () => {
    const changed = await projectOfTest(engine, { [file]: note({ title: string }), 'permissions.json': rights(['find', 'create']) });
    const types = join(changed.dir, 'types.ts');
    const dev = await startDev(changed.dir, changed.env, ['--types', types]);
    onTestFinished(dev.stop);
    const integers = { [file]: note({ title: { type: 'integer' } }) };
    expect(await dev.change(integers, /Reloaded in/)).toContain('api::note.note.title is served as string, not as integer: ');
    expect(readFileSync(types, 'utf8')).toContain('  title: string | null;');
    const create = (title: unknown) => dev.send({ method: 'POST', path: '/api/notes', body: { data: { title } } });
    expect((await create('5')).status).toBe(201);
    const migrated = await run(['migrate', 'apply', '--allow-destructive', '--dir', changed.dir], changed.env);
    expect(migrated).toMatchObject({ status: 0 });
    await expect.poll(() => dev.output.stderr, { timeout: 20_000 }).toMatch(/Changed: the database\n.*Reloaded in/s);
    expect(readFileSync(types, 'utf8')).toContain('  title: number | null;');
    expect((await create(6)).status).toBe(201);
    expect(JSON.parse((await dev.get('/api/notes?sort=title')).text).data).toMatchObject([{ title: 5 }, { title: 6 }]);
  });

  it('ends with 1 when the port is taken, and names another', async () => {
    const other = createServer();
    const port = await listen(other);
    onTestFinished(() => void other.close());
    const taken = await projectOfTest(engine, { [file]: note({ title: string }) });
    const ended = await run(['dev', '--dir', taken.dir, '--port', String(port), '--host', '127.0.0.1'], taken.env);
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining(`Port ${port} is in use by another process`) });
  });

  it('ends at once when it is stopped during a reload', async () => {
    await server.change({ [file]: note({ title: string, other: string }) }, 'Changed:');
    const started = performance.now();
    await server.stop();
    expect(performance.now() - started).toBeLessThan(8000);
  });
});

describe.each(anyEngine)('%s: lectern dev beside Strapi', (engine) => {
  it('reloads when another process has migrated the database', async () => {
    const project = await projectOfTest(engine, { [file]: note({ title: string }), 'permissions.json': rights(['find', 'create']) });
    const migrate = () => run(['migrate', 'apply', '--dir', project.dir], project.env);
    expect(await migrate()).toMatchObject({ status: 0 });
    await changeIn(project, 'CREATE TABLE strapi_database_schema (id integer)');
    const server = await startDev(project.dir, project.env);
    onTestFinished(server.stop);
    const refused = await server.change({ [file]: note({ title: string, body: string }) }, 'still served');
    expect(refused).toContain('Start Strapi once with these schemas, or run `lectern migrate apply --dir ');
    expect(await migrate()).toMatchObject({ status: 0 });
    await expect.poll(() => server.output.stderr).toMatch(/Changed: the database\n.*Reloaded in/s);
    const body = { data: { title: 'a', body: 'b' } };
    expect((await server.send({ method: 'POST', path: '/api/notes', body })).status).toBe(201);
  }, 60_000);
});
