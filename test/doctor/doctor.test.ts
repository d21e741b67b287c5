/** `lectern doctor`, on the small Strapi project in `site/`. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import type { DoctorFinding } from '../../src/doctor/findings.ts';
import type { Sketch } from '../../src/doctor/replacement/sketch-book.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { loadProjectModel } from '../../src/model/load/load-project-model.ts';
import { run } from '../support/server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';

const site = fileURLToPath(new URL('site/', import.meta.url));
const dir = useTemporaryFolder();

/** The site with a database as Strapi leaves it: a webhook, and a provider that is switched on. */
beforeAll(async () => {
  cpSync(site, dir, { recursive: true });
  writeFileSync(join(dir, '.env'), 'API_TOKEN_SALT=salt-of-the-test\nJWT_SECRET=secret-of-the-test\n');
  for (const folder of ['.tmp', 'src/api/note/services']) mkdirSync(join(dir, folder));
  writeFileSync(join(dir, 'src/api/note/services/note.js'), 'export default () => {\n  unfinished(\n');
  const loaded = loadConfig({ dir, environment: {}, overrides: {} });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const database = await openDatabase(loaded.config.database, { create: true, statementTime: 0 });
  await prepareDatabase(database, await loadProjectModel(loaded.config), { migrate: 'auto', dir });
  await database.write(async (connection) => {
    for (const statement of [
      'CREATE TABLE strapi_database_schema (id integer PRIMARY KEY, "schema" text, time datetime, hash varchar(255))',
      'CREATE TABLE strapi_webhooks (id integer PRIMARY KEY, name varchar(255), url text, headers text, events text, enabled boolean)',
      `INSERT INTO strapi_webhooks (name, url, headers, events, enabled) VALUES ('rebuild', 'https://ci.example', '{}', '[]', 1), ('old', 'https://ci.example', '{}', '[]', 0)`,
      `INSERT INTO strapi_core_store_settings (key, value, type) VALUES ('plugin_users-permissions_grant', '{"email":{"enabled":true},"github":{"enabled":true},"discord":{"enabled":false}}', 'object')`,
      `INSERT INTO strapi_api_tokens (name, type, access_key) VALUES ('site', 'read-only', 'x')`,
    ])
      await connection.query(statement, []);
  });
  await database.close();
});

const doctor = (...options: readonly string[]) => run(['doctor', '--dir', dir, ...options]);
async function report(): Promise<{
  readonly exitCode: number;
  readonly write: object;
  readonly findings: readonly DoctorFinding[];
  readonly sketches: readonly Sketch[];
}> {
  return JSON.parse((await doctor('--json')).stdout);
}

it('prints what is served, honoured, not served, and to be decided', async () => {
  const { status, stdout, stderr } = await doctor();
  expect(stderr).toBe('');
  expect(status).toBe(1);
  await expect(stdout).toMatchFileSnapshot('expected.txt');
});

it('what it proposes is accepted, and decides', async () => {
  const { write } = await report();
  writeFileSync(join(dir, 'lectern.config.json'), JSON.stringify(write));
  const { status, stderr } = await run(['check', '--dir', dir]);
  const after = await report();
  rmSync(join(dir, 'lectern.config.json'));
  expect(status, stderr).toBe(0);
  expect(after.write).toEqual({});
  // `routes` and `populate` cannot decide about a computed value.
  expect(after.findings.filter(({ group, kind }) => group === 'decide' && kind !== 'config')).toEqual([]);
});

