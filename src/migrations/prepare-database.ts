/** Migrates the database at the start and for `lectern migrate`. */
import type { Config } from '../config/config.ts';
import type { Connection, Database } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { clashingTables, type DatabaseOrigin } from '../tables/database-origin.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { applyMigration, applyOrExplain, type Converted } from './apply-migration.ts';
import {
  describeMissing,
  describeMoves,
  describePending,
  describeRowChanges,
  describeSeveralDocuments,
  movedTypes,
  stopsStart,
} from './describe/describe-refusal.ts';
import {
  type Changes,
  type Choices,
  type DatabaseState,
  planChanges,
  readDatabaseState,
  removesRowsOf,
  type Thoroughness,
} from './plan-changes.ts';
import { isIncomplete, nextRecord, recordsOptions, writeRecord } from './recorded/recorded-schema.ts';
import { describeWriteLog } from './schema/write-log-steps.ts';

export type Preparation =
  | {
      readonly ok: true;
      /** `created`: all tables and the first rows were created; `extended`: missing ones were added; `unchanged`: nothing was done. */
      readonly outcome: 'created' | 'extended' | 'unchanged';
      readonly origin: DatabaseOrigin;
      /** The statements that were run. */
      readonly statements: readonly string[];
      /** Changes of rows, a sentence each. */
      readonly rows: readonly string[];
      /** Decisions that the start leaves to a person, a line each; or empty. */
      readonly openDecisions: string;
    }
  | RefusedMigration;

export type RefusedMigration = {
  readonly ok: false;
  readonly origin: DatabaseOrigin;
  readonly problems: readonly string[];
  /** A start that may change the database solves all of these problems. */
  readonly startRepairs: boolean;
  /** Decisions that then remain for a person, a line each; or empty. */
  readonly openDecisions: string;
};

/** The result of `lectern migrate apply`. */
export type Migrated =
  | {
      readonly ok: true;
      readonly outcome: 'created' | 'changed' | 'unchanged';
      readonly origin: DatabaseOrigin;
      readonly changes: Changes;
      readonly converted: readonly Converted[];
    }
  | RefusedMigration;

const nothingElse: Choices = { renames: [], allowDestructive: false };

/** Sets up an empty database, and adds missing tables and columns to one that Lectern made; with `migrate: 'never'` it only reports.
 *  A database that Strapi made is never altered, since Strapi alters its tables itself.
 *  Messages name commands for the project in `dir`, by default the working folder. Throws when the database refuses a statement. */
export async function prepareDatabase(
  database: Database,
  model: ContentModel,
  { migrate, dir }: Pick<Config, 'migrate'> & Partial<Pick<Config, 'dir'>>,
): Promise<Preparation> {
  const now = new Date();
  const inspection = await inspect(database, model, now);
  if ('ok' in inspection) return inspection;
  // Strapi makes no statistics, so its databases get none unasked.
  if (inspection.origin !== 'strapi') database.collectStatistics();
  if (inspection.origin !== 'strapi' && migrate === 'auto') return add(database, model, inspection, { now, dir });
  return reportOnly(model, inspection, dir);
}

/** Returns what `migrateDatabase` would do with the same choices. */
export async function planDatabase(
  database: Database,
  model: ContentModel,
  { choices, now, thoroughness = 'thoroughly' }: { readonly choices: Choices; readonly now: Date; readonly thoroughness?: Thoroughness },
): Promise<Changes | RefusedMigration> {
  const state = await readDatabaseState(database, model, thoroughness);
  if (state.origin === 'foreign') return foreign(state.live, model);
  const changes = planChanges(database, model, state, { choices, now });
  return changes.problems.length === 0
    ? changes
    : { ok: false, origin: state.origin, problems: changes.problems, startRepairs: false, openDecisions: '' };
}

/** `lectern migrate apply`, for databases of Lectern and of Strapi. Throws a `StartError` when the database refuses a step; then nothing has changed. */
export async function migrateDatabase(
  database: Database,
  model: ContentModel,
  choices: Choices = nothingElse,
  now = new Date(),
): Promise<Migrated> {
  const state = await readDatabaseState(database, model, 'thoroughly');
  if (state.origin === 'foreign') return foreign(state.live, model);
  const { origin } = state;
  const changes = planChanges(database, model, state, { choices, now });
  if (changes.problems.length > 0) return { ok: false, origin, problems: changes.problems, startRepairs: false, openDecisions: '' };
  const finish = finishing(database, model, { state, changes, now });
  if (changes.work.length === 0) {
    // Tables that were restored by hand are recorded again.
    const isOld = state.own !== undefined && (isIncomplete(state.own, model) || !recordsOptions(state.own, model));
    if (isOld) await applyMigration(database, [], finish);
    return { ok: true, outcome: 'unchanged', origin, changes, converted: [] };
  }
  const converted = await applyOrExplain(database, changes.work, finish);
  return { ok: true, outcome: origin === 'nobody' ? 'created' : 'changed', origin, changes, converted };
}

type UsableOrigin = Exclude<DatabaseOrigin, 'foreign'>;
interface Inspection {
  readonly origin: UsableOrigin;
  readonly state: DatabaseState;
  readonly changes: Changes;
}

async function inspect(database: Database, model: ContentModel, now: Date): Promise<Inspection | RefusedMigration> {
  const state = await readDatabaseState(database, model, 'quickly');
  const { origin, live } = state;
  if (origin === 'foreign') return foreign(live, model);
  return { origin, state, changes: planChanges(database, model, state, { choices: nothingElse, now }) };
}

