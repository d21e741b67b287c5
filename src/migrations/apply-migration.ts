/** Runs a planned migration. */

import { grouped } from '../collections.ts';
import { storedTypeOf } from '../dialects/column-type.ts';
import type { Connection, Database, LiveTable, Maintenance } from '../dialects/database.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import { reportWaiting } from '../dialects/report-waiting.ts';
import { StartError } from '../errors/start-error.ts';
import type { ContentModel } from '../model/content-model.ts';
import { digestOf } from '../text/digest.ts';
import {
  type Finish,
  forgetTables,
  type Interrupted,
  readJournal,
  removeJournal,
  schemaDigest,
  tablesDigest,
  writeJournal,
  writePosition,
} from './journal.ts';
import { writeRecord } from './recorded/recorded-schema.ts';
import { rowWorkParts, type WorkParts } from './rows/run-row-work.ts';
import { convertValue } from './schema/convert-value.ts';
import { type Conversion, describeWork, type Work } from './steps.ts';

/** How many values were converted to the new type. The others are only in the old column. */
export interface Converted {
  readonly table: string;
  readonly column: string;
  readonly keptAs: string;
  readonly copied: number;
  readonly left: number;
}

export interface Migration {
  readonly model: ContentModel;
  /** The steps in their order. After a failure, a new plan has the missing ones of `first`. */
  readonly work: { readonly first: readonly Work[]; readonly main: readonly Work[] };
  readonly finish: Finish;
  /** Set if tables change one by one, and the main steps cannot be planned again halfway. */
  readonly journaled: { readonly renames: readonly string[]; readonly before: readonly LiveTable[] } | undefined;
}

/** Receives each statement before it runs. */
export type Running = (text: string) => void;

/** Follows a migration, and can end it. */
export interface Following extends Maintenance {
  readonly running?: Running;
  /** Awaited before each statement with a result. Its error ends the migration. */
  readonly pass?: () => Promise<void>;
  /** Called before each step with the number of those that are done, and after the last one. */
  readonly step?: (done: number, of: number, next: Work | undefined) => void;
}

/** Runs a migration: in one transaction, or step by step where each change is committed. */
export async function applyMigration(database: Database, migration: Migration, following: Following = {}): Promise<readonly Converted[]> {
  const { work, finish, model, journaled } = migration;
  const all = [...work.first, ...work.main];
  if (journaled === undefined && !database.dialect.tables.undoesTables) {
    return inSteps(database, following, async (connection) => {
      if ((await readJournal(connection, await database.tables(connection))) !== undefined) throw changedMeanwhile();
      const converted = await runAll(connection, model, all, following);
      await inTransaction(connection, () => end(connection, finish));
      return converted;
    });
  }
  if (journaled === undefined) {
    return database.write(async (connection) => {
      // Two processes that start at the same time must not create the same drafts.
      connection.lock([migrationLock]);
      if (following.waiting !== undefined) await reportWaiting(following.waiting, (async () => connection.query('SELECT 1', []))());
      const told = telling(connection, following);
      const converted = await runAll(told, model, all, following);
      await end(told, finish);
      return converted;
    }, following.stoppable);
  }
  const journal = { schema: schemaDigest(model), renames: journaled.renames, work: work.main, finish };
  return inSteps(database, following, async (connection) => {
    const live = await database.tables(connection);
    if ((await readJournal(connection, live)) !== undefined || tablesDigest(live) !== tablesDigest(journaled.before))
      throw changedMeanwhile();
    for (const each of work.first) await runWork(connection, model, each);
    await inTransaction(connection, () => writeJournal(connection, journal));
    return goOn(database, connection, model, { journal, position: { next: 0, tables: null } }, following);
  });
}

/** Finishes an interrupted migration. Throws a `StartError` for other schema files. */
export async function finishMigration(database: Database, model: ContentModel, following: Following = {}): Promise<readonly Converted[]> {
  return inSteps(database, following, async (connection) => {
    const interrupted = await readJournal(connection, await database.tables(connection));
    if (interrupted === undefined) return [];
    if (interrupted.journal.schema !== schemaDigest(model)) throw new StartError([otherSchema(interrupted)]);
    return goOn(database, connection, model, interrupted, following);
  });
}

