/** docs/editing.md without Strapi: the files that the page makes, and the tables that Strapi's first start has added, leave Lectern as it was. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { Driver } from '../../src/dialects/sqlite-driver.ts';
import { root } from '../support/packed.ts';
import { run, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = readFileSync(join(root, 'docs/editing.md'), 'utf8');
const [setUp = '', install = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
const strapiStart = readFileSync(join(root, 'test/docs/strapi-start.sql'), 'utf8');

it('a project with the files of the page, on a database that Strapi has started on, is served as before', {
  timeout: 120_000,
}, async () => {
  const dir = join(temporaryFolder(), 'site');
  const made = await run(['init', dir, '--template', 'blog', '--yes']);
  expect(made).toMatchObject({ status: 0 });
  const headers = { authorization: `Bearer ${made.stdout.trim()}` };

  expect(spawnSync('bash', ['-ec', setUp], { cwd: dir, encoding: 'utf8' })).toMatchObject({ status: 0 });
  const secrets = parseEnv(readFileSync(join(dir, '.env'), 'utf8'));
  for (const name of ['APP_KEYS', 'ADMIN_JWT_SECRET', 'TRANSFER_TOKEN_SALT', 'ENCRYPTION_KEY', 'JWT_SECRET', 'API_TOKEN_SALT'])
    expect(secrets[name]?.length, name).toBeGreaterThan(40);
  expect(statSync(join(dir, '.env')).mode & 0o777).toBe(0o600);
  // As `npm install` writes them.
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const dependencies = Object.fromEntries([...install.matchAll(/ (@?[\w/-]+)@([\d.]+)/g)].map(([, name, version]) => [name, version]));
  expect(Object.keys(dependencies)).toContain('@strapi/strapi');
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...manifest, dependencies }));

  const database = new Driver(join(dir, '.tmp/data.db'));
  const schema = () => database.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all();
  const ours = schema();
  database.exec(strapiStart);
  expect(schema()).toEqual(expect.arrayContaining(ours));
  expect(schema().length).toBeGreaterThan(ours.length + 50);
  database.close();

  const checked = await run(['check', '--dir', dir]);
  expect(checked).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('profile specification') });
  expect(checked.stdout).toContain('No problems found');
  expect(await run(['migrate', 'plan', '--dir', dir])).toMatchObject({ status: 0, stdout: expect.stringContaining('Nothing to do') });
  const server = await startServer(dir);
  try {
    expect(server.output.stderr).not.toContain('Warning');
    const body = { data: { title: 'A walk', slug: 'a-walk' } };
    expect((await server.send({ method: 'POST', path: '/api/articles', headers, body })).status).toBe(201);
    expect(JSON.parse((await server.get('/api/articles')).text).data).toMatchObject([{ slug: 'a-walk' }]);
  } finally {
    await server.stop();
  }

  // What was added to the schema files is Strapi's to add, or `lectern migrate apply`'s.
  expect(await run(['make', 'type', 'event', 'title:string!', '--dir', dir])).toMatchObject({ status: 0 });
  await expect(startServer(dir)).rejects.toThrow(
    /no table "events".*Start Strapi once with these schemas, or run `lectern migrate apply --dir /s,
  );
  expect(await run(['migrate', 'apply', '--dir', dir])).toMatchObject({ status: 0 });
  await (await startServer(dir)).stop();
});
