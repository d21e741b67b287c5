/** Migrates the database at the start and for `lectern migrate`. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { clashingTables, type DatabaseOrigin, hasUnfinishedTransfer, unfinishedTransfer } from '../tables/database-origin.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import {
  applyMigration,
  type Converted,
  describeInterrupted,
  type Following,
  finishMigration,
  type Migration,
  orExplain,
} from './apply-migration.ts';
import { type ChangedType, describeChangedTypes } from './changed-types.ts';
import {
  describeMissing,
  describeMoves,
  describePending,
  describeRowChanges,
  describeSeveralDocuments,
  movedTypes,
  stopsStart,
} from './describe/describe-refusal.ts';
import type { Finish } from './journal.ts';
import { type Changes, type Choices, type DatabaseState, planChanges, readDatabaseState, removesRowsOf, workOf } from './plan-changes.ts';
import { isIncomplete, nextRecord, recordsOptions } from './recorded/recorded-schema.ts';
import type { Thoroughness } from './rows/row-changes.ts';

export type Preparation =
  | ({
      readonly ok: true;
      /** `created`: all tables and the first rows were created; `extended`: missing ones were
       *  added; `unchanged`: nothing was done. */
      readonly outcome: 'created' | 'extended' | 'unchanged';
      readonly origin: DatabaseOrigin;
      /** The statements that were run. */
      readonly statements: readonly string[];
      /** Changes of rows, a sentence each. */
      readonly rows: readonly string[];
      /** Attributes that are served as their columns are (`withColumnTypes`). */
      readonly changedTypes: readonly ChangedType[];
    } & OpenDecisions)
  | RefusedMigration;

/** What the start leaves to a person. */
interface OpenDecisions {
  /** A line each; or empty. */
  readonly openDecisions: string;
  /** Whether something among them is not served as the schema files say. A rename may be none. */
  readonly hasOpenChanges: boolean;
}

export type RefusedMigration = {
  readonly ok: false;
  readonly origin: DatabaseOrigin;
  readonly problems: readonly string[];
  /** A start that may change the database solves all of these problems; then the decisions
   *  remain. */
  readonly startRepairs: boolean;
} & OpenDecisions;

function refused(origin: DatabaseOrigin, problems: readonly string[]): RefusedMigration {
  return { ok: false, origin, problems, startRepairs: false, openDecisions: '', hasOpenChanges: false };
}

/** The result of `lectern migrate apply`. */
export type Migrated =
  | {
      readonly ok: true;
      readonly outcome: 'created' | 'changed' | 'unchanged';
      readonly origin: DatabaseOrigin;
      readonly changes: Changes;
      readonly converted: readonly Converted[];
      /** Whether a migration that was interrupted was finished before. */
      readonly hasFinished: boolean;
    }
  | RefusedMigration;

const nothingElse: Choices = { renames: [], allowDestructive: false };

/** Sets up an empty database, and adds missing tables and columns to one that Lectern made; with
 *  `migrate: 'never'` it only reports. A database that Strapi made is never altered, since Strapi
 *  alters its tables itself. Messages name commands for the project in `dir`, by default the
 *  current folder. Throws when the database refuses a statement. */
export async function prepareDatabase(
  database: Database,
  model: ContentModel,
  { migrate, dir }: Pick<Config, 'migrate'> & Partial<Pick<Config, 'dir'>>,
): Promise<Preparation> {
  const now = new Date();
  const inspection = await inspect(database, model, now);
  if ('ok' in inspection) return inspection;
  if (inspection.state.interrupted !== undefined) return refuseInterrupted(inspection.state, dir);
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
  if (hasUnfinishedTransfer(state.live)) return refuseTransfer;
  if (state.origin === 'foreign') return foreign(state.live, model);
  if (state.interrupted !== undefined) return refuseInterrupted(state, undefined);
  const changes = planChanges(database, model, state, { choices, now });
  return changes.problems.length === 0 ? changes : refused(state.origin, changes.problems);
}

/** `lectern migrate apply`, for databases of Lectern and of Strapi. Throws a `StartError` when the
 *  database refuses a step; then nothing has changed. */