export const describeInterrupted = ({ journal, position }: Interrupted): string =>
  `A migration of this database is not finished: ${position.next} of its ${journal.work.length} steps are done.`;

const otherSchema = (interrupted: Interrupted): string =>
  `${describeInterrupted(interrupted)} The remaining steps need the schema files with which the migration began. Restore these files, and run the same command again.`;

const changedMeanwhile = () =>
  new StartError(['Another process has changed the tables of this database since the migration was planned. Run the command again.']);

/** An arbitrary number that no other lock uses. */
const migrationLock = 8202611220005n;

/** The database refused a step, which changed nothing; `next` is its number. */
class Refused extends Error {
  readonly next: number;

  constructor(next: number, cause: unknown) {
    super('a step was refused', { cause });
    this.next = next;
  }
}

async function inSteps<T>(database: Database, following: Following, work: (connection: Connection) => Promise<T>): Promise<T> {
  const lost = database.lostConnections();
  try {
    return await database.maintain((connection) => work(telling(connection, following)), following);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // A refused step has changed nothing. If the connection was lost, the step may have been done.
    if (database.lostConnections() === lost) await database.write((connection) => forgetTables(connection, error.next));
    throw error.cause;
  }
}

/** Runs the steps that are left, on the connection of `Database.maintain`. */
async function goOn(
  database: Database,
  connection: Connection,
  model: ContentModel,
  { journal, position }: Interrupted,
  following: Following,
): Promise<readonly Converted[]> {
  const converted: Converted[] = [];
  const { work, finish } = journal;
  for (const [next, step] of work.entries()) {
    if (next < position.next) continue;
    following.step?.(next, work.length, step);
    if (changesTables(step)) {
      const tables = await definitionsDigest(database, connection, step);
      if (next === position.next && position.tables !== null && position.tables !== tables) continue;
      await writePosition(connection, { next, tables });
      await refusedAt(next, () => runWork(connection, model, step));
      continue;
    }
    const parts = partsOf(connection, model, step);
    await parts.before?.();
    converted.push(
      ...(await inTransaction(connection, async () => {
        const done = await parts.run();
        await writePosition(connection, { next: next + 1, tables: null });
        return done;
      })),
    );
    await parts.after?.();
  }
  following.step?.(work.length, work.length, undefined);
  await inTransaction(connection, async () => {
    await end(connection, finish);
    await removeJournal(connection);
  });
  return converted;
}

const quoted = /"((?:[^"]|"")+)"/g;

/** Digests the definitions of all tables that a statement names. */
async function definitionsDigest(database: Database, connection: Connection, statement: string): Promise<string> {
  if (database.definitions === undefined) throw new Error('this engine has transactions for changes of tables');
  const names = [...statement.matchAll(quoted)].map(([, name = '']) => name.replaceAll('""', '"'));
  return digestOf(JSON.stringify(await database.definitions(connection, [...new Set(names)])));
}

async function refusedAt(next: number, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Refused(next, error);
  }
}

/** After a failure, the connection is returned to the pool, which rolls back. */
async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('START TRANSACTION', []);
  const result = await work();
  await connection.query('COMMIT', []);
  return result;
}

const changesTables = (work: Work): work is string => typeof work === 'string' && /^(?:CREATE|ALTER|DROP|RENAME)\b/.test(work);

function partsOf(connection: Connection, model: ContentModel, work: Work): WorkParts<readonly Converted[]> {
  if (typeof work === 'string') {
    const run = async () => {
      await connection.query(work, []);
      return [];
    };
    return { run };
  }
  if (!('summary' in work)) return { run: async () => [await copyValues(connection, work)] };
  const parts = rowWorkParts(work, connection, model);
  return { ...parts, run: () => parts.run().then(() => []) };
}

async function runAll(
  connection: Connection,
  model: ContentModel,
  all: readonly Work[],
  { step }: Following,
): Promise<readonly Converted[]> {
  const converted: Converted[] = [];
  for (const [done, each] of all.entries()) {
    step?.(done, all.length, each);
    converted.push(...(await runWork(connection, model, each)));
  }
  step?.(all.length, all.length, undefined);
  return converted;
}

