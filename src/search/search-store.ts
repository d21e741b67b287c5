/** Makes, describes and removes full-text indexes. */
import { createHash } from 'node:crypto';
import type { Connection, Database, LiveIndex } from '../dialects/database.ts';
import { writeRetried } from '../dialects/retry-conflicts.ts';
import { ownerIndexes, ownName, searchPrefix } from '../dialects/search/index-parts.ts';
import { allDone } from '../sql/all-done.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { tableExists } from '../sql/table-exists.ts';
import { createIndexOnline, dropIndexOnline } from '../tables/index-statements.ts';
import { settingOf } from '../tables/settings-store.ts';
import { settingsTable } from '../tables/system-tables.ts';
import { plainIndex } from '../tables/table.ts';
import { isObject } from '../text/json.ts';
import type { SearchIndex, SearchIndexes } from './search-index.ts';

/** `built`: it has every row. `outdated`: it was made for other attributes, or something that keeps
 *  it is gone. */
export type IndexState = 'built' | 'outdated' | 'not built';

const keyPrefix = 'lectern_search:';
const keyOf = (table: string): string => `${keyPrefix}${table}`;
const settings = sql.id(settingsTable);
const key = sql.id('key');

/** Rows of one batch. */
const batch = 500;

const definitionOf = ({ definition }: SearchIndex, { dialect: { search } }: Pick<Connection, 'dialect'>): string =>
  createHash('sha256')
    .update(JSON.stringify([search.create(definition), search.fill(definition, 0, 0)]))
    .digest('hex');

/** The names that an index's triggers need to have. */
const triggersOf = ({ definition }: SearchIndex, { dialect: { search } }: Pick<Connection, 'dialect'>): readonly string[] =>
  search.create(definition).flatMap((statement) => /^CREATE TRIGGER "([^"]+)"/.exec(statement)?.[1] ?? []);

interface LiveTrigger {
  readonly name: string;
  readonly table: string;
}

async function liveTriggers(connection: Connection): Promise<readonly LiveTrigger[]> {
  const rows = await connection.query(connection.dialect.search.triggers, []);
  return rows.map(([name, table]) => ({ name: String(name), table: String(table) }));
}

/** By index table. */
async function records(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const rows = await run(connection, sql`SELECT ${key}, value FROM ${settings} WHERE ${key} LIKE ${`${keyPrefix}%`}`);
  return new Map(
    rows.map(([name, value]) => {
      const setting = settingOf(value);
      return [String(name).slice(keyPrefix.length), isObject(setting) ? String(setting.definition) : ''];
    }),
  );
}

/** Returns the states of indexes, by type. */
export async function indexStates(connection: Connection, indexes: SearchIndexes): Promise<ReadonlyMap<string, IndexState>> {
  const [recorded, live] = [await records(connection), new Set((await liveTriggers(connection)).map(({ name }) => name))];
  const states = new Map<string, IndexState>();
  for (const [uid, index] of indexes) {
    const definition = recorded.get(index.definition.table);
    const isThere = definition !== undefined && (await tableExists(connection, index.definition.table));
    const isCurrent = definition === definitionOf(index, connection) && triggersOf(index, connection).every((name) => live.has(name));
    states.set(uid, !isThere ? 'not built' : isCurrent ? 'built' : 'outdated');
  }
  return states;
}

/** Index tables of types that are not configured any more. */
export async function unusedIndexes(connection: Connection, indexes: SearchIndexes): Promise<readonly string[]> {
  const wanted = new Set([...indexes.values()].map(({ definition }) => definition.table));
  return [...(await records(connection)).keys()].filter((table) => !wanted.has(table));
}

/** Removes an index. Nothing is left that a write could fail at. */
export async function dropIndex(connection: Connection, table: string): Promise<void> {
  const { search } = connection.dialect;
  await run(connection, sql`DELETE FROM ${settings} WHERE ${key} = ${keyOf(table)}`);
  const own = `${ownName(table)}_`;
  for (const { name, table: on } of await liveTriggers(connection))
    if (name.startsWith(own)) for (const statement of search.dropTrigger(name, on)) await connection.query(statement, []);
  for (const statement of search.drop(table)) await connection.query(statement, []);
}

/** Removes indexes that were made for another model or another configuration, before tables change:
 *  their triggers name tables and columns, and a write would fail at those that are gone. Returns
 *  the index tables. */
export async function dropStaleIndexes(database: Database, indexes: SearchIndexes): Promise<readonly string[]> {
  const stale = await database.read(async (connection) => {
    if (!(await tableExists(connection, settingsTable))) return [];
    const current = new Map([...indexes.values()].map((index) => [index.definition.table, definitionOf(index, connection)]));
    return [...(await records(connection))].flatMap(([table, definition]) => (current.get(table) === definition ? [] : [table]));
  });
  if (stale.length > 0)
    await database.maintain(async (connection) => {
      for (const table of stale) await dropIndex(connection, table);
    });
  return stale;
}

