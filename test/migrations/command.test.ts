/** `lectern migrate` as it is typed, on projects of Lectern's and on the recorded Strapi project, on every engine. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../src/cli/cli.ts';
import type { DatabaseConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { recordedProject } from '../compatibility/recordings.ts';
import { createDatabase, type EngineName, engines, speaksMysql } from '../support/engines.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const undoes = (engine: EngineName) => !speaksMysql(engine);

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Makes the database that the commands find. */
async function makeDatabase(engine: EngineName): Promise<void> {
  const made = await createDatabase(engine);
  onTestFinished(made.drop);
  for (const [name, value] of Object.entries(made.env)) vi.stubEnv(name, value);
}

async function lectern(...args: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    });
  }
  const exitCode = await runCommand(args);
  vi.restoreAllMocks();
  return { exitCode, ...written };
}

const configOf = (dir: string): DatabaseConfig => {
  const loaded = loadConfig({ dir, environment: process.env, overrides: {} });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded.config.database;
};

async function query(dir: string, text: string) {
  const database = await openDatabase(configOf(dir), { create: false, statementTime: 60_000 });
  try {
    return await database.write((connection) => connection.query(text, []));
  } finally {
    await database.close();
  }
}

async function tablesOf(dir: string) {
  const database = await openDatabase(configOf(dir), { create: false, statementTime: 60_000 });
  try {
    return await database.tables();
  } finally {
    await database.close();
  }
}

type Json = Record<string, unknown>;

function write(dir: string, path: string, content: Json): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), JSON.stringify(content));
}

/** Changes the attributes in a schema file. */
function change(dir: string, path: string, change: (attributes: Record<string, Json>) => Record<string, Json>): void {
  const schema = JSON.parse(readFileSync(join(dir, path), 'utf8'));
  write(dir, path, { ...schema, attributes: change(schema.attributes) });
}

const noteFile = 'src/api/note/content-types/note/schema.json';
const note = (attributes: Json): Json => ({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes,
});
const string = { type: 'string' };

