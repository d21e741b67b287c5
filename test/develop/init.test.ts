/** `lectern init` as it is typed: processes without a terminal. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, engines } from '../support/engines.ts';
import { run, runProcess, serverOfTest } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const entries = (dir: string) => readdirSync(dir).sort();
const secretsOf = (dir: string) => parseEnv(readFileSync(join(dir, '.env'), 'utf8'));

describe('lectern init', () => {
  it.each([
    ['blog', '/api/articles', { title: 'A walk', slug: 'a-walk' }],
    ['shop', '/api/products', { name: 'Lamp', slug: 'lamp', variants: [{ name: 'small', sku: 'L-1', price: 9.5 }] }],
  ])('makes a project %s that is served, open to readers, and written with the printed token', async (template, path, data) => {
    const dir = join(temporaryFolder(), 'new/site');
    const made = await run(['init', dir, '--template', template, '--yes']);
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[0-9a-f]{256}\n$/) });
    expect(made.stderr).toContain('shown only this once');
    expect(entries(dir)).toEqual([
      ...['.env', '.gitignore', '.tmp', 'README.md', 'lectern.config.json', 'package.json', 'permissions.json', 'src'],
    ]);
    expect(await run(['check', '--dir', dir])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('nothing is missing'),
    });
    const { roles } = JSON.parse(readFileSync(join(dir, 'permissions.json'), 'utf8'));
    expect(roles.authenticated).toEqual(roles.public);
    expect(roles.administrator.rights).toEqual({ ...roles.editor.rights, 'lectern::management': ['access'] });
    // What `npm install` links into `node_modules`, where the schema files expect it.
    const { dependencies } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
    expect(dependencies.lectern).toMatch(/^file:/);
    const linked = resolve(dir, dependencies.lectern.slice('file:'.length));
    const schema = 'src/api/category/content-types/category/schema.json';
    const { $schema } = JSON.parse(readFileSync(join(dir, schema), 'utf8'));
    expect(relative(join(dir, 'node_modules/lectern'), resolve(dir, dirname(schema), $schema))).toBe('schema/content-type.json');
    expect(existsSync(join(linked, 'schema/content-type.json'))).toBe(true);
    expect(made.stderr).toMatch(/^ +cd \S+\/site +#.*\n +npm install +#.*\n +npx lectern dev +#/m);
    const server = await serverOfTest(dir);
    expect(server.output.stdout).toContain('profile specification: set by lectern.config.json');
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    const written = await server.send({ method: 'POST', path, headers, body: { data } });
    expect(written).toMatchObject({ status: 201 });
    expect(JSON.parse((await server.get(path)).text).data).toMatchObject([{ slug: data.slug }]);
    expect((await server.send({ method: 'POST', path, body: { data } })).status).toBe(403);
    if (template === 'shop') expect((await server.get('/api/orders')).status).toBe(403);
  });

  it('makes secrets that only their owner may read, and new ones each time', async () => {
    const folder = temporaryFolder();
    for (const name of ['a', 'b'])
      expect(await run(['init', join(folder, name), '--template', 'empty', '--yes'])).toMatchObject({ status: 0 });
    expect(statSync(join(folder, 'a/.env')).mode & 0o777).toBe(0o600);
    const [a, b] = [secretsOf(join(folder, 'a')), secretsOf(join(folder, 'b'))];
    for (const name of ['JWT_SECRET', 'API_TOKEN_SALT']) {
      expect(a[name]?.length).toBeGreaterThan(40);
      expect(a[name]).not.toBe(b[name]);
    }
    expect(a.JWT_SECRET).not.toBe(a.API_TOKEN_SALT);
    expect(readFileSync(join(folder, 'a/.gitignore'), 'utf8').split('\n')).toContain('.env');
  });

  it('asks nothing without a terminal, and takes the profile that is named, in an empty folder with a new repository', async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, '.git'));
    expect(await run(['init', dir, '--profile', 'strapi'])).toMatchObject({ status: 0 });
    expect(JSON.parse(readFileSync(join(dir, 'lectern.config.json'), 'utf8')).profile).toBe('strapi');
    expect(await run(['init', '--yes'])).toMatchObject({ status: 2, stderr: expect.stringContaining('Name the folder') });
  });

  it('takes the database of the project, whatever the shell names', async () => {
    const folder = temporaryFolder();
    const env = { DATABASE_CLIENT: 'postgres', DATABASE_URL: 'postgres://127.0.0.1:1/none', DATABASE_FILENAME: join(folder, 'other.db') };
    expect(await run(['init', join(folder, 'site'), '--yes'], env)).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, 'site/.tmp/data.db'))).toBe(true);
    expect(entries(folder)).toEqual(['site']);
  });

  const servers = engines.filter((engine) => engine !== 'sqlite');
  it.runIf(servers.length > 0).each(servers)('fills an empty database of a server, and no other one: %s', async (engine) => {
    const database = await createDatabase(engine);
    onTestFinished(() => database.drop());
    const url = database.url ?? '';
    const folder = temporaryFolder();
    const made = await run(['init', join(folder, 'site'), '--database', url, '--yes']);
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[0-9a-f]{256}\n$/) });
    expect(entries(join(folder, 'site'))).not.toContain('.tmp');
    expect(secretsOf(join(folder, 'site'))).toMatchObject({ DATABASE_CLIENT: database.env.DATABASE_CLIENT, DATABASE_URL: url });
    expect(statSync(join(folder, 'site/.env')).mode & 0o777).toBe(0o600);
    const server = await serverOfTest(join(folder, 'site'));
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    const body = { data: { title: 'A walk', slug: 'a-walk' } };
    expect(await server.send({ method: 'POST', path: '/api/articles', headers, body })).toMatchObject({ status: 201 });

    const second = await run(['init', join(folder, 'second'), '--database', url, '--template', 'shop', '--yes']);
    expect(second).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/it has tables already \(.*npx lectern migrate apply/s),
    });
    const absent = await run(['init', join(folder, 'third'), '--database', `${url}_absent`, '--yes']);
    expect(absent).toMatchObject({ status: 0, stdout: '' });
    expect(absent.stderr).toMatch(
      /\/third\/\.env names is not ready: .*_absent.*(?:admin --.* create|createdb) .*_absent.* # makes.*npx lectern token create /s,
    );
    expect(absent.stderr).not.toContain(new URL(url).password || 'no password');
  });

  it.each([
    ['postgre', '"postgre" is of no known database server: name sqlite, postgres or mysql, or a URL such as'],
    ['oracle://me:hidden@db/site', 'this URL is of no known database server'],
    ['postgres://me:hidden@db', 'the URL names no database'],
  ])('refuses the database %s, without its password', async (database, says) => {
    const folder = temporaryFolder();
    const made = await run(['init', join(folder, 'site'), '--database', database, '--yes']);
    expect(made).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    expect(made.stderr).not.toContain('hidden');
    expect(entries(folder)).toEqual([]);
  });

  it.each([
    ['a folder with files', 'full', 'is not empty (notes.txt)'],
    ['a file', 'full/notes.txt', 'is a file'],
    ['a folder below a file', 'full/notes.txt/site', 'is a file, or lies below one'],
  ])('refuses %s and leaves it as it is', async (_, name, says) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full/notes.txt'), 'mine');
    expect(await run(['init', join(folder, name), '--yes'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(says),
    });
    expect(entries(join(folder, 'full'))).toEqual(['notes.txt']);
  });

  it.each([
    ['a new folder', 'new/site', ['.git']],
    ['an empty folder', '.', ['.git']],
  ])('leaves nothing behind when a file cannot be written: %s', async (_, name, left) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.git'));
    // The shell limits the size of files to some kilobytes: enough for the schema files, not for the database.
    const made = await runProcess(['init', join(folder, name), '--yes'], {}, ['/bin/sh', '-c', 'ulimit -f 60; exec "$0" "$@"']);
    expect(made).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('limits the size of files. Nothing was left behind.'),
    });
    expect(entries(folder)).toEqual(left);
  });
});
