/** The steps of a migration on an engine that commits each change of a table at once: there, the
 *  next migration finishes an interrupted one.
 *
 *  Two of Strapi's settings store them while it runs: all steps, and the next one. A step
 *  that changes rows is committed with the note that it is done. Before a step that changes a
 *  table, a digest of the tables that it names is stored: after an interruption, another digest
 *  shows that it was done. */
import type { Connection, LiveTable } from '../dialects/database.ts';
import { literal } from '../dialects/quote.ts';
import type { ContentModel } from '../model/content-model.ts';
import { readSetting, writeSetting } from '../tables/settings-store.ts';
import { settingsTable } from '../tables/system-tables.ts';
import { digestOf } from '../text/digest.ts';
import { isObject } from '../text/json.ts';
import { type RecordedTable, recordOf } from './recorded/recorded-schema.ts';
import type { Work } from './steps.ts';

/** How a migration ends. */
export interface Finish {
  /** Whether the first rows of a new database are written. */
  readonly isFirst: boolean;
  /** The next record; undefined if Strapi's own is the only one. */
  readonly record: readonly RecordedTable[] | undefined;
  /** Milliseconds. */
  readonly now: number;
}

export interface Journal {
  /** Of the model, since steps depend on it. */
  readonly schema: string;
  /** The renames that were asked for. */
  readonly renames: readonly string[];
  readonly work: readonly Work[];
  readonly finish: Finish;
}

/** A migration with steps that are left. */
export interface Interrupted {
  readonly journal: Journal;
  readonly position: Position;
}

export interface Position {
  /** The steps before it are done. */
  readonly next: number;
  /** The digest of the tables that the next step changes; null if it has not begun. */
  readonly tables: string | null;
}

const [journalKey, positionKey] = ['lectern_migration', 'lectern_migration_position'];

/** Digests what steps depend on: the model's tables with the options of its types. Indexes and
 *  system tables differ between versions of Lectern. */
export function schemaDigest(model: ContentModel): string {
  const tables = [...recordOf(model).values()].filter(({ origin }) => origin.uid !== 'system');
  return digestOf(JSON.stringify(tables.map(({ indexes, ...table }) => table)));
}

/** Shows whether tables have changed since a migration was planned. */
export const tablesDigest = (tables: readonly LiveTable[]): string =>
  digestOf(
    JSON.stringify(
      tables
        .map(({ name, columns, indexes, constraints }) => [name, [...columns].sort(), [...indexes].sort(), [...constraints].sort()])
        .sort(),
    ),
  );

/** Undefined if no migration was interrupted. */
export async function readJournal(connection: Connection, live: readonly LiveTable[]): Promise<Interrupted | undefined> {
  if (!live.some(({ name }) => name === settingsTable)) return undefined;
  const [journal, position] = [await readSetting(connection, journalKey), await readSetting(connection, positionKey)];
  return isObject(journal) && isObject(position) ? ({ journal, position } as unknown as Interrupted) : undefined;
}

export async function writeJournal(connection: Connection, journal: Journal): Promise<void> {
  // `readJournal` ignores a journal without a position, so the position is written last.
  await writeSetting(connection, journalKey, journal);
  await writePosition(connection, { next: 0, tables: null });
}

export const writePosition = (connection: Connection, position: Position): Promise<void> => writeSetting(connection, positionKey, position);

/** Notes that a step has changed nothing, unless another process has continued meanwhile. */
export async function forgetTables(connection: Connection, next: number): Promise<void> {
  const position = await readSetting(connection, positionKey);
  if (isObject(position) && position.next === next) await writePosition(connection, { next, tables: null });
}

export async function removeJournal(connection: Connection): Promise<void> {
  const { quote } = connection.dialect;
  const keys = [positionKey, journalKey].map(literal).join(', ');
  await connection.query(`DELETE FROM ${quote(settingsTable)} WHERE ${quote('key')} IN (${keys})`, []);
}
