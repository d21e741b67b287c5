/** `lectern indexes`, on the recorded Strapi project and on a project of Lectern's own. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { LiveIndex } from '../../src/dialects/database.ts';
import { credentialsOf, recordedProject, secrets } from '../compatibility/recordings.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { makeProject, type Project } from '../support/project.ts';
import { relation, schemaFiles } from '../support/schema-files.ts';
import { run, startServer } from '../support/server.ts';
import { runningStatements, startCommand } from '../support/start-command.ts';
import { withDatabase } from '../support/with-database.ts';
import { writeFiles } from '../support/write-files.ts';

describe.each(engines)('indexes on %s', (engine) => {
  /** Whether an index can have a condition on its rows, and be tried out. */
  const [hasPartial, canTry] = [!speaksMysql(engine), !speaksMysql(engine)];
  const env = { LECTERN_PROFILE: 'strapi' };
  let strapi: Project;
  let before: readonly LiveIndex[];
  beforeAll(async () => {
    strapi = await recordedProject(engine);
    before = await allIndexesOf(strapi);
  });
  afterEach(async () => {
    const made = (await allIndexesOf(strapi)).filter(
      ({ name, table }) => !before.some((each) => each.name === name && each.table === table),
    );
    await change(strapi, ...made.map(({ name, table }) => `DROP INDEX ${name}${speaksMysql(engine) ? ` ON ${table}` : ''}`));
    rmSync(join(strapi.dir, '.tmp/recorded-reads.json'), { force: true });
  });
  afterAll(() => strapi?.remove());

  const lectern = (of: Project, ...args: readonly string[]) => run([...args, '--dir', of.dir], { ...of.env, ...env });
  const allIndexesOf = (of: Project) => withDatabase(of, (database) => database.indexes());
  const indexesOf = async (of: Project) =>
    (await allIndexesOf(of)).filter(({ table, name }) => name.startsWith('lectern_') && !table.startsWith('lectern_'));
  const change = (of: Project, ...texts: readonly string[]) =>
    withDatabase(of, (database) =>
      database.maintain(async (connection) => {
        for (const text of texts) await connection.query(text, []);
      }),
    );

  it('of a database that Strapi made are proposed, named at the start, created on request, and dropped again', async () => {
    const start = async () => {
      const server = await startServer(strapi.dir, { ...strapi.env, ...env });
      await server.stop();
      return server.output.stderr;
    };
    const advised = await lectern(strapi, 'indexes', 'advise', '--json', '--no-measure');
    expect(advised.status).toBe(3);
    const { indexes } = JSON.parse(advised.stdout);
    const names: readonly string[] = indexes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...(hasPartial
          ? ['lectern_articles_published', 'lectern_articles_drafts', 'lectern_articles_published_at_published']
          : ['lectern_articles_published_at_sorted']),
        'lectern_categories_created_at_sorted',
        'lectern_articles_slug_unique',
        'lectern_articles_tags_lnk_order',
        'lectern_articles_tags_lnk_inverse_order',
        'lectern_articles_cmps_order',
        'lectern_files_related_mph_inverse_order',
      ]),
    );
    expect(names.every((name) => name.startsWith('lectern_') && name.length <= 63)).toBe(true);
    expect(indexes[0]).toMatchObject({
      statement: expect.stringMatching(/^CREATE INDEX (CONCURRENTLY )?"lectern_/),
      estimatedBytes: expect.any(Number),
    });
    expect(await indexesOf(strapi)).toEqual([]);
    expect(await start()).toMatch(/`lectern indexes apply` would add \d+ indexes to the database/);

    expect((await lectern(strapi, 'indexes', 'apply')).status).toBe(0);
    expect((await indexesOf(strapi)).map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(await lectern(strapi, 'indexes', 'advise')).toMatchObject({ status: 0 });
    expect((await lectern(strapi, 'migrate', 'plan', '--json')).stdout).not.toMatch(/lectern_articles_/);
    expect(await start()).not.toContain('indexes apply');

    await change(strapi, 'CREATE INDEX somebody_else ON articles (title)');
    expect((await lectern(strapi, 'indexes', 'drop')).status).toBe(0);
    expect(await indexesOf(strapi)).toEqual([]);
    const left = (await allIndexesOf(strapi)).map(({ name }) => name);
    expect(left).toEqual(expect.arrayContaining(['somebody_else', 'articles_documents_idx']));
  });

  it('are created and dropped by name, and replace what cannot be used', async () => {
    const one = 'lectern_articles_slug_unique';
    expect(await lectern(strapi, 'indexes', 'apply', one, 'lectern_nothing')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"lectern_nothing" is not proposed.'),
    });
    expect((await lectern(strapi, 'indexes', 'apply', '--wrong')).status).toBe(2);
    expect(await indexesOf(strapi)).toEqual([]);
    await change(strapi, `CREATE INDEX ${one} ON articles (slug)${hasPartial ? ' WHERE published_at IS NOT NULL' : ''}`);
    expect((await lectern(strapi, 'indexes', 'apply', one)).status).toBe(0);
    expect(await indexesOf(strapi)).toMatchObject([{ name: one, columns: ['slug', 'locale'], where: undefined }]);
    expect((await lectern(strapi, 'indexes', 'drop', one)).status).toBe(0);
    expect(await indexesOf(strapi)).toEqual([]);
    if (engine !== 'postgres') return;

    // An interrupted statement leaves an invalid index, as does a unique index over values that repeat.
    const name = 'lectern_articles_published';
    await expect(change(strapi, `CREATE UNIQUE INDEX CONCURRENTLY ${name} ON articles (locale)`)).rejects.toThrow();
    expect(await indexesOf(strapi)).toMatchObject([{ name, isValid: false }]);
    expect((await lectern(strapi, 'indexes', 'apply', name)).status).toBe(0);
    expect(await indexesOf(strapi)).toMatchObject([
      { name, isValid: true, columns: ['locale', 'id'], where: '(published_at IS NOT NULL)' },
    ]);
  });

  it('are not proposed where another index serves the same reads', async () => {
    await change(
      strapi,
      'CREATE INDEX by_hand ON articles (slug, locale, title)',
      ...(hasPartial
        ? [
            'CREATE INDEX part ON articles (locale, id) WHERE published_at IS NOT NULL',
            'CREATE INDEX other_part ON articles (locale, id) WHERE title IS NULL',
          ]
        : []),
    );
    const { stdout } = await lectern(strapi, 'indexes', 'advise');
    expect(stdout).toContain(`\`lectern indexes apply --dir ${strapi.dir}\` creates them`);
    expect(stdout).not.toContain('"lectern_articles_slug_unique"');
    expect(stdout).not.toContain('"lectern_articles_published"');
    expect(stdout.includes('"lectern_articles_drafts"')).toBe(hasPartial);
  });

  it('go with their column and table, whose rows are kept', async () => {
    const changed = await recordedProject(engine);
    onTestFinished(changed.remove);
    await lectern(changed, 'indexes', 'apply');
    const file = 'src/api/article/content-types/article/schema.json';
    const schema = JSON.parse(readFileSync(join(changed.dir, file), 'utf8'));
    const { slug: _, seeAlso: __, ...attributes } = schema.attributes;
    writeFiles(changed.dir, { [file]: { ...schema, attributes } });
    expect(await lectern(changed, 'migrate', 'apply', '--allow-destructive')).toMatchObject({ status: 0 });
    const names = (await indexesOf(changed)).map(({ name }) => name);
    expect(names.filter((name) => /slug.*articles|articles.*slug|_old_/.test(name))).toEqual([]);
    expect(names).toContain(hasPartial ? 'lectern_articles_published' : 'lectern_articles_tags_lnk_order');
    expect(await lectern(changed, 'indexes', 'advise')).toMatchObject({ status: 0 });
  });

  it('are proposed for the reads that were asked, without their values, and measured without being made', async () => {
    await change(
      strapi,
      "INSERT INTO up_permissions_role_lnk (permission_id, role_id) SELECT p.id, r.id FROM up_permissions p, up_roles r WHERE p.action LIKE 'api::%.find' AND r.type = 'public' " +
        'AND NOT EXISTS (SELECT 1 FROM up_permissions_role_lnk l WHERE l.permission_id = p.id AND l.role_id = r.id)',
    );
    // Reads are recorded in both profiles alike.
    const profile = engine === 'sqlite' ? 'specification' : 'strapi';
    const server = await startServer(strapi.dir, { ...strapi.env, LECTERN_PROFILE: profile });
    for (const query of [
      'filters[kind][$eq]=secret&sort=title:desc',
      'filters[category][position][$gt]=98765',
      'filters[slug][$eq]=nowhere',
      'filters[title][$contains]=nowhere',
      'filters[title][$contains]=nowhere&filters[score][$gt]=98765&sort=publishedAt:desc',
      'sort=publishedAt:desc',
      'filters[body][$contains]=nowhere',
      'sort=body',
    ]) {
      const response = await server.get(`/api/articles?${query}`);
      expect(response.status, response.text).toBe(200);
    }
    await server.stop();
    const record = readFileSync(join(strapi.dir, '.tmp/recorded-reads.json'), 'utf8');
    expect(record).toContain('"title"');
    expect(record).not.toMatch(/secret|98765|nowhere/);

    const advised = await lectern(strapi, 'indexes', 'advise', '--json', '--measure');
    expect(await allIndexesOf(strapi)).toEqual(before);
    if (canTry) {
      expect(advised.status, advised.stderr).toBe(3);
      const measured = new Map<string, { readonly read: string }>(
        JSON.parse(advised.stdout).indexes.map((each: { name: string; measured?: unknown }) => [each.name, each.measured]),
      );
      const times = { before: expect.any(Number), after: expect.any(Number) };
      const list = '/api/articles?pagination[pageSize]=25';
      expect(measured.get('lectern_articles_slug_unique')).toEqual({ ...times, read: `${list}&filters[slug][$eq]=…` });
      expect(measured.get('lectern_articles_drafts')).toMatchObject(times);
      expect(measured.get('lectern_articles_tags_lnk_order')).toMatchObject({ ...times, read: expect.stringContaining('populate[tags]') });
      expect(measured.get('lectern_articles_cmps_order')).toMatchObject(times);
      expect([...measured.values()].map((each) => each?.read)).toContain(`${list}&sort=publishedAt&filters[title][$contains]=…`);
      const texts = engine === 'postgres' ? { ...times, read: `${list}&filters[title][$contains]=…` } : undefined;
      expect(measured.get('lectern_articles_title_texts')).toEqual(texts);
    } else {
      expect(advised).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/cannot undo changes of tables.* without --measure/),
      });
    }

    await lectern(strapi, 'indexes', 'apply');
    const asked = (await indexesOf(strapi)).filter(({ name }) => !/_(unique|order|published|drafts|sorted)$/.test(name));
    const definitions = asked.map(({ table, columns }) => `${table}: ${columns.join(', ')}`);
    expect(definitions).toEqual(expect.arrayContaining(['articles: locale, kind, title, id', 'categories: position, id']));
    // Rows that are compared with a text are found in the index alone. The model's index serves the list without that text.
    expect(definitions).toEqual(
      expect.arrayContaining(['articles: locale, id, title, published_at', 'articles: locale, published_at, id, score, title']),
    );
    expect(definitions).not.toContain('articles: locale, published_at, id');
    // Slugs have an index of the model, and long texts must not have one.
    expect(definitions.filter((text) => /slug|body/.test(text))).toEqual([]);
    const textIndexes = asked.map(({ name }) => name).filter((name) => name.endsWith('_texts'));
    expect(textIndexes).toEqual(
      engine === 'postgres' ? expect.arrayContaining(['lectern_articles_title_texts', 'lectern_articles_body_texts']) : [],
    );
    expect(await lectern(strapi, 'indexes', 'advise')).toMatchObject({ status: 0 });
  });

  it.runIf(engine === 'postgres')('of texts find what a search finds without them, and only where the database can have them', async () => {
    onTestFinished(() => change(strapi, "DELETE FROM articles WHERE document_id LIKE 'filler%'"));
    await change(strapi, 'DROP EXTENSION IF EXISTS pg_trgm CASCADE');
    const texts = ['lantern', 'LANTERN (edited)', 'ern', 'la', '%', 'a_t', '\\', 'Article 01 Lantern (edited)', 'nowhere'];
    const searches = texts
      .map(encodeURIComponent)
      .flatMap((text) => ['$contains', '$containsi', '$notContainsi'].map((operator) => `filters[title][${operator}]=${text}`));
    const found = async () => {
      const server = await startServer(strapi.dir, { ...strapi.env, ...secrets, LECTERN_PROFILE: 'strapi', LECTERN_CACHE_BYTES: '0' });
      const responses = await Promise.all(
        searches.map((query) =>
          server.get(`/api/articles?${query}&pagination[pageSize]=100&sort=id`, { Authorization: `Bearer ${credentialsOf('full')}` }),
        ),
      );
      await server.stop();
      return responses.map(({ status, text }) => [status, text]);
    };
    const fillers = "SELECT 'filler' || n, 'Filler ' || n, 'en', now() FROM generate_series(1, 3000) n";
    await change(strapi, `INSERT INTO articles (document_id, title, locale, published_at) ${fillers}`, 'ANALYZE articles');
    const without = await found();
    expect(without.filter(([status]) => status !== 200)).toEqual([]);
    expect(new Set(without.map(([, text]) => text)).size).toBeGreaterThan(6);

    const role = `lectern_reader_${process.pid}`;
    const url = new URL(strapi.env.DATABASE_URL ?? '');
    await change(strapi, `CREATE ROLE ${role} LOGIN`, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    url.username = role;
    const advised = await lectern({ ...strapi, env: { ...strapi.env, DATABASE_URL: url.href } }, 'indexes', 'advise', '--no-measure');
    await change(strapi, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
    expect(advised).toMatchObject({ status: 3, stdout: expect.not.stringContaining('_texts') });

    expect(await lectern(strapi, 'indexes', 'apply', 'lectern_articles_title_texts')).toMatchObject({ status: 0 });
    const explained = await lectern(strapi, 'explain', '/api/articles?filters[title][$containsi]=lantern');
    expect(explained.stdout).toContain('lectern_articles_title_texts');
    expect(await found()).toEqual(without);
  });

  it('are made with the tables in a database of Lectern’s own, and stay there', async () => {
    const files = schemaFiles({
      note: { drafts: true, attributes: { title: { type: 'string' }, code: { type: 'uid' }, labels: relation('manyToMany', 'label') } },
      label: { attributes: { name: { type: 'string', unique: true } } },
    });
    const own = await makeProject(engine, files);
    onTestFinished(own.remove);
    const command = (...args: readonly string[]) => run([...args, '--dir', own.dir], own.env);
    expect((await command('migrate', 'apply')).status).toBe(0);
    const made = (await indexesOf(own)).map(({ name }) => name);
    expect(made).toEqual(
      expect.arrayContaining([
        ...(hasPartial
          ? ['lectern_notes_published', 'lectern_notes_drafts', 'lectern_notes_published_at_published']
          : ['lectern_notes_published_at_sorted']),
        'lectern_notes_code_unique',
        'lectern_labels_name_unique',
        'lectern_notes_labels_lnk_order',
      ]),
    );
    const { stdout } = await command('indexes', 'advise', '--json', '--no-measure');
    const advised = JSON.parse(stdout).indexes.map(({ name }: { name: string }) => name);
    // They need an extension, which a person decides about.
    expect(advised).toEqual(engine === 'postgres' ? ['lectern_labels_name_texts', 'lectern_notes_title_texts'] : []);
    expect(await command('indexes', 'drop')).toMatchObject({ status: 0, stdout: 'There is no index to drop.\n' });
    expect((await indexesOf(own)).map(({ name }) => name)).toEqual(made);
  });

  if (engine === 'sqlite') return;
  /** Runs `work` while a transaction has read and written a table, for whose end statements on the table wait. */
  const whileWritten = (work: () => Promise<void>) =>
    withDatabase(strapi, (database) =>
      database.write(async (connection) => {
        await connection.query('UPDATE articles SET id = id', []);
        await work();
      }),
    );
  const apply = (...names: readonly string[]) =>
    startCommand(['indexes', 'apply', ...names, '--dir', strapi.dir], { ...strapi.env, ...env });
  const running = () => withDatabase(strapi, (database) => runningStatements(database, 'CREATE INDEX'));

  it('are created by one command at a time: another one says that it waits, however long it takes', async () => {
    let commands: ReturnType<typeof apply>[] = [];
    const printed = () => commands.map(({ output }) => output.stderr).join('');
    if (engine === 'postgres') {
      await whileWritten(async () => {
        commands = [apply('lectern_articles_slug_unique'), apply('lectern_articles_published')];
        // One of them waits for this transaction, the other one for it.
        await expect.poll(printed).toMatch(/Waiting for another `lectern indexes` or `lectern migrate`/);
        await expect.poll(running).toHaveLength(1);
      });
    } else {
      const holdLock = async () => {
        commands = [apply()];
        await expect.poll(printed).toMatch(/Waiting for another `lectern indexes` or `lectern migrate`/);
        // Longer than statements wait for a lock.
        await new Promise((resolve) => setTimeout(resolve, 6500));
      };
      await withDatabase(strapi, (database) => database.maintain(holdLock));
    }
    expect(new Set(await Promise.all(commands.map(({ ended }) => ended)))).toEqual(new Set([0]));
    expect(printed().match(/Waiting for another/g)).toHaveLength(1);
    const made = await indexesOf(strapi);
    expect(made).not.toEqual([]);
    expect(made.filter(({ isValid }) => !isValid)).toEqual([]);
  });

  it('are no longer created at Ctrl-C, neither by the database server', async () => {
    await whileWritten(async () => {
      const { output, ended, interrupt } = apply('lectern_articles_slug_unique');
      await expect.poll(() => output.stderr).toBe('Creating lectern_articles_slug_unique …\n');
      expect(await running()).toHaveLength(1);
      interrupt();
      expect(await ended).toBe(130);
      expect(output.stderr).toMatch(
        /\nInterrupted: 0 of 1 indexes were created\. Run the same command again, which continues from there and replaces an index that cannot be used\.\n$/,
      );
      expect(await running()).toEqual([]);
    });
    expect((await lectern(strapi, 'indexes', 'apply', 'lectern_articles_slug_unique')).status).toBe(0);
    expect(await indexesOf(strapi)).toMatchObject([{ name: 'lectern_articles_slug_unique', isValid: true }]);
  });
});