export async function migrateDatabase(
  database: Database,
  model: ContentModel,
  choices: Choices = nothingElse,
  now = new Date(),
  following: Following = {},
): Promise<Migrated> {
  let state = await readDatabaseState(database, model, 'thoroughly');
  if (hasUnfinishedTransfer(state.live)) return refuseTransfer;
  if (state.origin === 'foreign') return foreign(state.live, model);
  const { origin, interrupted } = state;
  const earlier: Converted[] = [];
  if (interrupted !== undefined) {
    earlier.push(...(await orExplain(database, true, (running) => finishMigration(database, model, { ...following, running }))));
    state = await readDatabaseState(database, model, 'thoroughly');
  }
  const hasFinished = interrupted !== undefined;
  // What the interrupted migration has renamed needs no rename any more.
  const renames = choices.renames.filter((each) => interrupted?.journal.renames.includes(each) !== true);
  const changes = planChanges(database, model, state, { choices: { ...choices, renames }, now });
  if (changes.problems.length > 0) return refused(origin, changes.problems);
  const finish = finishOf(model, { state, changes, now });
  if (changes.work.length === 0) {
    // Tables that were restored by hand are recorded again.
    const isOld = state.own !== undefined && (isIncomplete(state.own, model) || !recordsOptions(state.own, model));
    if (isOld) await applyMigration(database, { model, work: noWork, finish, journaled: undefined });
    return { ok: true, outcome: hasFinished ? 'changed' : 'unchanged', origin, changes, converted: earlier, hasFinished };
  }
  const isJournaled = !database.dialect.tables.undoesTables && !changes.isRepeatable;
  const journaled = isJournaled ? { renames, before: state.live } : undefined;
  const work = { first: workOf(changes.formerLog), main: changes.main };
  const migration: Migration = { model, work, finish, journaled };
  const converted = await orExplain(database, isJournaled, (running) => applyMigration(database, migration, { ...following, running }));
  return {
    ok: true,
    outcome: origin === 'nobody' ? 'created' : 'changed',
    origin,
    changes,
    converted: [...earlier, ...converted],
    hasFinished,
  };
}

const noWork: Migration['work'] = { first: [], main: [] };
const isEmpty = ({ first, main }: Migration['work']): boolean => first.length + main.length === 0;

function refuseInterrupted({ interrupted, origin }: DatabaseState, dir: string | undefined): RefusedMigration {
  if (interrupted === undefined) throw new Error('no migration was interrupted');
  const problem = `${describeInterrupted(interrupted)} Run \`${lecternCommand('migrate apply', dir)}\`: it waits while another process runs the migration, and otherwise finishes it.`;
  return refused(origin, [problem]);
}

/** Whatever its tables look like so far, they are not those of a project. */
const refuseTransfer = refused('foreign', [unfinishedTransfer]);

type UsableOrigin = Exclude<DatabaseOrigin, 'foreign'>;
interface Inspection {
  readonly origin: UsableOrigin;
  readonly state: DatabaseState;
  readonly changes: Changes;
}

async function inspect(database: Database, model: ContentModel, now: Date): Promise<Inspection | RefusedMigration> {
  const state = await readDatabaseState(database, model, 'quickly');
  const { origin, live } = state;
  if (hasUnfinishedTransfer(live)) return refuseTransfer;
  if (origin === 'foreign') return foreign(live, model);
  return { origin, state, changes: planChanges(database, model, state, { choices: nothingElse, now }) };
}

function foreign(live: DatabaseState['live'], model: ContentModel): RefusedMigration {
  const names = clashingTables(live, model).map((name) => `"${name}"`);
  const problem = `The database has tables of another program under names that are needed here: ${names.join(', ')}. Use another database or schema.`;
  return refused('foreign', [problem]);
}

