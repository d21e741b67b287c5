/** Migrations that end in the middle, on engines that commit each change of a table at once: the next run finishes them, and nothing is lost or done twice. */
import { describe, expect, it, vi } from 'vitest';
import type { Connection, Database } from '../../src/dialects/database.ts';
import { schemaDigest } from '../../src/migrations/journal.ts';
import { migrateDatabase, planDatabase, prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { isLong } from '../support/long.ts';
import {
  apply,
  auto,
  choices,
  modelOf,
  modelOfFiles,
  now,
  ownColumn,
  plan,
  rows,
  run,
  type Schemas,
  string,
  text,
  toMany,
  useMadeDatabases,
} from '../support/migrations.ts';
import { schemaFiles } from '../support/schema-files.ts';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 60_000 });

/** A migration ends at each such statement; each of them takes seconds. */
const distance = Number(process.env.LECTERN_TEST_INTERRUPTED_DISTANCE ?? (isLong ? 3 : 17));

const json = { type: 'json' };
const cover = { type: 'media', multiple: false };
/** An attribute, a relation, a type and a table of a relation are renamed, a column changes its type, others are set aside, and one is added. */
const earlier: Schemas = {
  note: { title: string, extra: json, pages: string, body: text, owner: ownColumn, cover, tags: toMany('tag'), similar: toMany('note') },
  tag: { name: string, friends: toMany('tag') },
  leaf: { name: string },
};
const later: Schemas = {
  memo: {
    headline: string,
    more: json,
    pages: { type: 'integer' },
    holder: ownColumn,
    cover,
    tags: toMany('tag'),
    similar: toMany('memo'),
    stars: json,
  },
  tag: { name: string, peers: toMany('tag') },
};
const renames = [
  'api::note.note=api::memo.memo',
  'api::memo.memo.title=headline',
  'api::memo.memo.extra=more',
  'api::memo.memo.owner=holder',
  'api::tag.tag.friends=peers',
];
const content = [
  "INSERT INTO up_users (id, username) VALUES (5, 'u')",
  `INSERT INTO notes (id, title, extra, pages, body, owner_id) VALUES (1, 'a', '{"b":1}', '12', 'b', 5), (2, 'b', NULL, 'many', 'c', NULL)`,
  "INSERT INTO tags (id, name) VALUES (3, 't')",
  "INSERT INTO leafs (id, name) VALUES (4, 'l')",
  'INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES (1, 3)',
  'INSERT INTO tags_friends_lnk (tag_id, inv_tag_id) VALUES (3, 3)',
  'INSERT INTO notes_similar_lnk (note_id, inv_note_id) VALUES (1, 2)',
  "INSERT INTO files (id, name) VALUES (7, 'f')",
  "INSERT INTO files_related_mph (file_id, related_id, related_type, field) VALUES (7, 1, 'api::note.note', 'cover')",
];
const questions = [
  'SELECT id, headline, more, pages, pages_old_20261121, body_old_20261121, holder_id FROM memos ORDER BY id',
  'SELECT memo_id, tag_id FROM memos_tags_lnk',
  'SELECT memo_id, inv_memo_id FROM memos_similar_lnk',
  'SELECT tag_id, inv_tag_id FROM tags_peers_lnk',
  'SELECT related_id, related_type FROM files_related_mph',
  'SELECT * FROM leafs_old_20261121',
  "SELECT name, definition FROM lectern_schema WHERE name IN ('memos', 'notes', 'leafs', 'memos_tags_lnk') ORDER BY name",
  "SELECT count(*) FROM strapi_core_store_settings WHERE strapi_core_store_settings.key LIKE 'lectern%'",
];
const stateOf = async (database: Database) => {
  const tables = (await database.tables()).map(({ name, columns, indexes, constraints }) => [
    name,
    [...columns].sort(),
    [...indexes].sort(),
    [...constraints].sort(),
  ]);
  const answers = await Promise.all(questions.map((question) => rows(database, question)));
  return { tables: tables.sort(), answers };
};

/** The same database, whose connection for maintenance ends at a statement: before the statement is sent, or after its response. */
const endingAt = (
  database: Database,
  last: number,
  when: 'before' | 'after',
  seen: (text: string) => void = () => undefined,
): Database => ({
  ...database,
  maintain: (work) =>
    database.maintain((connection) => {
      let statements = 0;
      const ended = () => new Error('the process has ended');
      const query = async (text: string, parameters: readonly unknown[]) => {
        const number = statements++;
        if (number > last || (number === last && when === 'before')) throw ended();
        seen(text);
        const result = await connection.query(text, parameters);
        if (number === last) throw ended();
        return result;
      };
      const wrapped: Connection = {
        ...connection,
        dialect: connection.dialect,
        query,
        send: (text, parameters) => void query(text, parameters).catch(() => undefined),
        lock: (keys) => connection.lock(keys),
        each: (statement, parameters, each) => connection.each(statement, parameters, each),
      };
      return work(wrapped);
    }),
  // What a process does after a refused step, it does not do when it has ended.
  write: () => Promise.reject(new Error('the process has ended')),
});

const [engine = 'mariadb'] = engines.filter(speaksMysql);