/** Indexes that lead from components to their owners. Several full-text indexes may need one. */
async function createOwnerIndexes(connection: Connection, { definition }: SearchIndex, live: readonly LiveIndex[]): Promise<void> {
  const present = new Set(live.map(({ name }) => name));
  for (const { name, table, columns } of ownerIndexes(definition))
    if (!present.has(name))
      await connection.query(createIndexOnline({ name: table }, plainIndex(name, ...columns), connection.dialect), []);
}

/** Removes those of them that none of the indexes needs. */
export async function dropOwnerIndexes(connection: Connection, needed: readonly SearchIndex[], live: readonly LiveIndex[]): Promise<void> {
  const names = new Set(needed.flatMap(({ definition }) => ownerIndexes(definition).map(({ name }) => name)));
  for (const { name, table } of live)
    if (name.startsWith(searchPrefix) && !table.startsWith(searchPrefix) && !names.has(name))
      await connection.query(dropIndexOnline(table, name, connection.dialect), []);
}

/** Makes an index anew, with all rows. Writes go on meanwhile: the triggers come first, and the
 *  batches lock the rows that they read. `connection` is that of `maintain`; `each` is called with
 *  the ids of the rows that are done. */
export async function buildIndex(
  database: Database,
  connection: Connection,
  index: SearchIndex,
  live: readonly LiveIndex[],
  each: (done: number, of: number) => Promise<void>,
): Promise<number> {
  const { definition } = index;
  const { search, writesOneByOne } = connection.dialect;
  // Writes of others may conflict with a batch, which is then run again.
  const fill = async (texts: readonly string[]) => {
    const each = async (its: Connection) => {
      for (const text of texts) await its.query(text, []);
    };
    await (writesOneByOne ? each(connection) : writeRetried(database, each));
  };
  await dropIndex(connection, definition.table);
  await createOwnerIndexes(connection, index, live);
  for (const statement of search.create(definition)) await connection.query(statement, []);
  const rows = sql.id(definition.rows);
  const [[greatest] = []] = await run(connection, sql`SELECT max(id) FROM ${rows}`);
  const last = Number(greatest ?? 0);
  const endOfBatch = async (from: number): Promise<number | undefined> => {
    const ids = sql`SELECT id FROM ${rows} WHERE id > ${sql.integer(from)} ORDER BY id LIMIT ${sql.integer(batch)}`;
    const [[end] = []] = await run(connection, sql`SELECT max(id) FROM (${ids}) b`);
    return end === null || end === undefined ? undefined : Number(end);
  };
  let from = 0;
  while (from < last) {
    const fills: (readonly string[])[] = [];
    while (fills.length < search.fillsAtOnce && from < last) {
      const to = (await endOfBatch(from)) ?? last;
      fills.push(search.fill(definition, from, to));
      from = to;
    }
    await allDone(fills.map(fill));
    await each(Math.min(from, last), last);
  }
  for (const statement of search.finish(definition)) await connection.query(statement, []);
  const value = JSON.stringify({ definition: definitionOf(index, connection), builtAt: new Date().toISOString() });
  await run(connection, sql`INSERT INTO ${settings} (${key}, value, type) VALUES (${keyOf(definition.table)}, ${value}, ${'object'})`);
  const [[count] = []] = await run(connection, sql`SELECT count(*) FROM ${rows}`);
  return Number(count ?? 0);
}

/** How long a server relies on what it has read of the indexes. Milliseconds. */
const stateTime = 1000;

/** What a server knows of its indexes: commands build and drop them while it runs. */
export class SearchStates {
  readonly #database: Database;
  readonly #indexes: SearchIndexes;
  #known: { readonly states: Promise<ReadonlyMap<string, IndexState>>; readonly at: number } | undefined;

  constructor(database: Database, indexes: SearchIndexes) {
    this.#database = database;
    this.#indexes = indexes;
  }

  /** The state of the index of a type; undefined if it has none. */
  async of(uid: string): Promise<IndexState | undefined> {
    if (!this.#indexes.has(uid)) return undefined;
    return (await this.#current()).get(uid);
  }

  /** The types whose index cannot be used. */
  async unusable(): Promise<readonly (readonly [uid: string, state: IndexState])[]> {
    return [...(await this.#current())].filter(([, state]) => state !== 'built');
  }

  #current(): Promise<ReadonlyMap<string, IndexState>> {
    const now = performance.now();
    if (this.#known === undefined || now - this.#known.at > stateTime) {
      const states = this.#database.read((connection) => indexStates(connection, this.#indexes));
      this.#known = { states, at: now };
      states.catch(() => {
        this.#known = undefined;
      });
    }
    return this.#known.states;
  }
}
