/** The plans of statements that migrate rows, on engines that run `IN (SELECT …)` of UPDATE and DELETE once for each row: each run finds its rows by a key, so
 *  that the time grows with the rows, not with their square. */
import { describe, expect, it, vi } from 'vitest';
import type { Connection, Database } from '../../src/dialects/database.ts';
import type { Row } from '../../src/dialects/dialect.ts';
import type { ContentModel } from '../../src/model/content-model.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { apply, modelOf, modelOfFiles, rows, run, string, toMany, useMadeDatabases } from '../support/migrations.ts';
import { component, relation, schemaFiles } from '../support/schema-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ownColumnTo = (target: string) => relation('oneToOne', target, { useJoinTable: false });
const attributes = {
  title: string,
  parent: ownColumnTo('note'),
  friend: ownColumnTo('note'),
  similar: toMany('note'),
  tags: toMany('tag'),
  part: component('part'),
  anything: { type: 'relation', relation: 'morphToMany' },
  cover: { type: 'media', multiple: false },
};
const tag = { drafts: true, attributes: { name: string, notes: toMany('note') } } as const;
const modelWith = (options: { readonly drafts?: true; readonly localized?: true }): ContentModel =>
  modelOfFiles(schemaFiles({ note: { ...options, attributes }, tag }, { part: { text: string, notes: toMany('note') } }));

const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
const valuesOf = (row: (number: number) => string) => numbers.map((number) => `(${row(number)})`).join(', ');
/** Published notes with everything that can lead from and to them. */
const content = [
  `INSERT INTO notes (id, document_id, title, published_at, parent_id) VALUES ${valuesOf((n) => `${n}, 'n${n}', 't', '2026-01-01', ${n > 1 ? n - 1 : 'NULL'}`)}`,
  `INSERT INTO tags (id, document_id, published_at) VALUES ${valuesOf((n) => `${n}, 't${Math.ceil(n / 2)}', ${n % 2 === 0 ? 'NULL' : "'2026-01-01'"}`)}`,
  `INSERT INTO components_part_parts (id) VALUES ${valuesOf((n) => `${n}`)}`,
  `INSERT INTO notes_cmps (entity_id, cmp_id, component_type, field) VALUES ${valuesOf((n) => `${n}, ${n}, 'part.part', 'part'`)}`,
  `INSERT INTO notes_similar_lnk (note_id, inv_note_id) VALUES ${valuesOf((n) => `${n}, ${(n % 200) + 1}`)}`,
  `INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES ${valuesOf((n) => `${n}, ${n}`)}`,
  `INSERT INTO tags_notes_lnk (tag_id, note_id) VALUES ${valuesOf((n) => `${n}, ${n}`)}`,
  `INSERT INTO components_part_parts_notes_lnk (part_id, note_id) VALUES ${valuesOf((n) => `${n}, ${n}`)}`,
  `INSERT INTO notes_anything_mph (note_id, anything_id, anything_type, field) VALUES ${valuesOf((n) => `${n}, ${n}, 'api::note.note', 'x'`)}`,
];

interface Planned {
  readonly statement: string;
  readonly lines: readonly string[];
}

/** The same database, which asks for the plan of each statement that changes rows according to others. */
function planning(database: Database, planned: Planned[]): Database {
  const { explain, planLines } = database.dialect;
  return {
    ...database,
    maintain: (work) =>
      database.maintain((connection) => {
        const wrapped: Connection = {
          ...connection,
          dialect: connection.dialect,
          async query(text, parameters) {
            if (/^(?:INSERT|UPDATE|DELETE)\b.*\bSELECT\b/s.test(text)) {
              const found: Row[] = await connection.query(explain(text), parameters);
              planned.push({ statement: text, lines: planLines(found) });
            }
            return connection.query(text, parameters);
          },
          send: (text, parameters) => connection.send(text, parameters),
          lock: (keys) => connection.lock(keys),
          each: (text, parameters, each) => connection.each(text, parameters, each),
        };
        return work(wrapped);
      }),
  };
}

/** The lines of what runs once for each row without a key, or with a part of one that many rows have in common. */
const slowLines = ({ statement, lines }: Planned) =>
  lines
    .filter((line) => /^DEPENDENT SUBQUERY (?:\S+ (?:ALL|index) |lectern_pairs ref using PRIMARY rows (?!1 ))/.test(line))
    .map((line) => `${line}: ${statement}`);

const [engine = 'mariadb'] = engines.filter(speaksMysql).filter((name) => name === 'mariadb');

describe.runIf(engines.includes(engine))(engine, () => {
  const made = useMadeDatabases(engine);

  it('finds the rows of each subquery by a key', async () => {
    const database = await made({});
    await apply(database, modelWith({}));
    await run(database, ...content);
    const planned: Planned[] = [];
    const watched = planning(database, planned);
    const count = async (table: string) => Number((await rows(database, `SELECT count(*) FROM ${table}`))[0]?.[0]);

    await apply(watched, modelWith({ drafts: true }));
    expect(await count('notes')).toBe(400);
    await apply(watched, modelWith({}), [], true);
    expect([await count('notes'), await count('notes_old_20261121')]).toEqual([200, 200]);

    await run(database, "UPDATE notes SET locale = CASE WHEN id < 100 THEN 'fr' ELSE NULL END");
    await apply(watched, modelWith({}), [], true);
    await run(
      database,
      "INSERT INTO notes (document_id, locale, published_at) SELECT document_id, 'en', published_at FROM notes WHERE id < 150",
    );
    await apply(watched, modelWith({ localized: true }), [], true);

    expect(planned.length).toBeGreaterThan(40);
    expect(planned.flatMap(slowLines)).toEqual([]);
  });

  it('gives rows that are set aside a primary key', async () => {
    const database = await made({});
    await apply(database, modelOf({ note: attributes, tag: tag.attributes, 'part.part': { text: string, notes: toMany('note') } }));
    await run(
      database,
      "INSERT INTO notes (id, document_id, title) VALUES (1, 'a', 'b')",
      'INSERT INTO notes_tags_lnk (note_id) VALUES (1)',
    );
    await apply(database, modelWith({}), [], true);
    const keys =
      "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME REGEXP '_old_' AND INDEX_NAME = 'PRIMARY' ORDER BY 1";
    expect(await rows(database, keys)).toEqual([
      ['notes_old_20261121', 'id'],
      ['notes_tags_lnk_old_20261121', 'id'],
    ]);
  });
});