function foreign(live: DatabaseState['live'], model: ContentModel): RefusedMigration {
  const names = clashingTables(live, model).map((name) => `"${name}"`);
  const problem = `The database has tables of another program under names that are needed here: ${names.join(', ')}. Use another database or schema.`;
  return { ok: false, origin: 'foreign', problems: [problem], startRepairs: false, openDecisions: '' };
}

/** The steps that the start runs by itself: none that removes anything from use. */
const ownWork = ({ additions, rows, writeLog }: Changes): Changes['work'] => [
  ...additions.statements,
  ...[...rows, ...writeLog.add].flatMap(({ work }) => work),
];

function reportOnly(model: ContentModel, { origin, state, changes }: Inspection, dir: string | undefined): Preparation {
  const apply = lecternCommand('migrate apply', dir);
  const moves = describeMoves(changes, apply);
  const missing =
    origin === 'nobody'
      ? [`The database is empty and may not be changed (LECTERN_MIGRATE=never). Run \`${apply}\` to create its tables.`]
      : // A type whose rows are in a table with a former name needs a rename, so its table is not reported as missing.
        describeMissing(changes.additions, model, { origin, except: movedTypes(changes), dir });
  const problems = [...missing, ...moves, ...describeRowChanges(state.rowChanges, origin, dir)];
  const startRepairs = origin !== 'strapi' && !stopsStart(changes);
  const openDecisions = describeAll(state, changes, dir);
  if (problems.length > 0) return { ok: false, origin, problems, startRepairs, openDecisions };
  return { ok: true, outcome: 'unchanged', origin, statements: [], rows: [], openDecisions };
}

async function add(
  database: Database,
  model: ContentModel,
  { origin, state, changes }: Inspection,
  { now, dir }: { readonly now: Date; readonly dir: string | undefined },
): Promise<Preparation> {
  if (stopsStart(changes)) {
    const problems = [
      ...describeMoves(changes, lecternCommand('migrate apply', dir)),
      ...describeRowChanges(state.rowChanges, origin, dir),
    ];
    return { ok: false, origin, problems, startRepairs: false, openDecisions: '' };
  }
  if (changes.problems.length > 0) return { ok: false, origin, problems: changes.problems, startRepairs: false, openDecisions: '' };
  const unchanged = { ok: true, outcome: 'unchanged', statements: [], rows: [] } as const;
  const done = { ...changes, writeLog: { ...changes.writeLog, tables: [] } };
  const work = ownWork(changes);
  if (work.length === 0 && (state.own === undefined || recordsOptions(state.own, model)))
    return { ...unchanged, origin, openDecisions: describeAll(state, changes, dir) };
  try {
    // A start runs only the steps that add something.
    await applyMigration(database, work, finishing(database, model, { state, changes, now }));
  } catch (error) {
    if (database.errorKindOf(error) === 'time' && changes.rows.length > 0)
      return { ok: false, origin, problems: [tooLong(dir)], startRepairs: false, openDecisions: '' };
    // Another process may have done the same at the same time; then nothing is left to do.
    const second = await inspect(database, model, now);
    if (!('ok' in second) && ownWork(second.changes).length === 0)
      return { ...unchanged, origin: second.origin, openDecisions: describeAll(second.state, second.changes, dir) };
    throw error;
  }
  return {
    ok: true,
    outcome: origin === 'nobody' ? 'created' : work.length === 0 ? 'unchanged' : 'extended',
    origin,
    statements: [...changes.additions.statements, ...changes.writeLog.add.flatMap((step) => step.work)],
    rows: changes.rows.map(({ reason }) => reason),
    openDecisions: describeAll(state, done, dir),
  };
}

/** Warnings for a person at the start, a line each. */
const describeAll = ({ severalDocuments }: DatabaseState, changes: Changes, dir: string | undefined): string =>
  [describePending(changes, dir), describeWriteLog(changes.writeLog, dir), ...describeSeveralDocuments(severalDocuments)]
    .filter((line) => line !== '')
    .join('\n');

const tooLong = (dir: string | undefined): string =>
  `The entries must be migrated to the options of their types, which takes longer than limits.statementTime allows at the start. Run \`${lecternCommand('migrate apply', dir)}\`.`;

/** The last part of the transaction writes the first rows of a new database, and the record of its tables. */
function finishing(
  database: Database,
  model: ContentModel,
  { state, changes, now }: { readonly state: DatabaseState; readonly changes: Changes; readonly now: Date },
) {
  return async (connection: Connection): Promise<void> => {
    if (state.origin === 'nobody') {
      // Loaded on demand: few starts find an empty database.
      const { writeInitialRows } = await import('./initial-rows.ts');
      await writeInitialRows(connection, database.dialect);
    }
    // A database that Strapi made has Strapi's record.
    if (state.origin === 'strapi' && state.own === undefined) return;
    const before = state.own === undefined ? new Map() : changes.record;
    // A later migration of the rows needs their present options.
    const left = changes.allowed ? [] : state.rowChanges.filter(({ type }) => removesRowsOf(changes, type));
    const unfollowed = new Set(left.map(({ type }) => type.uid));
    const next = nextRecord(before, model, changes.live, { now: now.toISOString(), settled: changes.allowed, unfollowed });
    await writeRecord(connection, next, database.dialect, now);
  };
}
