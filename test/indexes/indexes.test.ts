/** `lectern indexes`, on the recorded Strapi project and on a project of Lectern's own. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Database, LiveIndex } from '../../src/dialects/database.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import { credentialsOf, recordedProject, secrets } from '../compatibility/recordings.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { makeProject, type Project } from '../support/project.ts';
import { relation, schemaFiles } from '../support/schema-files.ts';
import { command, run, startServer } from '../support/server.ts';
import { writeFiles } from '../support/write-files.ts';

describe.each(engines)('indexes on %s', (engine) => {
  /** Whether an index can have a condition on its rows, and be tried out. */
  const [hasPartial, canTry] = [!speaksMysql(engine), !speaksMysql(engine)];
  let strapi: Project;
  let before: readonly LiveIndex[];
  beforeAll(async () => {
    strapi = await recordedProject(engine);
    before = await inDatabase(strapi, (database) => database.indexes());
  });
  afterEach(async () => {
    const made = await inDatabase(strapi, async (database) =>
      (await database.indexes()).filter(({ name, table }) => !before.some((each) => each.name === name && each.table === table)),
    );
    await change(strapi, ...made.map(({ name, table }) => `DROP INDEX ${name}${speaksMysql(engine) ? ` ON ${table}` : ''}`));
    rmSync(join(strapi.dir, '.tmp/recorded-reads.json'), { force: true });
  });
  afterAll(() => strapi?.remove());

  const lectern = ({ dir, env }: Project, ...args: readonly string[]) =>
    run([...args, '--dir', dir], { ...env, LECTERN_PROFILE: 'strapi' });

  async function inDatabase<T>({ dir, env }: Project, work: (database: Database) => Promise<T>): Promise<T> {
    const loaded = loadConfig({ dir, environment: env, overrides: {} });
    if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
    const database = await openDatabase(loaded.config.database, { create: false, statementTime: 0 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
  const indexesOf = (of: Project): Promise<LiveIndex[]> =>
    inDatabase(of, async (database) =>
      (await database.indexes()).filter(({ table, name }) => name.startsWith('lectern_') && !table.startsWith('lectern_')),
    );
  const change = (of: Project, ...texts: readonly string[]) =>
    inDatabase(of, (database) =>
      database.maintain(async (connection) => {
        for (const text of texts) await connection.query(text, []);
      }),
    );

  it('of a database that Strapi made are proposed, created on request, and dropped again', async () => {
    const advised = await lectern(strapi, 'indexes', 'advise', '--json');
    expect(advised.status).toBe(3);
    const { indexes } = JSON.parse(advised.stdout);
    const names = indexes.map(({ name }: { name: string }) => name);
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
    expect(names.every((name: string) => name.startsWith('lectern_') && name.length <= 63)).toBe(true);
    expect(indexes[0]).toMatchObject({
      statement: expect.stringMatching(/^CREATE INDEX (CONCURRENTLY )?"lectern_/),
      estimatedBytes: expect.any(Number),
    });
    expect(await indexesOf(strapi)).toEqual([]);

    expect((await lectern(strapi, 'indexes', 'apply')).status).toBe(0);
    expect((await indexesOf(strapi)).map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(await lectern(strapi, 'indexes', 'advise')).toMatchObject({ status: 0 });
    expect((await lectern(strapi, 'migrate', 'plan', '--json')).stdout).not.toMatch(/lectern_articles_/);

    await change(strapi, 'CREATE INDEX somebody_else ON articles (title)');
    expect((await lectern(strapi, 'indexes', 'drop')).status).toBe(0);
    expect(await indexesOf(strapi)).toEqual([]);
    const left = await inDatabase(strapi, (database) => database.indexes());
    expect(left.map(({ name }) => name)).toEqual(expect.arrayContaining(['somebody_else', 'articles_documents_idx']));
  });

  it('are named in one line of the start until they are there', async () => {
    const start = async () => {
      const server = await startServer(strapi.dir, { ...strapi.env, LECTERN_PROFILE: 'strapi' });
      await server.stop();
      return server.output.stderr;
    };
    expect(await start()).toMatch(/`lectern indexes apply` would add \d+ indexes to the database/);
    await lectern(strapi, 'indexes', 'apply');
    expect(await start()).not.toContain('indexes apply');
  });

  it('are created and dropped by name, and an unknown name changes nothing', async () => {
    const one = 'lectern_articles_slug_unique';
    expect(await lectern(strapi, 'indexes', 'apply', one, 'lectern_nothing')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"lectern_nothing" is not proposed.'),
    });
    expect(await indexesOf(strapi)).toEqual([]);
    expect((await lectern(strapi, 'indexes', 'apply', one)).status).toBe(0);
    expect((await indexesOf(strapi)).map(({ name }) => name)).toEqual([one]);
    expect((await lectern(strapi, 'indexes', 'drop', one)).status).toBe(0);
    expect((await lectern(strapi, 'indexes', 'apply', '--wrong')).status).toBe(2);
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

  it('replace an index of the same name on other columns', async () => {
    await change(
      strapi,
      `CREATE INDEX lectern_articles_slug_unique ON articles (slug)${hasPartial ? ' WHERE published_at IS NOT NULL' : ''}`,
    );
    expect((await lectern(strapi, 'indexes', 'apply', 'lectern_articles_slug_unique')).status).toBe(0);
    expect(await indexesOf(strapi)).toEqual([expect.objectContaining({ columns: ['slug', 'locale'], where: undefined })]);
  });

  it('go with their column and table, whose rows are kept', async () => {
    const changed = await recordedProject(engine);
    onTestFinished(changed.remove);
    await lectern(changed, 'indexes', 'apply');
    const file = 'src/api/article/content-types/article/schema.json';
    const schema = JSON.parse(readFileSync(join(changed.dir, file), 'utf8'));
    const { slug: _, seeAlso: __, ...attributes } = schema.attributes;
    writeFiles(changed.dir, { [file]: { ...schema, attributes } });
    const applied = await lectern(changed, 'migrate', 'apply', '--allow-destructive');
    expect(applied).toMatchObject({ status: 0 });
    const names = (await indexesOf(changed)).map(({ name }) => name);
    expect(names.filter((name) => name.includes('slug') && name.includes('articles'))).toEqual([]);
    expect(names.filter((name) => name.includes('_old_'))).toEqual([]);
    expect(names).toContain(hasPartial ? 'lectern_articles_published' : 'lectern_articles_tags_lnk_order');
    expect(await lectern(changed, 'indexes', 'advise')).toMatchObject({ status: 0 });
  });

  it.each(['strapi', 'specification'])(
    'are proposed for the reads that were asked, without their values, in profile %s',
    async (profile) => {
      const env = { ...strapi.env, LECTERN_PROFILE: profile };
      const command = (...args: readonly string[]) => run([...args, '--dir', strapi.dir], env);
      await inDatabase(strapi, (database) =>
        database.write((connection) =>
          connection.query(
            "INSERT INTO up_permissions_role_lnk (permission_id, role_id) SELECT p.id, r.id FROM up_permissions p, up_roles r WHERE p.action LIKE 'api::%.find' AND r.type = 'public' " +
              'AND NOT EXISTS (SELECT 1 FROM up_permissions_role_lnk l WHERE l.permission_id = p.id AND l.role_id = r.id)',
            [],
          ),
        ),
      );
      const server = await startServer(strapi.dir, env);
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

      await command('indexes', 'apply');
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
      expect(await command('indexes', 'advise')).toMatchObject({ status: 0 });
      expect(await command('indexes', 'drop')).toMatchObject({ status: 0 });
      if (!canTry) return;
      const { indexes } = JSON.parse((await command('indexes', 'advise', '--json', '--measure')).stdout);
      const reads = indexes.map(({ measured }: { measured?: { read: string } }) => measured?.read);
      expect(reads).toContain('/api/articles?pagination[pageSize]=25&sort=publishedAt&filters[title][$contains]=…');
    },
  );

  it.runIf(canTry)('are measured by reads before and after, without being made', async () => {
    const { status, stdout, stderr } = await lectern(strapi, 'indexes', 'advise', '--json', '--measure');
    expect(status, stderr).toBe(3);
    const measured = new Map<string, unknown>(
      JSON.parse(stdout).indexes.map((each: { name: string; measured?: unknown }) => [each.name, each.measured]),
    );
    const times = { before: expect.any(Number), after: expect.any(Number) };
    expect(measured.get('lectern_articles_slug_unique')).toEqual({
      ...times,
      read: '/api/articles?pagination[pageSize]=25&filters[slug][$eq]=…',
    });
    expect(measured.get('lectern_articles_drafts')).toMatchObject(times);
    expect(measured.get('lectern_articles_tags_lnk_order')).toMatchObject({ ...times, read: expect.stringContaining('populate[tags]') });
    expect(measured.get('lectern_articles_cmps_order')).toMatchObject(times);
    if (engine === 'postgres') {
      const read = '/api/articles?pagination[pageSize]=25&filters[title][$contains]=…';
      expect(measured.get('lectern_articles_title_texts')).toEqual({ ...times, read });
    }
    expect(await inDatabase(strapi, (database) => database.indexes())).toEqual(before);
    const unmeasured = JSON.parse((await lectern(strapi, 'indexes', 'advise', '--json', '--no-measure')).stdout);
    expect(unmeasured.indexes.filter((each: { measured?: unknown }) => each.measured !== undefined)).toEqual([]);
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

  it.skipIf(canTry)('cannot be measured where they cannot be tried out', async () => {
    expect(await lectern(strapi, 'indexes', 'advise', '--measure')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/cannot undo changes of tables.* without --measure/),
    });
    expect(await indexesOf(strapi)).toEqual([]);
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

  if (engine === 'postgres') {
    it('replace what an interrupted statement left behind', async () => {
      // A unique index over values that repeat fails, and leaves an invalid index.
      const broken = 'CREATE UNIQUE INDEX CONCURRENTLY lectern_articles_published ON articles (locale)';
      await expect(change(strapi, broken)).rejects.toThrow();
      expect(await indexesOf(strapi)).toEqual([expect.objectContaining({ name: 'lectern_articles_published', isValid: false })]);
      expect((await lectern(strapi, 'indexes', 'apply')).status).toBe(0);
      const made = (await indexesOf(strapi)).find(({ name }) => name === 'lectern_articles_published');
      expect(made).toMatchObject({ isValid: true, columns: ['locale', 'id'], where: '(published_at IS NOT NULL)' });
    });
  }

  it.skipIf(engine === 'sqlite')('are changed by one process at a time: another one waits, however long it takes', async () => {
    const events: string[] = [];
    const change = (name: string, milliseconds: number) =>
      inDatabase(strapi, (database) =>
        database.maintain(async () => {
          events.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          events.push(`${name} ends`);
        }),
      );
    // Longer than statements wait for a lock on MariaDB.
    const first = change('first', 6500);
    await expect.poll(() => events, { timeout: 5000 }).toEqual(['first begins']);
    await Promise.all([first, change('second', 0)]);
    expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  /** Runs `work` while a transaction has read and written a table, for whose end statements on the table wait. */
  const whileWritten = (of: Project, table: string, work: () => Promise<void>) =>
    inDatabase(of, (database) =>
      database.write(async (connection) => {
        await connection.query(`UPDATE ${table} SET id = id`, []);
        await work();
      }),
    );
  const started = ({ dir, env }: Project, ...args: readonly string[]) => {
    const child = spawn(process.execPath, [command, ...args, '--dir', dir], {
      env: { PATH: process.env.PATH, ...env, LECTERN_PROFILE: 'strapi' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const output = { stderr: '' };
    child.stderr.on('data', (text) => {
      output.stderr += String(text);
    });
    return { child, output, ended: new Promise<number | null>((done) => child.on('close', done)) };
  };
  const running = async (of: Project) => {
    const text =
      engine === 'postgres'
        ? "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'CREATE INDEX%'"
        : "SELECT INFO FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'CREATE INDEX%'";
    return inDatabase(of, (database) => database.readAtOnce((connection) => connection.query(text, [])));
  };

  it.skipIf(engine === 'sqlite')('are created by a command that says what it waits for', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holder = inDatabase(strapi, (database) => database.maintain(() => held));
    const { output, ended } = started(strapi, 'indexes', 'apply');
    await expect.poll(() => output.stderr, { timeout: 20_000 }).toContain('Waiting for another `lectern indexes` or `lectern migrate`');
    release();
    await holder;
    expect(await ended).toBe(0);
    expect(output.stderr.match(/Waiting/g)).toHaveLength(1);
    expect(await indexesOf(strapi)).not.toEqual([]);
  });

  it.runIf(engine === 'postgres')('are created by two commands at the same time', async () => {
    let commands: ReturnType<typeof started>[] = [];
    await whileWritten(strapi, 'articles', async () => {
      commands = [started(strapi, 'indexes', 'apply'), started(strapi, 'indexes', 'apply')];
      // One of them waits for this transaction, the other one for it.
      await expect.poll(() => commands.map(({ output }) => output.stderr).join(''), { timeout: 20_000 }).toMatch(/Waiting for another/);
      await expect.poll(() => running(strapi), { timeout: 20_000 }).toHaveLength(1);
    });
    expect(await Promise.all(commands.map(({ ended }) => ended))).toEqual([0, 0]);
    expect((await indexesOf(strapi)).every(({ isValid }) => isValid)).toBe(true);
  });

  it.skipIf(engine === 'sqlite')('are no longer created at Ctrl-C, neither by the database server', async () => {
    await whileWritten(strapi, 'articles', async () => {
      const { child, output, ended } = started(strapi, 'indexes', 'apply', 'lectern_articles_slug_unique');
      await expect.poll(() => output.stderr, { timeout: 20_000 }).toBe('Creating lectern_articles_slug_unique …\n');
      expect(await running(strapi)).toHaveLength(1);
      child.kill('SIGINT');
      expect(await ended).toBe(130);
      expect(output.stderr).toMatch(
        /\nInterrupted: 0 of 1 indexes were created\. Run the same command again, which continues from there and replaces an index that cannot be used\.\n$/,
      );
      expect(await running(strapi)).toEqual([]);
    });
    expect((await lectern(strapi, 'indexes', 'apply')).status).toBe(0);
    expect(await lectern(strapi, 'indexes', 'advise')).toMatchObject({ status: 0 });
  });
});