async function runWork(connection: Connection, model: ContentModel, work: Work): Promise<readonly Converted[]> {
  const parts = partsOf(connection, model, work);
  await parts.before?.();
  const converted = await parts.run();
  await parts.after?.();
  return converted;
}

async function end(connection: Connection, { isFirst, record, now }: Finish): Promise<void> {
  if (isFirst) {
    // Loaded on demand: few starts find an empty database.
    const { writeInitialRows } = await import('./initial-rows.ts');
    await writeInitialRows(connection);
  }
  if (record !== undefined) await writeRecord(connection, record, new Date(now));
}

const telling = (connection: Connection, { running, pass }: Following): Connection => ({
  dialect: connection.dialect,
  async query(text, parameters) {
    await pass?.();
    running?.(text);
    return connection.query(text, parameters);
  },
  send(text, parameters) {
    running?.(text);
    connection.send(text, parameters);
  },
  lock: (keys) => connection.lock(keys),
  changes: (keys, tables) => connection.changes(keys, tables),
  each: (text, parameters, each) => connection.each(text, parameters, each),
});

/** Names the statement at which `work` failed, and says what was changed. */
export async function orExplain<T>(database: Database, journaled: boolean, work: (running: Running) => Promise<T>): Promise<T> {
  let running: string | undefined;
  try {
    return await work((text) => {
      running = text;
    });
  } catch (error) {
    if (running === undefined || !(error instanceof Error) || error instanceof StartError) throw error;
    const changed = database.dialect.tables.undoesTables ? nothingChanged : journaled ? someDone : someAdded;
    throw new StartError([`The database refused a step: ${error.message}\n${describeWork(running)}\n${changed}`]);
  }
}

const nothingChanged = 'Nothing was changed.';
const someAdded = 'The additions of the earlier steps stay; the next run continues from there.';
const someDone =
  'The changes of the earlier steps stay. Lectern does not start until all steps are done; the next run continues with this step.';

const rowsPerBatch = 5000;

async function copyValues(connection: Connection, conversion: Conversion): Promise<Converted> {
  const { dialect } = connection;
  const { quote, placeholder } = dialect;
  const { table, from, fromType, to, toType } = conversion;
  const id = quote('id');
  const select =
    `SELECT ${id}, ${dialect.select(quote(from), fromType)} FROM ${quote(table)} ` +
    `WHERE ${quote(from)} IS NOT NULL AND ${id} > ${dialect.comparand(placeholder(1), 'id', 0)} ORDER BY ${id} LIMIT ${rowsPerBatch}`;
  let [copied, left, last] = [0, 0, 0];
  for (;;) {
    const rows = await connection.query(select, [last]);
    if (rows.length === 0) return { table, column: to, keptAs: from, copied, left };
    last = Number(rows.at(-1)?.[0]);
    const converted = rows.map(([id, value]) => ({ id: Number(id), value: convertValue(value, fromType, toType) }));
    const fitting = converted.filter((each): each is { id: number; value: SqlValue } => each.value !== undefined);
    copied += fitting.length;
    left += rows.length - fitting.length;
    for (const [value, group] of grouped(fitting, (each) => each.value))
      await writeValue(connection, conversion, { value, ids: group.map(({ id }) => id) });
  }
}

/** One statement for all rows that get the same value. */
async function writeValue(
  connection: Connection,
  { table, to, toType }: Conversion,
  { value, ids }: { readonly value: SqlValue; readonly ids: readonly number[] },
): Promise<void> {
  const { dialect } = connection;
  const { quote, placeholder } = dialect;
  const bound = dialect.store(value, toType);
  // Date-times are bound as milliseconds; other values get their type from the column.
  const assigned = storedTypeOf(toType) === 'datetime' ? dialect.comparand(placeholder(1), toType, bound) : placeholder(1);
  await connection.query(
    `UPDATE ${quote(table)} SET ${quote(to)} = ${assigned} WHERE ${dialect.isListed(quote('id'), placeholder(2), 'listed', 'ids')}`,
    [bound, dialect.bindIds(ids)],
  );
}
