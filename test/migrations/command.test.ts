/** `lectern migrate` as it is typed, on projects of Lectern's and on the recorded Strapi project, on every engine. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordedProject } from '../compatibility/recordings.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { makeProject, type Project } from '../support/project.ts';
import { run } from '../support/server.ts';
import { withDatabase } from '../support/with-database.ts';
import { writeFiles } from '../support/write-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Json = Record<string, unknown>;

const noteFile = 'src/api/note/content-types/note/schema.json';
const note = (attributes: Json, collectionName = 'notes') => ({
  [noteFile]: {
    kind: 'collectionType',
    collectionName,
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  },
});
const string = { type: 'string' };

/** The commands and statements of a test, on its project. */
async function using(made: Promise<Project>) {
  const project = await made;
  onTestFinished(project.remove);
  const { dir, env } = project;
  const migrate = (...args: readonly string[]) => run(['migrate', ...args, '--dir', dir], env);
  return {
    dir,
    migrate,
    start: () => run(['start', '--dir', dir, '--port', '0', '--host', '127.0.0.1'], env),
    planned: async () => JSON.parse((await migrate('plan', '--json')).stdout),
    query: (text: string) => withDatabase(project, (database) => database.write((connection) => connection.query(text, []))),
    tables: () => withDatabase(project, (database) => database.tables()),
    write: (files: Readonly<Record<string, unknown>>) => writeFiles(dir, files),
    read: (file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8')),
  };
}

describe.each(engines)('lectern migrate on %s', (engine) => {
  describe('a project of its own', () => {
    it('is planned, created, and then has nothing to do; a rename is refused', async () => {
      const { migrate } = await using(makeProject(engine, note({ title: string })));
      expect(await migrate('plan')).toMatchObject({ status: 3, stdout: expect.stringContaining('CREATE TABLE "notes"') });
      expect(await migrate('apply')).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^Created a new database: \d+ tables\.\n$/),
      });
      expect(await migrate('plan')).toMatchObject({ status: 0, stdout: expect.stringContaining('Nothing to do') });
      expect(await migrate('apply')).toMatchObject({ status: 0, stdout: 'There was nothing to do.\n' });
      expect(await migrate('apply', '--rename', 'api::note.note.title=headline')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('Nothing can be renamed now.'),
      });
    });

    it('gets what is allowed: the plan has three groups, as text and as JSON', async () => {
      const project = await using(makeProject(engine, note({ title: string, pages: string, body: { type: 'text' } })));
      const { dir, migrate, query } = project;
      await migrate('apply');
      await query("INSERT INTO notes (title, pages, body) VALUES ('a', '12', 'b'), ('c', 'many', 'd')");
      project.write(note({ headline: { ...string, required: true }, pages: { type: 'integer' }, stars: { type: 'integer' } }));

      const rename = 'api::note.note.title=headline';
      const command = `lectern migrate apply --dir ${dir} --rename ${rename}`;
      const plan = await migrate('plan');
      expect(plan.status).toBe(3);
      expect(plan.stdout).toMatch(/^To add:\n[\s\S]*\nNo longer needed, [\s\S]*\nThese look like renames\./);
      expect(plan.stdout).toContain(`$ ${command}\n`);
      const json = await project.planned();
      expect(json).toMatchObject({
        nothingToDo: false,
        renames: [],
        additions: expect.arrayContaining([
          'ALTER TABLE "notes" ADD COLUMN "headline" varchar(255);',
          'CREATE INDEX "lectern_notes_headline_searched" ON "notes" ("headline", "id");',
        ]),
        destructive: { allowed: false },
        offeredRenames: [{ rename, command: expect.stringContaining(`--rename ${rename}`) }],
        notes: [`api::note.note.headline is required; rows without a value: 2, before \`--rename ${rename}\` fills them.`],
      });
      expect(json.destructive.steps).toContainEqual(
        expect.objectContaining({
          kind: 'column',
          table: 'notes',
          column: 'title',
          statements: expect.arrayContaining([expect.stringContaining('RENAME COLUMN'), expect.stringContaining('_searched')]),
        }),
      );

      const added = await migrate('apply');
      expect(added.stdout).toContain('Added: 2 columns, 1 index.');
      expect(added.stdout).toContain('--allow-destructive was not given:\n  the column "title" of "notes"\n');

      const done = await migrate('apply', '--allow-destructive', '--rename', rename);
      expect(done.stdout).toContain('The attribute "title" of api::note.note becomes "headline".');
      expect(done.stdout).toMatch(
        /1 value of "notes"."pages" was converted; 1 value could not be converted, and is only in "pages_old_\d{8}"\./,
      );
      expect(await query('SELECT headline, pages FROM notes ORDER BY id')).toEqual([
        ['a', 12],
        ['c', null],
      ]);
      expect((await migrate('plan')).status).toBe(0);
    });

    it('says what keeps it from being served, and which step the database refused', async () => {
      const { dir, migrate, query, tables, write } = await using(makeProject(engine, note({ title: string })));
      await migrate('apply');
      await query("INSERT INTO notes (title) VALUES ('a')");
      write(note({ title: string }, 'memos'));
      const rename = 'api::note.note=api::note.note';
      const left = await migrate('apply');
      expect(left).toMatchObject({ status: 3, stdout: expect.stringContaining(`The server does not start yet.\nThe table "notes"`) });
      expect(left.stdout).toContain(`Run \`lectern migrate apply --dir ${dir} --rename ${rename}\``);
      expect(await migrate('apply', '--rename', rename)).toMatchObject({ status: 0, stdout: expect.not.stringContaining('--rename') });
      expect(await query('SELECT title FROM memos')).toEqual([['a']]);

      // A column that is set aside is not offered as the former name of another.
      write(note({ headline: string }, 'memos'));
      const aside = await migrate('apply', '--allow-destructive');
      expect(aside).toMatchObject({ status: 0, stdout: expect.not.stringContaining('--rename') });

      await query('CREATE VIEW memos_similar_lnk AS SELECT 1 AS one');
      const before = await tables();
      write(note({ topic: string, similar: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' } }, 'memos'));
      const refused = await migrate('apply', '--rename', 'api::note.note.headline=topic');
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/refused a step: .*memos_similar_lnk[\s\S]*CREATE TABLE[\s\S]*/);
      const isUndone = !speaksMysql(engine);
      expect(refused.stderr).toContain(isUndone ? 'Nothing was changed.' : 'the next run continues with this step.');
      if (isUndone) expect(await tables()).toEqual(before);
    });
  });

  describe('a Strapi project', () => {
    const article = 'src/api/article/content-types/article/schema.json';
    const category = 'src/api/category/content-types/category/schema.json';

    it('is not altered at the start, and lacks nothing but tables of Lectern’s', async () => {
      const { migrate, planned, read, start, tables, write } = await using(recordedProject(engine));
      const before = await tables();
      const schema = read(article);
      const { title, ...others } = schema.attributes;
      write({ [article]: { ...schema, attributes: { ...others, headline: title } } });
      expect(await start()).toMatchObject({ status: 1, stderr: expect.stringContaining('"headline"') });
      expect(await tables()).toEqual(before);

      write({ [article]: schema });
      const plan = await planned();
      const additions: readonly string[] = plan.additions;
      expect(
        additions.map(
          (each) =>
            /lectern_(?:idempotency_keys|role_rules|awaited_links|locks|events|history|schedule|releases|release_entries|webhooks|deliveries|leases|identities|sign_in_codes)/.exec(
              each,
            )?.[0],
        ),
      ).toEqual([
        ...[
          'lectern_idempotency_keys',
          'lectern_role_rules',
          'lectern_awaited_links',
          'lectern_locks',
          ...['lectern_events', 'lectern_history', 'lectern_schedule', 'lectern_releases', 'lectern_release_entries'],
          ...['lectern_webhooks', 'lectern_deliveries', 'lectern_leases'],
          'lectern_identities',
          'lectern_sign_in_codes',
        ],
        ...['lectern_idempotency_keys', 'lectern_role_rules', 'lectern_awaited_links', 'lectern_awaited_links'],
        ...[
          'lectern_events',
          'lectern_history',
          'lectern_schedule',
          'lectern_schedule',
          'lectern_releases',
          'lectern_release_entries',
          'lectern_release_entries',
          'lectern_webhooks',
          'lectern_deliveries',
          'lectern_deliveries',
          'lectern_leases',
        ],
        ...['lectern_identities', 'lectern_identities', 'lectern_sign_in_codes'],
      ]);
      expect(plan).toMatchObject({ destructive: { steps: [] }, offeredRenames: [] });
      await migrate('apply');
      expect((await migrate('plan')).status).toBe(0);
      expect((await tables()).map(({ name }) => name)).not.toContain('lectern_schema');
    });

    it('keeps tables and columns that the schema files have lost, and says what Strapi would do', async () => {
      const { dir, migrate, planned, query, read, write } = await using(recordedProject(engine));
      const [[articles]] = (await query('SELECT count(summary) FROM articles')) as [[number]];
      const schema = read(article);
      const { summary: _, title, rating: __, ...others } = schema.attributes;
      write({ [article]: { ...schema, attributes: { ...others, headline: title, rating: string } } });
      rmSync(join(dir, 'src/api/emptypage'), { recursive: true });
      rmSync(join(dir, 'src/api/sink'), { recursive: true });
      const plan = await planned();
      const steps: Json[] = plan.destructive.steps;
      expect(steps.map(({ kind, table, column }) => [kind, table, column])).toEqual([
        ['column', 'articles', 'title'],
        ['column', 'articles', 'summary'],
        ['type', 'articles', 'rating'],
        ['table', 'emptypages', undefined],
        ['table', 'sinks', undefined],
      ]);
      for (const { remark } of steps) expect(remark).toMatch(/^Strapi (drops|changes)/);
      expect(plan.offeredRenames.map(({ rename }: Json) => rename)).toContain('api::article.article.title=headline');

      await migrate('apply', '--allow-destructive', '--rename', 'api::article.article.title=headline');
      const [step] = steps.filter(({ column }) => column === 'summary');
      expect(await query(`SELECT count(${step?.keptAs}) FROM articles`)).toEqual([[articles]]);
      expect(await query('SELECT count(*) FROM articles WHERE headline IS NULL')).toEqual([[0]]);
      expect((await migrate('plan')).status).toBe(0);
    });

    it('gets drafts once: Strapi’s record says that they exist', async () => {
      const { migrate, query, read, write } = await using(recordedProject(engine));
      write({ [category]: { ...read(category), options: { draftAndPublish: true } } });
      const options = async (): Promise<Record<string, { options: Json }>> => {
        const [[value] = []] = await query(
          "SELECT value FROM strapi_core_store_settings WHERE strapi_core_store_settings.key = 'strapi_content_types_schema'",
        );
        return JSON.parse(String(value));
      };
      const types = await options();
      const applied = await migrate('apply');
      expect(applied).toMatchObject({ status: 0, stdout: expect.stringContaining('8 published entries without a draft get one') });
      expect(await query('SELECT count(*) FROM categories')).toEqual([[16]]);
      const known = types['api::category.category'];
      expect(await options()).toEqual({
        ...types,
        'api::category.category': { ...known, options: { ...known?.options, draftAndPublish: true } },
      });
      expect((await migrate('plan')).status).toBe(0);
    });

    it('may have a type renamed', async () => {
      const { dir, migrate, planned, query } = await using(recordedProject(engine));
      const links = await query('SELECT article_id, tag_id FROM articles_tags_lnk ORDER BY id');
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
      expect((await planned()).offeredRenames).toMatchObject([{ rename }]);
      expect(await migrate('apply', '--rename', rename)).toMatchObject({ status: 0, stderr: '' });
      expect(await query('SELECT article_id, label_id FROM articles_tags_lnk ORDER BY id')).toEqual(links);
      expect(await query("SELECT count(*) FROM up_permissions WHERE action LIKE 'api::tag.%'")).toEqual([[0]]);
      expect((await migrate('plan')).status).toBe(0);
    });

    it('leaves tables of plugins and of others alone', async () => {
      const { dir, migrate, planned, query, write } = await using(recordedProject(engine));
      await query('CREATE TABLE components_of_another_program (id integer)');
      rmSync(join(dir, 'src/api'), { recursive: true });
      rmSync(join(dir, 'src/components'), { recursive: true });
      write(note({}));
      const plan = await planned();
      const tables: string[] = plan.destructive.steps.map(({ table }: Json) => table);
      expect(tables).toEqual(
        expect.arrayContaining(['articles', 'articles_tags_lnk', 'articles_cmps', 'components_shared_seos', 'comments_attachments_mph']),
      );
      expect(tables.filter((name) => /^(strapi|admin|up|upload|i18n|files|notes|lectern)|another/.test(name))).toEqual([]);
      const applied = await migrate('apply', '--allow-destructive');
      // Strapi takes them away when it starts.
      expect(applied).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(/^Warning: there are rights to types and attributes that no schema file has/),
      });
      expect(await query("SELECT count(*) FROM up_permissions WHERE action = 'api::article.article.find'")).not.toEqual([[0]]);
      expect((await migrate('plan')).status).toBe(0);
    });
  });
});