describe.each(engines)('lectern migrate on %s', (engine) => {
  describe('a project of its own', () => {
    async function project(attributes: Json): Promise<string> {
      const dir = temporaryFolder();
      await makeDatabase(engine);
      write(dir, noteFile, note(attributes));
      return dir;
    }

    it('plans a missing database, creates it, and then has nothing to do', async () => {
      const dir = await project({ title: string });
      const planned = await lectern('migrate', 'plan', '--dir', dir);
      expect(planned).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('CREATE TABLE "notes"') });
      expect(await lectern('migrate', 'apply', '--dir', dir)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^Created a new database: \d+ tables\.\n$/),
      });
      expect(await lectern('migrate', 'plan', '--dir', dir)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('Nothing to do'),
      });
      expect(await lectern('migrate', 'apply', '--dir', dir)).toMatchObject({ exitCode: 0, stdout: 'There was nothing to do.\n' });
    });

    it('shows three groups, does not carry out what is not allowed, and accepts the given renames', async () => {
      const dir = await project({ title: string, pages: string, body: { type: 'text' } });
      await lectern('migrate', 'apply', '--dir', dir);
      await query(dir, "INSERT INTO notes (title, pages, body) VALUES ('a', '12', 'b'), ('c', 'many', 'd')");
      write(dir, noteFile, note({ headline: string, pages: { type: 'integer' }, stars: { type: 'integer' } }));

      const planned = await lectern('migrate', 'plan', '--dir', dir);
      expect(planned.exitCode).toBe(3);
      expect(planned.stdout).toMatch(/^To add:\n[\s\S]*\nNo longer needed, [\s\S]*\nThese look like renames\./);
      expect(planned.stdout).toContain(`$ lectern migrate apply --dir ${dir} --rename api::note.note.title=headline\n`);

      const added = await lectern('migrate', 'apply', '--dir', dir);
      expect(added.stdout).toContain('Added: 2 columns, 1 index.');
      expect(added.stdout).toContain('--allow-destructive was not given:\n  the column "title" of "notes"\n');

      const done = await lectern('migrate', 'apply', '--dir', dir, '--allow-destructive', '--rename', 'api::note.note.title=headline');
      expect(done.stdout).toContain('The attribute "title" of api::note.note becomes "headline".');
      expect(done.stdout).toMatch(
        /1 value of "notes"."pages" was converted; 1 value could not be converted, and is only in "pages_old_\d{8}"\./,
      );
      expect(await query(dir, 'SELECT headline, pages FROM notes ORDER BY id')).toEqual([
        ['a', 12],
        ['c', null],
      ]);
      expect((await lectern('migrate', 'plan', '--dir', dir)).exitCode).toBe(0);
    });

    it('gives the same as JSON', async () => {
      const dir = await project({ title: string });
      await lectern('migrate', 'apply', '--dir', dir);
      await query(dir, "INSERT INTO notes (title) VALUES ('a'), ('b')");
      write(dir, noteFile, note({ headline: { ...string, required: true } }));
      const { exitCode, stdout } = await lectern('migrate', 'plan', '--json', '--dir', dir);
      expect(exitCode).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({
        nothingToDo: false,
        renames: [],
        additions: [
          'ALTER TABLE "notes" ADD COLUMN "headline" varchar(255);',
          'CREATE INDEX "lectern_notes_headline_searched" ON "notes" ("headline", "id");',
        ],
        destructive: {
          allowed: false,
          steps: [
            {
              kind: 'column',
              table: 'notes',
              column: 'title',
              statements: expect.arrayContaining([expect.stringContaining('RENAME COLUMN'), expect.stringContaining('_searched')]),
            },
          ],
        },
        offeredRenames: [
          { rename: 'api::note.note.title=headline', command: expect.stringContaining('--rename api::note.note.title=headline') },
        ],
        notes: [
          'api::note.note.headline is required; rows without a value: 2, before `--rename api::note.note.title=headline` fills them.',
        ],
      });
    });

    it('ends with 3 while the entries are in a table with the former name, and names the next command', async () => {
      const dir = await project({ title: string });
      await lectern('migrate', 'apply', '--dir', dir);
      await query(dir, "INSERT INTO notes (title) VALUES ('a')");
      write(dir, noteFile, { ...note({ title: string }), collectionName: 'memos' });
      const rename = `lectern migrate apply --dir ${dir} --rename api::note.note=api::note.note`;
      const left = await lectern('migrate', 'apply', '--dir', dir);
      expect(left).toMatchObject({ exitCode: 3, stdout: expect.stringContaining(`The server does not start yet.\nThe table "notes"`) });
      expect(left.stdout).toContain(`Run \`${rename}\``);
      expect(await lectern(...rename.split(' ').slice(1))).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('--rename') });
      expect(await query(dir, 'SELECT title FROM memos')).toEqual([['a']]);
    });

    it('offers no rename of a table or column that it has set aside', async () => {
      const dir = await project({ title: string });
      await lectern('migrate', 'apply', '--dir', dir);
      write(dir, noteFile, note({ headline: string }));
      expect(await lectern('migrate', 'apply', '--dir', dir, '--allow-destructive')).toMatchObject({
        exitCode: 0,
        stdout: expect.not.stringContaining('--rename'),
      });
    });

    it('says which step the database refused, and what was changed', async () => {
      const dir = await project({ title: string });
      await lectern('migrate', 'apply', '--dir', dir);
      await query(dir, 'CREATE VIEW notes_similar_lnk AS SELECT 1 AS one');
      const before = await tablesOf(dir);
      write(dir, noteFile, note({ headline: string, similar: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' } }));
      const refused = await lectern('migrate', 'apply', '--dir', dir, '--rename', 'api::note.note.title=headline');
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toMatch(/refused a step: .*notes_similar_lnk[\s\S]*CREATE TABLE[\s\S]*/);
      expect(refused.stderr).toContain(undoes(engine) ? 'Nothing was changed.' : 'the next run continues with this step.');
      if (undoes(engine)) expect(await tablesOf(dir)).toEqual(before);
    });

    it('refuses an invalid rename', async () => {
      const dir = await project({ title: string });
      await lectern('migrate', 'apply', '--dir', dir);
      const refused = await lectern('migrate', 'apply', '--dir', dir, '--rename', 'api::note.note.title=headline');
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nothing can be renamed now.') });
    });
  });

  describe('a Strapi project', () => {
    const article = 'src/api/article/content-types/article/schema.json';
    async function project(): Promise<string> {
      const made = await recordedProject(engine);
      onTestFinished(made.remove);
      for (const [name, value] of Object.entries(made.env)) vi.stubEnv(name, value);
      return made.dir;
    }
    const planOf = async (dir: string) => JSON.parse((await lectern('migrate', 'plan', '--json', '--dir', dir)).stdout);

    it('lacks nothing but tables of Lectern’s, and nothing in it is called unneeded', async () => {
      const dir = await project();
      const planned = await planOf(dir);
      expect(planned.additions).toEqual([
        expect.stringContaining('lectern_idempotency_keys'),
        expect.stringContaining('lectern_role_rules'),
        expect.stringContaining('lectern_identities'),
        expect.stringContaining('lectern_sign_in_codes'),
        expect.stringContaining('lectern_idempotency_keys'),
        expect.stringContaining('lectern_role_rules'),
        expect.stringContaining('lectern_identities'),
        expect.stringContaining('lectern_identities'),
        expect.stringContaining('lectern_sign_in_codes'),
      ]);
      expect(planned).toMatchObject({ destructive: { steps: [] }, offeredRenames: [] });
      await lectern('migrate', 'apply', '--dir', dir);
      expect((await lectern('migrate', 'plan', '--dir', dir)).exitCode).toBe(0);
      expect((await tablesOf(dir)).map(({ name }) => name)).not.toContain('lectern_schema');
    });

    it('keeps tables and columns that the schema files have lost, and says what Strapi would do', async () => {
      const dir = await project();
      const [[articles]] = (await query(dir, 'SELECT count(summary) FROM articles')) as [[number]];
      change(dir, article, ({ summary: _, title = {}, rating: __, ...others }) => ({ ...others, headline: title, rating: string }));
      rmSync(join(dir, 'src/api/emptypage'), { recursive: true });
      rmSync(join(dir, 'src/api/sink'), { recursive: true });
      const planned = await planOf(dir);
      const steps: Json[] = planned.destructive.steps;
      expect(steps.map(({ kind, table, column }) => [kind, table, column])).toEqual([
        ['column', 'articles', 'title'],
        ['column', 'articles', 'summary'],
        ['type', 'articles', 'rating'],
        ['table', 'emptypages', undefined],
        ['table', 'sinks', undefined],
      ]);
      for (const { remark } of steps) expect(remark).toMatch(/^Strapi (drops|changes)/);
      expect(planned.offeredRenames.map(({ rename }: Json) => rename)).toContain('api::article.article.title=headline');

      await lectern('migrate', 'apply', '--dir', dir, '--allow-destructive', '--rename', 'api::article.article.title=headline');
      const [step] = steps.filter(({ column }) => column === 'summary');
      expect(await query(dir, `SELECT count(${step?.keptAs}) FROM articles`)).toEqual([[articles]]);
      expect(await query(dir, 'SELECT count(*) FROM articles WHERE headline IS NULL')).toEqual([[0]]);
      expect((await lectern('migrate', 'plan', '--dir', dir)).exitCode).toBe(0);
    });

    it('gets drafts once: Strapi’s record says that they exist', async () => {
      const dir = await project();
      const category = 'src/api/category/content-types/category/schema.json';
      write(dir, category, { ...JSON.parse(readFileSync(join(dir, category), 'utf8')), options: { draftAndPublish: true } });
      const options = async (): Promise<Record<string, { options: Json }>> => {
        const [[value] = []] = await query(
          dir,
          "SELECT value FROM strapi_core_store_settings WHERE strapi_core_store_settings.key = 'strapi_content_types_schema'",
        );
        return JSON.parse(String(value));
      };
      const types = await options();
      const applied = await lectern('migrate', 'apply', '--dir', dir);
      expect(applied).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('8 published entries without a draft get one') });
      expect(await query(dir, 'SELECT count(*) FROM categories')).toEqual([[16]]);
      const known = types['api::category.category'];
      expect(await options()).toEqual({
        ...types,
        'api::category.category': { ...known, options: { ...known?.options, draftAndPublish: true } },
      });
      expect((await lectern('migrate', 'plan', '--dir', dir)).exitCode).toBe(0);
    });

    it('may have a type renamed', async () => {
      const dir = await project();
      const links = await query(dir, 'SELECT article_id, tag_id FROM articles_tags_lnk ORDER BY id');
      cpSync(join(dir, 'src/api/tag/content-types/tag'), join(dir, 'src/api/label/content-types/label'), { recursive: true });
      rmSync(join(dir, 'src/api/tag'), { recursive: true });
      for (const file of ['src/api/label/content-types/label/schema.json', article]) {
        const text = readFileSync(join(dir, file), 'utf8');
        writeFileSync(
          join(dir, file),
          text
            .replaceAll('api::tag.tag', 'api::label.label')
            .replace(/"tag(s?)"(?=,\n.*(?:info|pluralName|displayName))/g, '"label$1"')
            .replace('"pluralName": "tags"', '"pluralName": "labels"'),
        );
      }
      const rename = 'api::tag.tag=api::label.label';
      expect((await planOf(dir)).offeredRenames).toMatchObject([{ rename }]);
      expect(await lectern('migrate', 'apply', '--dir', dir, '--rename', rename)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await query(dir, 'SELECT article_id, label_id FROM articles_tags_lnk ORDER BY id')).toEqual(links);
      expect(await query(dir, "SELECT count(*) FROM up_permissions WHERE action LIKE 'api::tag.%'")).toEqual([[0]]);
      expect((await lectern('migrate', 'plan', '--dir', dir)).exitCode).toBe(0);
    });

    it('leaves tables of plugins and of others alone', async () => {
      const dir = await project();
      await query(dir, 'CREATE TABLE components_of_another_program (id integer)');
      rmSync(join(dir, 'src/api'), { recursive: true });
      rmSync(join(dir, 'src/components'), { recursive: true });
      write(dir, noteFile, note({}));
      const planned = await planOf(dir);
      const tables: string[] = planned.destructive.steps.map(({ table }: Json) => table);
      expect(tables).toEqual(
        expect.arrayContaining(['articles', 'articles_tags_lnk', 'articles_cmps', 'components_shared_seos', 'comments_attachments_mph']),
      );
      expect(tables.filter((name) => /^(strapi|admin|up|upload|i18n|files|notes|lectern)|another/.test(name))).toEqual([]);
      const applied = await lectern('migrate', 'apply', '--dir', dir, '--allow-destructive');
      // Strapi takes them away when it starts.
      expect(applied).toMatchObject({
        exitCode: 0,
        stderr: expect.stringMatching(/^Warning: there are rights to types and attributes that no schema file has/),
      });
      expect(await query(dir, "SELECT count(*) FROM up_permissions WHERE action = 'api::article.article.find'")).not.toEqual([[0]]);
      expect((await lectern('migrate', 'plan', '--dir', dir)).exitCode).toBe(0);
    });

    it('is not altered at the start', async () => {
      const dir = await project();
      change(dir, article, ({ title = {}, ...others }) => ({ ...others, headline: title }));
      const before = await tablesOf(dir);
      const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
      const database = await openDatabase(configOf(dir), { create: false, statementTime: 60_000 });
      const prepared = await prepareDatabase(database, loaded.model, { migrate: 'auto' });
      await database.close();
      expect(prepared).toMatchObject({ ok: false, origin: 'strapi', problems: [expect.stringContaining('"headline"')] });
      expect(await tablesOf(dir)).toEqual(before);
    });
  });
});
