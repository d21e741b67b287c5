/** `lectern transfer`: copies the SQLite database of a Strapi or Lectern project into an empty PostgreSQL database, with the column types, names,
 *  indexes and foreign keys that Strapi itself would have created there. The source is opened for reading only; the target is written in one
 *  transaction. This command is specific to two databases, so it reads SQLite's catalogue itself; other commands use the dialect. */
import { existsSync } from 'node:fs';
import type { DatabaseConfig } from '../../config/config.ts';
import type { Connection } from '../../dialects/dialect.ts';
import { openDatabase } from '../../dialects/open-database.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { run } from '../../sql/run.ts';
import { type SourceValue, toPostgresValue } from './postgres-value.ts';
import { explaining, TransferRefused } from './refused.ts';
import { decimalsOfModel, decimalsOfStrapi, describeTable, highestIds, rowsOf, tableNames } from './source-store.ts';
import type { CopiedTable } from './tables.ts';
import { addForeignKey, analyse, continueSequence, createCopiedIndex, createCopiedTable, insertRows } from './target-store.ts';

export interface TransferOptions {
  /** Path of the SQLite file. */
  readonly from: string;
  /** `postgres://user:password@host:port/database`; its tables must not exist yet. */
  readonly to: string;
  /** Distinguishes decimals from floats, whose declarations in SQLite are equal. It is not needed for a database that Strapi has synchronised. */
  readonly model?: ContentModel | undefined;
}

export interface TransferResult {
  readonly tables: number;
  readonly rows: number;
  readonly indexes: number;
  readonly foreignKeys: number;
  /** Notes for the user, for instance about a column with a wider type than Strapi would have given it. */
  readonly notes: readonly string[];
}

/** This many problems are printed, and the rest are only counted. */
const problemsShown = 50;

export async function transfer(options: TransferOptions): Promise<TransferResult> {
  if (!existsSync(options.from)) throw new TransferRefused([`${options.from}: no such file`]);
  const { openSqliteReader } = await import('../../dialects/sqlite-connection.ts');
  const source = openSqliteReader(options.from, undefined);
  const target = await openDatabase(targetConfig(options.to), { create: false, statementTime: 0 });
  try {
    const existing = await target.tables();
    if (existing.length > 0) {
      const names = existing.slice(0, 5).map((table) => table.name);
      throw new TransferRefused([
        `the target database is not empty: it has ${existing.length} tables (${names.join(', ')}${existing.length > 5 ? ', …' : ''}). Create an empty database, and name it with --to.`,
      ]);
    }
    return await source.snapshot((from) => target.write((to) => copy(from, to, options.model)));
  } finally {
    source.close();
    await target.close();
  }
}

/** The lines that the command prints at the end. */
export function describeTransfer(result: TransferResult): string {
  const count = (n: number) => n.toLocaleString('en-GB');
  return [
    `Copied ${count(result.tables)} tables with ${count(result.rows)} rows, ${count(result.indexes)} indexes and ${count(result.foreignKeys)} foreign keys.`,
    ...result.notes,
  ].join('\n');
}

const targetConfig = (url: string): DatabaseConfig => ({
  client: 'postgres',
  filename: '',
  url,
  host: undefined,
  port: undefined,
  name: undefined,
  username: undefined,
  password: undefined,
  schema: undefined,
  ssl: false,
  sslCa: undefined,
  sslCert: undefined,
  sslKey: undefined,
  sslRejectUnauthorized: true,
  unusedServer: undefined,
  poolMin: 0,
  poolMax: 1,
  preparedStatements: true,
  tableVersions: false,
  connectionTime: 10_000,
  readers: 0,
  durable: true,
});

async function copy(from: Connection, to: Connection, model: ContentModel | undefined): Promise<TransferResult> {
  const problems: string[] = [];
  const notes: string[] = [];
  const decimals = new Set([...(model === undefined ? [] : decimalsOfModel(model)), ...(await decimalsOfStrapi(from))]);
  const tables: CopiedTable[] = [];
  for (const name of await tableNames(from)) tables.push(await describeTable(from, to.dialect, name, { decimals, problems, notes }));
  if (problems.length > 0) throw new TransferRefused(problems);

  for (const table of tables) await run(to, createCopiedTable(table));
  let rows = 0;
  for (const table of tables) rows += await copyRows(from, to, table, problems);
  if (problems.length > 0) {
    const more = problems.length - problemsShown;
    throw new TransferRefused([...problems.slice(0, problemsShown), ...(more > 0 ? [`… and ${more} more`] : [])]);
  }

  for (const table of tables) for (const index of table.indexes) await run(to, createCopiedIndex(table, index));
  for (const table of tables) {
    for (const key of table.foreignKeys) {
      await explaining(`${table.name}: foreign key ${key.name}`, () => run(to, addForeignKey(table, key)));
    }
  }
  const sequences = new Map(await highestIds(from));
  for (const table of tables) await continueSequence(to, table, sequences.get(table.name) ?? 0);
  for (const table of tables) await run(to, analyse(table));
  const count = (of: 'indexes' | 'foreignKeys') => tables.reduce((sum, table) => sum + table[of].length, 0);
  return { tables: tables.length, rows, indexes: count('indexes'), foreignKeys: count('foreignKeys'), notes };
}

async function copyRows(from: Connection, to: Connection, table: CopiedTable, problems: string[]): Promise<number> {
  let copied = 0;
  for await (const rows of rowsOf(from, table)) {
    const columns = table.columns.map((column, at) =>
      rows.map((row) => {
        const converted = toPostgresValue(row[at + 1] as SourceValue, column);
        if (typeof converted !== 'object' || converted === null) return converted;
        problems.push(`${table.name}.${column.name} of row ${String(row[0])}: ${converted.problem}`);
        return null;
      }),
    );
    // After a problem nothing will be committed, but the other rows are still checked so that all problems are reported together.
    const [first, last] = [rows[0], rows.at(-1)].map((row) => Number(row?.[0]));
    if (problems.length === 0) {
      await explaining(`${table.name}, rows ${first} to ${last}`, () => run(to, insertRows(table, columns)));
    }
    copied += rows.length;
  }
  return copied;
}
