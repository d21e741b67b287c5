/** `lectern transfer`: copies the database of a Strapi or Lectern project into an empty one of any
 *  engine, with the column types, names, indexes and foreign keys that Strapi would create there.
 *  It only reads the source, in one snapshot, and checks everything before it writes anything. Rows
 *  are written in batches, each with a note of its progress, so that the same command continues
 *  after an interruption; at the end, the rows of both databases are compared. */

import type { DatabaseConfig } from '../config/config.ts';
import type { Connection, Database } from '../dialects/database.ts';
import { missingFile } from '../dialects/embedded-file.ts';
import { searchPrefix } from '../dialects/search/index-parts.ts';
import { type CopiedTable, type CopiedValue, idColumnOf, type TransferEngine } from '../dialects/transfer/types.ts';
import type { ContentModel } from '../model/content-model.ts';
import { hasUnfinishedTransfer, unfinishedTransfer } from '../tables/database-origin.ts';
import { strapiSchemaTable, transferTable } from '../tables/system-tables.ts';
import { counted } from '../text/counted.ts';
import { digestOf } from '../text/digest.ts';
import { parsedObject } from '../text/json.ts';
import { knownTypesOf, knownTypesOfStrapi, type TablesToCopy, tablesToCopy } from './copied-tables.ts';
import { isProblem, isWideDecimal, type Problem, RowSum } from './copied-values.ts';
import { explaining, openSide, type Side } from './open-side.ts';
import { Problems, TransferRefused } from './refused.ts';
import {
  countDangling,
  countRows,
  deleteRows,
  highestIdIn,
  insertRows,
  maxRows,
  type Page,
  pagesOf,
  strapiRecordText,
} from './rows-store.ts';
import { beginState, createState, noteProgress, readState, type TableState } from './state-store.ts';
import { withTargetLocked } from './target-lock.ts';

export interface TransferProgress {
  /** Begins a step; the count starts anew. */
  step(name: string, total: number): void;
  advance(by: number): void;
  stop(): void;
}

export interface TransferOptions {
  readonly from: DatabaseConfig;
  readonly to: DatabaseConfig;
  /** Whether `--from` names the source: messages are about its URL, not the project's settings. */
  readonly isFromNamed?: boolean;
  /** Distinguishes types that the source does not; not needed after Strapi synchronised it. */
  readonly model?: ContentModel | undefined;
  /** Removes the tables of an interrupted transfer first. */
  readonly restart?: boolean;
  readonly progress?: TransferProgress;
  /** Asked between batches. */
  readonly isStopped?: () => boolean | Promise<boolean>;
}

export interface TransferResult {
  readonly source: string;
  readonly target: string;
  readonly tables: number;
  readonly rows: number;
  readonly indexes: number;
  readonly foreignKeys: number;
  /** Names of the indexes that Lectern had added to the source; they are not copied. */
  readonly ownIndexes: ReadonlySet<string>;
  /** Notes for the user, such as about a column with a wider type than Strapi's. */
  readonly notes: readonly string[];
}

/** The transfer was interrupted; what is written stays, and the next one continues. */
export class TransferStopped extends Error {}

interface Transfer {
  readonly source: TransferEngine;
  readonly target: Side;
  readonly tables: readonly CopiedTable[];
  readonly rows: number;
  /** The sum of the source's rows by table. */
  readonly sums: ReadonlyMap<string, RowSum>;
  readonly progress: TransferProgress;
  /** Called before each batch. Throws if the user stopped the command, or its lock is lost. */
  readonly goOn: () => Promise<void>;
}

const silent: TransferProgress = { step: () => undefined, advance: () => undefined, stop: () => undefined };