it('sketches files that load, replace code and serve nothing by themselves', async () => {
  const { stdout } = await doctor('--sketches');
  await expect(stdout.slice(stdout.indexOf('SKETCHES'))).toMatchFileSnapshot('sketches.txt');
  const before = await report();
  expect(stdout).toContain(before.sketches.map(({ file, text }) => `--- ${file}\n${text}`).join('\n'));
  for (const { file, text } of before.sketches.filter(({ file }) => file.startsWith('lectern/'))) writeFiles(dir, { [file]: text });
  const { stdout: checked } = await run(['check', '--dir', dir]);
  const after = await report();
  rmSync(join(dir, 'lectern'), { recursive: true });
  expect(checked).toContain('Code:          hooks of 2 content types, 2 endpoints\n');
  const of = (kind: string) => after.findings.filter((each) => each.kind === kind);
  expect(of('lifecycles').map(({ group, treatment, isOpen }) => ({ group, treatment, isOpen }))).toEqual(
    Array(2).fill({ group: 'honoured', treatment: 'replaced', isOpen: false }),
  );
  expect(of('ownRoute').map(({ subject }) => subject)).toEqual(['GET /content/articles/slug/:slug']);
});

it('proposes no populate where code sets several, or under another condition', async () => {
  const routes = join(dir, 'src/api/article/routes/article.js');
  const middlewares = join(dir, 'src/api/article/middlewares');
  const before = readFileSync(routes, 'utf8');
  const find = "find: { middlewares: ['api::article.default-populate'] },";
  const proposed = async () => JSON.parse((await doctor('--json')).stdout).write as { routes: Record<string, string>; populate: object };
  writeFileSync(
    join(middlewares, 'other.js'),
    "export default () => (ctx, next) => {\n  ctx.query.populate = ['tags'];\n  return next();\n};\n",
  );
  writeFileSync(routes, before.replace(find, `${find}\n    findOne: { middlewares: ['api::article.other'] },`));
  const several = await proposed();
  const conditional = "export default () => (ctx, next) => {\n  if (ctx.state.user) ctx.query.populate = '*';\n  return next();\n};\n";
  writeFileSync(join(middlewares, 'other.js'), conditional);
  writeFileSync(routes, before.replace('api::article.default-populate', 'api::article.other'));
  const underCondition = await proposed();
  rmSync(join(middlewares, 'other.js'));
  writeFileSync(routes, before);
  for (const { populate } of [several, underCondition]) expect(Object.keys(populate)).toEqual(['api::page.page']);
  expect(several.routes).toMatchObject({ 'api::article.article.find': 'refuse', 'api::article.article.findOne': 'refuse' });
  expect(underCondition.routes).toMatchObject({ 'api::article.article.find': 'refuse' });
});

it('a file of the project can neither stop it nor reach the terminal', async () => {
  const hostile = join(dir, 'src/api/note/routes/note.js');
  const before = readFileSync(hostile, 'utf8');
  writeFileSync(hostile, before.replace('auth: false', "policies: ['\u009b31m\u202eevil']"));
  const terms = Array.from({ length: 20_000 }, (_, index) => index).join(' + ');
  writeFileSync(join(dir, 'src/long.js'), `strapi.documents.use((context) => ${terms});\n`);
  writeFileSync(join(dir, 'src/large.js'), 'x'.repeat(3 * 1024 * 1024));
  symlinkSync('..', join(dir, 'src/loop'));
  symlinkSync('/', join(dir, 'src/outside'));
  const [text, json] = await Promise.all([doctor(), doctor('--json')]);
  for (const name of ['loop', 'outside', 'long.js', 'large.js']) rmSync(join(dir, 'src', name));
  writeFileSync(hostile, before);
  expect([text.status, json.status, text.stderr, json.stderr]).toEqual([1, 1, '', '']);
  for (const { stdout } of [text, json]) expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  const { findings } = JSON.parse(json.stdout) as { findings: readonly DoctorFinding[] };
  expect(findings.flatMap(({ code }) => code.flatMap(({ name }) => name ?? []))).toContain('\u009b31m\u202eevil');
  const unreadable = findings.filter(({ kind }) => kind === 'unreadable').map(({ subject, what }) => `${subject}: ${what}`);
  expect(unreadable).toEqual(['large.js', 'long.js', 'link that leads out'].map((text) => expect.stringContaining(text)));
});