/** The steps that the start runs by itself: none that removes anything from use. */
const ownWork = ({ additions, rows }: Changes): Migration['work'] => ({
  first: [],
  main: [...additions.statements, ...workOf(rows)],
});

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
  const open = openDecisions(state, changes, dir);
  if (problems.length > 0) return { ok: false, origin, problems, startRepairs, ...open };
  return { ok: true, outcome: 'unchanged', origin, statements: [], rows: [], changedTypes: changes.changedTypes, ...open };
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
    return refused(origin, problems);
  }
  if (changes.problems.length > 0) return refused(origin, changes.problems);
  const unchanged = { ok: true, outcome: 'unchanged', statements: [], rows: [] } as const;
  const work = ownWork(changes);
  if (isEmpty(work) && (state.own === undefined || recordsOptions(state.own, model)))
    return { ...unchanged, origin, changedTypes: changes.changedTypes, ...openDecisions(state, changes, dir) };
  try {
    // A start runs only the steps that add something.
    const journaled = database.dialect.tables.undoesTables || changes.rows.length === 0 ? undefined : { renames: [], before: state.live };
    await applyMigration(database, { model, work, finish: finishOf(model, { state, changes, now }), journaled });
  } catch (error) {
    if (database.errorKindOf(error) === 'time' && changes.rows.length > 0) return refused(origin, [tooLong(dir)]);
    // Another process may have done the same at the same time; then nothing is left to do.
    const second = await inspect(database, model, now);
    if (!('ok' in second) && second.state.interrupted === undefined && isEmpty(ownWork(second.changes))) {
      const { origin, state, changes } = second;
      return { ...unchanged, origin, changedTypes: changes.changedTypes, ...openDecisions(state, changes, dir) };
    }
    throw error;
  }
  return {
    ok: true,
    outcome: origin === 'nobody' ? 'created' : isEmpty(work) ? 'unchanged' : 'extended',
    origin,
    statements: changes.additions.statements,
    rows: changes.rows.map(({ reason }) => reason),
    changedTypes: changes.changedTypes,
    ...openDecisions(state, changes, dir),
  };
}

function openDecisions({ severalDocuments }: DatabaseState, changes: Changes, dir: string | undefined): OpenDecisions {
  const lines = [
    ...describeChangedTypes(changes.changedTypes, dir),
    describePending(changes, dir),
    describeFormerLog(changes, dir),
    ...describeSeveralDocuments(severalDocuments),
  ];
  return {
    openDecisions: lines.filter((line) => line !== '').join('\n'),
    hasOpenChanges: changes.destructive.some(({ kind, linksOf }) => kind === 'type' || linksOf !== undefined),
  };
}

const describeFormerLog = ({ formerLog }: Changes, dir: string | undefined): string =>
  formerLog.length === 0
    ? ''
    : `The database still has the log of writes of an earlier version (database.tableVersions): triggers write the table lectern_table_writes, and nothing clears it. Run \`${lecternCommand('migrate apply', dir)}\` to remove both.`;

const tooLong = (dir: string | undefined): string =>
  `The entries must be migrated to the options of their types, which takes longer than limits.statementTime allows at the start. Run \`${lecternCommand('migrate apply', dir)}\`.`;

/** The first rows of a new database, and the record of its tables. */
function finishOf(
  model: ContentModel,
  { state, changes, now }: { readonly state: DatabaseState; readonly changes: Changes; readonly now: Date },
): Finish {
  const { origin, own, rowChanges } = state;
  const finish = { isFirst: origin === 'nobody', now: now.getTime() };
  // A database that Strapi made has Strapi's record.
  if (origin === 'strapi' && own === undefined) return { ...finish, record: undefined };
  const before = own === undefined ? new Map() : changes.record;
  // A later migration of the rows needs their present options.
  const left = changes.allowed ? [] : rowChanges.filter(({ type }) => removesRowsOf(changes, type));
  const unfollowed = new Set(left.map(({ type }) => type.uid));
  return { ...finish, record: nextRecord(before, model, changes.live, { now: now.toISOString(), settled: changes.allowed, unfollowed }) };
}

/** The old names of renames that `lectern migrate plan` offers: `api::note.note`,
 *  `api::note.note.title`. */
export async function offeredNames(database: Database, model: ContentModel): Promise<ReadonlySet<string>> {
  const changes = await planDatabase(database, model, { choices: nothingElse, now: new Date(), thoroughness: 'quickly' });
  return new Set('ok' in changes ? [] : changes.offers.map(({ name }) => name.slice(0, name.indexOf('='))));
}