export async function transfer(options: TransferOptions): Promise<TransferResult> {
  const { progress = silent, isStopped = () => false } = options;
  const missing = missingFile(options.from);
  if (missing !== undefined) throw new TransferRefused([`${missing}: no such file`]);
  const source = await openSide(options.from, false, options.isFromNamed === true ? '--from' : undefined);
  try {
    const target = await openSide(options.to, true, '--to');
    try {
      return await withTargetLocked(options.to, target, async (verifyLock) => {
        const goOn = async () => {
          if (await isStopped()) throw new TransferStopped();
          await verifyLock();
        };
        await tablesToContinue(target);
        return source.database.read(async (from) => {
          const plan = await planOf(from, source, options);
          const checked = await check(from, { source: source.engine, target, progress, goOn }, plan);
          await goOn();
          // Reading the source took time: others may have written into the target, or used it.
          const before = await tablesToContinue(target);
          const isAnew = options.restart === true && before.length > 0;
          if (isAnew) await dropAll(target, before);
          await writeAll(from, checked, isAnew ? [] : before);
          return resultOf(checked, plan, source.engine.label);
        });
      });
    } finally {
      progress.stop();
      await target.database.close();
    }
  } finally {
    await source.database.close();
  }
}

/** The tables that an interrupted transfer has made. Throws if the target has other ones. */
async function tablesToContinue({ database }: Side): Promise<readonly string[]> {
  const names = (await database.tables()).map(({ name }) => name);
  if (names.length > 0 && !names.includes(transferTable)) throw new TransferRefused([isNotEmpty(names)]);
  return names;
}

const isNotEmpty = (names: readonly string[]): string =>
  `the target database is not empty: it has ${counted(names.length, 'table')} (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}). Create an empty database, and name it with --to.`;

function resultOf({ target, tables, rows }: Transfer, plan: TablesToCopy, source: string): TransferResult {
  const count = (of: 'indexes' | 'foreignKeys') => tables.reduce((sum, table) => sum + table[of].length, 0);
  return {
    source,
    target: target.engine.label,
    tables: tables.length,
    rows,
    indexes: count('indexes'),
    foreignKeys: count('foreignKeys'),
    ownIndexes: plan.ownIndexes,
    notes: [...plan.notes, ...tables.flatMap(widened)],
  };
}

async function planOf(from: Connection, source: Side, { model, isFromNamed }: TransferOptions): Promise<TablesToCopy> {
  // Full-text indexes are made anew: `lectern search build`.
  const catalogue = (await source.engine.catalogue(from)).filter(({ name }) => !name.startsWith(searchPrefix));
  if (hasUnfinishedTransfer(catalogue))
    throw new TransferRefused([`${isFromNamed === true ? '--from' : 'the source'}: ${unfinishedTransfer}`]);
  const hasRecord = catalogue.some(({ name }) => name === strapiSchemaTable);
  const record = hasRecord ? parsedObject(await strapiRecordText(from, source.engine, strapiSchemaTable)) : undefined;
  const known = new Map([...knownTypesOfStrapi(record ?? {}), ...(model === undefined ? [] : knownTypesOf(model))]);
  const plan = tablesToCopy(catalogue, from.dialect, known);
  const problems = new Problems();
  for (const problem of plan.problems) problems.add(problem);
  problems.refuse();
  return plan;
}

const widened = ({ name, columns }: CopiedTable): string[] =>
  columns
    .filter(({ isWide }) => isWide)
    .map((column) => `${name}.${column.name} has decimals that Strapi's column would round, so its column is wider.`);