describe.runIf(engines.includes(engine))(engine, () => {
  const made = useMadeDatabases(engine);
  const prepared = async () => {
    const database = await made({});
    await migrateDatabase(database, modelOf(earlier), choices(), now);
    await run(database, ...content);
    return database;
  };

  it('has the same result whichever statement the process ended at', async () => {
    const after = modelOf(later);
    const whole = await prepared();
    const statements: string[] = [];
    await migrateDatabase(
      { ...endingAt(whole, Number.POSITIVE_INFINITY, 'before', (statement) => statements.push(statement)), write: whole.write },
      after,
      choices(renames, true),
      now,
    );
    const expected = await stateOf(whole);
    expect(expected.answers.slice(0, 4)).toMatchObject([
      [
        [1, 'a', expect.anything(), 12, '12', 'b', 5],
        [2, 'b', null, null, 'many', 'c', null],
      ],
      [[1, 3]],
      [[1, 2]],
      [[3, 3]],
    ]);
    // Those that only look change nothing.
    const changing = statements.flatMap((statement, at) => (/^(?:SELECT|SHOW|WITH)\b/.test(statement) ? [] : [at]));
    // After the last one nothing is left.
    changing.pop();
    expect(changing.length).toBeGreaterThan(50);
    for (const [round, last] of changing.filter((_, index) => index % distance === 0).entries()) {
      const database = await prepared();
      const when = round % 2 === 0 ? 'after' : 'before';
      await expect(migrateDatabase(endingAt(database, last, when), after, choices(renames, true), now)).rejects.toThrow('has ended');
      await apply(database, after, renames, true);
      expect({ statement: statements[last], when, state: await stateOf(database) }).toEqual({
        statement: statements[last],
        when,
        state: expected,
      });
      expect(await plan(database, after)).toMatchObject({ work: [], offers: [] });
      await database.close();
    }
  });

  it('lets no server start, and nothing else be planned, until it is finished with the same schema files', async () => {
    const after = modelOf(later);
    const database = await prepared();
    await expect(migrateDatabase(endingAt(database, 60, 'after'), after, choices(renames, true), now)).rejects.toThrow('has ended');
    const problems = [
      expect.stringMatching(
        /is not finished: \d+ of its \d+ steps are done\. Run `lectern migrate apply`: it waits .* otherwise finishes it\.$/,
      ),
    ];
    const before = modelOf(earlier);
    for (const model of [before, after]) {
      expect(await prepareDatabase(database, model, auto)).toMatchObject({ ok: false, problems, startRepairs: false });
      expect(await planDatabase(database, model, { choices: choices(), now })).toMatchObject({ ok: false, problems });
    }
    await expect(migrateDatabase(database, before, choices(), now)).rejects.toThrow(/need the schema files with which the migration began/);
    expect(await apply(database, after)).toMatchObject({ outcome: 'changed', hasFinished: true });
    expect(await prepareDatabase(database, after, auto)).toMatchObject({ ok: true });
  });

  it('continues with a refused step once the database accepts it', async () => {
    const after = modelOf(later);
    const database = await prepared();
    await run(database, 'CREATE VIEW memos AS SELECT 1 AS one');
    await expect(migrateDatabase(database, after, choices(renames, true), now)).rejects.toThrow(
      /refused a step: .*memos[\s\S]*ALTER TABLE[\s\S]*Lectern does not start until all steps are done; the next run continues with this step\./,
    );
    await run(database, 'DROP VIEW memos');
    await apply(database, after, renames, true);
    expect(await rows(database, 'SELECT headline FROM memos ORDER BY id')).toEqual([['a'], ['b']]);
  });

  it('is finished only with the same options of its types', () => {
    const digestWith = (options: object) =>
      schemaDigest(modelOfFiles(schemaFiles({ note: { attributes: { title: string }, ...options } })));
    const digests = [{}, { drafts: true }, { localized: true }].map(digestWith);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('lets no start add anything that began before it was interrupted', async () => {
    const database = await prepared();
    const other: Database = {
      ...database,
      maintain: async (work) => {
        const ended = migrateDatabase(endingAt(database, 60, 'after'), modelOf(later), choices(renames, true), now);
        await expect(ended).rejects.toThrow('has ended');
        return database.maintain(work);
      },
    };
    const more: Schemas = { ...earlier, tag: { ...earlier.tag, color: string } };
    await expect(prepareDatabase(other, modelOf(more), auto)).rejects.toThrow('Another process has changed the tables');
    expect(await apply(database, modelOf(later))).toMatchObject({ outcome: 'changed', hasFinished: true });
  });

  it('does nothing when another process has changed the tables since the plan', async () => {
    const after = modelOf(later);
    const database = await prepared();
    const other: Database = {
      ...database,
      maintain: async (work) => {
        await run(database, 'ALTER TABLE leafs ADD COLUMN mine int');
        return database.maintain(work);
      },
    };
    await expect(migrateDatabase(other, after, choices(renames, true), now)).rejects.toThrow('Another process has changed the tables');
    expect(await rows(database, 'SELECT title FROM notes ORDER BY id')).toEqual([['a'], ['b']]);
  });
});