/** Reads every row: whether the target can hold it, and its part of the checksum. */
async function check(
  from: Connection,
  context: Pick<Transfer, 'source' | 'target' | 'progress' | 'goOn'>,
  plan: TablesToCopy,
): Promise<Transfer> {
  const { source, target, progress, goOn } = context;
  const problems = new Problems();
  const sums = new Map<string, RowSum>();
  const tables: CopiedTable[] = [];
  let rows = 0;
  for (const table of plan.tables) rows += await countRows(from, table);
  progress.step('Checking rows', rows);
  for (const table of plan.tables) {
    const sum = new RowSum();
    const wide = new Set<string>();
    for await (const page of pagesOf(from, source, table)) {
      await goOn();
      for (const row of page.rows) {
        const values = row.values.map((value, at): CopiedValue => {
          const column = table.columns[at];
          if (column === undefined) return null;
          const problem = isProblem(value) ? value.problem : target.engine.misfit(value, column);
          if (problem !== undefined) problems.add(`${table.name}.${column.name} of ${row.name}: ${problem}`);
          if (isProblem(value)) return null;
          if (column.type === 'decimal' && value !== null && isWideDecimal(value)) wide.add(column.name);
          return value;
        });
        sum.add(values, table.columns);
      }
      progress.advance(page.rows.length);
    }
    for (const key of table.foreignKeys) {
      const count = await countDangling(from, table, key);
      if (count > 0)
        problems.add(`${table.name}: ${count} rows refer to rows of ${key.target} that do not exist (foreign key ${key.name})`);
    }
    sums.set(table.name, sum);
    tables.push({ ...table, columns: table.columns.map((column) => ({ ...column, isWide: wide.has(column.name) })) });
  }
  problems.refuse();
  return { ...context, tables, rows, sums };
}

/** After `check`, the source has no problems. */
const withoutProblem = (value: CopiedValue | Problem): CopiedValue => (isProblem(value) ? null : value);

async function dropAll({ database, engine }: Side, names: readonly string[]): Promise<void> {
  await onOneConnection(database, engine.prepare);
  // MariaDB drops one by one: the state comes last, to leave a transfer's target if interrupted.
  await inOneTransaction(database, engine.dropTables([...names.filter((name) => name !== transferTable), transferTable]));
}

const inOneTransaction = (database: Database, statements: readonly string[]): Promise<void> =>
  database.write(async (to) => {
    for (const statement of statements) await to.query(statement, []);
  });

const onOneConnection = (database: Database, statements: readonly string[]): Promise<void> =>
  database.maintain(async (connection) => {
    for (const statement of statements) await connection.query(statement, []);
  });

async function writeAll(from: Connection, transfer: Transfer, before: readonly string[]): Promise<void> {
  const { target, tables } = transfer;
  const { database, engine } = target;
  await onOneConnection(database, engine.prepare);
  const digest = digestOf(JSON.stringify([transfer.source.label, tables]));
  if (!before.includes(transferTable)) {
    await database.write((to) => createState(to, engine));
    // From now on, no start of a server uses the database; one may have begun before.
    const others = (await database.tables()).map(({ name }) => name).filter((name) => name !== transferTable);
    if (others.length > 0) {
      await inOneTransaction(database, engine.dropTables([transferTable]));
      throw new TransferRefused([isNotEmpty(others)]);
    }
  }
  const stored = await database.read(readState);
  if (stored.digest === undefined) await database.write((to) => beginState(to, digest, tables));
  const state = stored.digest === undefined ? await database.read(readState) : stored;
  if (state.digest !== digest) {
    throw new TransferRefused([
      'the target has the rows of an interrupted transfer, and the tables of the source have changed since. Run the same command with --restart to start again.',
    ]);
  }
  await inOneTransaction(
    database,
    tables.filter(({ name }) => !before.includes(name)).map((table) => engine.createTable(table, database.dialect)),
  );
  transfer.progress.step('Copying rows', transfer.rows);
  const copy: Copy = { ...transfer, states: state.tables, isContinued: stored.digest !== undefined };
  await copyRows(from, copy);
  await addIndexesAndKeys(copy);
  await transfer.goOn();
  await continueIds(transfer);
  await compare(transfer);
  await transfer.goOn();
  await inOneTransaction(database, [...tables.map(({ name }) => engine.analyse(name)), ...engine.dropTables([transferTable])]);
}

interface Copy extends Transfer {
  /** How far each table was copied before. */
  readonly states: ReadonlyMap<string, TableState>;
  readonly isContinued: boolean;
}

/** A page of rows that is to be written. */
interface Portion {
  readonly table: CopiedTable;
  readonly page: Page;
}

async function copyRows(from: Connection, transfer: Copy): Promise<void> {
  const { target, tables, sums, progress, goOn, states, isContinued } = transfer;
  // Small tables share a transaction.
  let [portions, length]: [Portion[], number] = [[], 0];
  const write = async () => {
    await goOn();
    const written = portions;
    [portions, length] = [[], 0];
    const [first, last] = [written[0], written.at(-1)].map((each) => `${each?.table.name}, ${each?.page.rows[0]?.name ?? 'no row'}`);
    const what = first === last ? String(first) : `${first} to ${last}`;
    await explaining(target, { what, isContinued }, () => target.database.write((to) => writePortions(to, written, states)));
    progress.advance(written.reduce((sum, { page }) => sum + page.rows.length, 0));
  };
  for (const table of tables) {
    const state = states.get(table.name);
    if (state?.isDone) {
      progress.advance(sums.get(table.name)?.rows ?? 0);
      continue;
    }
    for await (const page of pagesOf(from, transfer.source, table, state?.last)) {
      portions.push({ table, page });
      length += page.rows.length;
      if (length >= maxRows || !page.isLast) await write();
    }
  }
  if (portions.length > 0) await write();
}

function writePortions(to: Connection, portions: readonly Portion[], states: ReadonlyMap<string, TableState>): void {
  for (const { table, page } of portions) {
    // Without ids, nothing says which rows an interrupted transfer has written.
    if (page.isFirst && idColumnOf(table) === undefined && states.has(table.name)) deleteRows(to, table);
    insertRows(
      to,
      table,
      page.rows.map(({ values }) => values.map(withoutProblem)),
    );
    noteProgress(to, table.name, { last: page.last, isDone: page.isLast });
  }
}

async function addIndexesAndKeys({ target, tables, progress, goOn, isContinued }: Copy): Promise<void> {
  const { database, engine } = target;
  const live = new Map((await database.read((to) => engine.catalogue(to))).map((table) => [table.name, table]));
  const add = <Kind extends 'indexes' | 'foreignKeys'>(
    kind: Kind,
    name: string,
    statementOf: (table: string, each: CopiedTable[Kind][number]) => string,
  ) =>
    database.write(async (to) => {
      for (const table of tables) {
        await goOn();
        const present = new Set(live.get(table.name)?.[kind].map((each) => each.name));
        for (const each of table[kind].filter((one) => !present.has(one.name))) {
          const what = `${table.name}: ${name} ${each.name}`;
          await explaining(target, { what, isContinued }, async () => to.query(statementOf(table.name, each), []));
        }
        if (kind === 'indexes') progress.advance(1);
      }
    });
  progress.step('Creating indexes', tables.length);
  await add('indexes', 'index', engine.createIndex);
  if (engine.addForeignKey !== undefined) await add('foreignKeys', 'foreign key', engine.addForeignKey);
}

/** New ids continue after the highest one that was ever generated. */
async function continueIds({ target: { database, engine }, tables }: Transfer): Promise<void> {
  await database.write(async (to) => {
    for (const table of tables) {
      const id = idColumnOf(table);
      if (id === undefined) continue;
      const last = Math.max(table.highestId, await highestIdIn(to, table, id));
      if (last > 0) for (const statement of engine.continueIds(table.name, id, last)) await to.query(statement, []);
    }
  });
}

/** Reads what was written, and compares it with what was read. */
async function compare({ target: { database, engine }, tables, rows, sums, progress, goOn }: Transfer): Promise<void> {
  const differences = new Problems();
  progress.step('Comparing rows', rows);
  await database.read(async (to) => {
    for (const table of tables) {
      const sum = new RowSum();
      for await (const page of pagesOf(to, engine, table)) {
        await goOn();
        for (const { values } of page.rows) sum.add(values.map(withoutProblem), table.columns);
        progress.advance(page.rows.length);
      }
      const expected = sums.get(table.name);
      if (expected === undefined || sum.text === expected.text) continue;
      const what = sum.rows === expected.rows ? 'its checksum differs' : `it has ${sum.rows} rows in place of ${expected.rows}`;
      differences.add(`${table.name}: ${what}`);
    }
  });
  differences.refuse(
    'The rows of both databases differ. If the source was written between an interruption and now, run the same command with --restart.',
  );
}
