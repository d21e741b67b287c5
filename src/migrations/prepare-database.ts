/** What happens to the database at the start, and when a person asks for it. */
import type { Config } from '../config/config.ts';
import type { Connection, Database } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { clashingTables, type DatabaseOrigin } from '../tables/database-origin.ts';
import { applyMigration, applyOrExplain, type Converted } from './apply-migration.ts';
import {
  describeCrowded,
  describeMissing,
  describeMoves,
  describePending,
  describeRowChanges,
  movedTypes,
  stopsStart,
} from './describe/describe-refusal.ts';
import { type Care, type Changes, type Choices, type Knowledge, learn, planChanges, removesRowsOf } from './plan-changes.ts';
import { lacks, nextRecord, recordsOptions, writeRecord } from './recorded/recorded-schema.ts';

export type Preparation =
  | {
      readonly ok: true;
      /** `created`: all tables and the first rows; `extended`: what was missing; `unchanged`: nothing was done. */
      readonly outcome: 'created' | 'extended' | 'unchanged';
      readonly maker: DatabaseOrigin;
      /** What was run. */
      readonly statements: readonly string[];
      /** What was done to rows, in words. */
      readonly rows: readonly string[];
      /** What a person should know or decide on, a line each; or empty. */
      readonly pending: string;
    }
  | Refusal;

export type Refusal = {
  readonly ok: false;
  readonly maker: DatabaseOrigin;
  readonly problems: readonly string[];
  /** A start that may change the database removes all of them by itself. */
  readonly startMends: boolean;
  /** What is left for a person to decide after that, in one line; empty where nothing is. */
  readonly pending: string;
};

/** What `lectern migrate apply` has done. */
export type Migrated =
  | {
      readonly ok: true;
      readonly outcome: 'created' | 'changed' | 'unchanged';
      readonly maker: DatabaseOrigin;
      readonly changes: Changes;
      readonly converted: readonly Converted[];
    }
  | Refusal;

const nothingElse: Choices = { renames: [], allowDestructive: false };

/** Makes an empty database ready, and adds to one that Lectern made what the schemas have come to need; with `migrate: 'never'` only looks.
 *  A database that Strapi made is only looked at: Strapi alters its tables itself, and a second hand would confuse it.
 *  Throws when the database refuses a statement. */
export async function prepareDatabase(database: Database, model: ContentModel, config: Pick<Config, 'migrate'>): Promise<Preparation> {
  const now = new Date();
  const state = await inspect(database, model, now);
  if ('ok' in state) return state;
  if (state.maker !== 'strapi' && config.migrate === 'auto') return add(database, model, state, now);
  return look(model, state);
}

/** What `migrateDatabase` would do with the same choices. */
export async function planDatabase(
  database: Database,
  model: ContentModel,
  choices: Choices,
  now: Date,
  care: Care = 'thoroughly',
): Promise<Changes | Refusal> {
  const knowledge = await learn(database, model, care);
  if (knowledge.maker === 'foreign') return foreign(knowledge.live, model);
  const changes = planChanges(database, model, knowledge, choices, now);
  return changes.problems.length === 0
    ? changes
    : { ok: false, maker: knowledge.maker, problems: changes.problems, startMends: false, pending: '' };
}

/** `lectern migrate apply`, whoever made the database. Throws a `StartError` when the database refuses a step; then nothing has changed. */
export async function migrateDatabase(
  database: Database,
  model: ContentModel,
  choices: Choices = nothingElse,
  now = new Date(),
): Promise<Migrated> {
  const knowledge = await learn(database, model, 'thoroughly');
  if (knowledge.maker === 'foreign') return foreign(knowledge.live, model);
  const { maker } = knowledge;
  const changes = planChanges(database, model, knowledge, choices, now);
  if (changes.problems.length > 0) return { ok: false, maker, problems: changes.problems, startMends: false, pending: '' };
  const finish = finishing(database, model, knowledge, changes, now);
  if (changes.work.length === 0) {
    // What somebody has put back by hand is ours again.
    const isOld = knowledge.own !== undefined && (lacks(knowledge.own, model) || !recordsOptions(knowledge.own, model));
    if (isOld) await applyMigration(database, [], finish);
    return { ok: true, outcome: 'unchanged', maker, changes, converted: [] };
  }
  const converted = await applyOrExplain(database, changes.work, finish);
  return { ok: true, outcome: maker === 'nobody' ? 'created' : 'changed', maker, changes, converted };
}

type Maker = Exclude<DatabaseOrigin, 'foreign'>;
interface State {
  readonly maker: Maker;
  readonly knowledge: Knowledge;
  readonly changes: Changes;
}

async function inspect(database: Database, model: ContentModel, now: Date): Promise<State | Refusal> {
  const knowledge = await learn(database, model, 'quickly');
  const { maker, live } = knowledge;
  if (maker === 'foreign') return foreign(live, model);
  return { maker, knowledge, changes: planChanges(database, model, knowledge, nothingElse, now) };
}

function foreign(live: Knowledge['live'], model: ContentModel): Refusal {
  const names = clashingTables(live, model).map((name) => `"${name}"`);
  const problem = `The database has tables of another program under names that are needed here: ${names.join(', ')}. Use another database or schema.`;
  return { ok: false, maker: 'foreign', problems: [problem], startMends: false, pending: '' };
}

/** The steps that the start runs by itself: none that removes data from use. */
const ownWork = ({ additions, rows }: Changes): Changes['work'] => [...additions.statements, ...rows.flatMap(({ work }) => work)];

function look(model: ContentModel, { maker, knowledge, changes }: State): Preparation {
  const moves = describeMoves(changes);
  const missing =
    maker === 'nobody'
      ? ['The database is empty and may not be changed (LECTERN_MIGRATE=never). Run `lectern migrate apply` to make its tables.']
      : // The tables of a type whose rows are in another one are there when it is renamed; an empty one beside it would help nobody.
        describeMissing(changes.additions, model, maker, movedTypes(changes));
  const problems = [...missing, ...moves, ...describeRowChanges(knowledge.rowChanges, maker)];
  const startMends = maker !== 'strapi' && !stopsStart(changes);
  const pending = describeAll(knowledge, changes);
  if (problems.length > 0) return { ok: false, maker, problems, startMends, pending };
  return { ok: true, outcome: 'unchanged', maker, statements: [], rows: [], pending };
}

async function add(database: Database, model: ContentModel, { maker, knowledge, changes }: State, now: Date): Promise<Preparation> {
  if (stopsStart(changes)) {
    const problems = [...describeMoves(changes), ...describeRowChanges(knowledge.rowChanges, maker)];
    return { ok: false, maker, problems, startMends: false, pending: '' };
  }
  const unchanged = { ok: true, outcome: 'unchanged', statements: [], rows: [] } as const;
  const work = ownWork(changes);
  if (work.length === 0 && (knowledge.own === undefined || recordsOptions(knowledge.own, model)))
    return { ...unchanged, maker, pending: describeAll(knowledge, changes) };
  try {
    // Whatever there is to plan, the start runs what adds.
    await applyMigration(database, work, finishing(database, model, knowledge, changes, now));
  } catch (error) {
    if (database.errorKindOf(error) === 'time' && changes.rows.length > 0)
      return { ok: false, maker, problems: [tooLong], startMends: false, pending: '' };
    // Another process may have done the same at the same time; then nothing is left to do.
    const state = await inspect(database, model, now);
    if (!('ok' in state) && ownWork(state.changes).length === 0)
      return { ...unchanged, maker: state.maker, pending: describeAll(state.knowledge, state.changes) };
    throw error;
  }
  return {
    ok: true,
    outcome: maker === 'nobody' ? 'created' : work.length === 0 ? 'unchanged' : 'extended',
    maker,
    statements: changes.additions.statements,
    rows: changes.rows.map(({ reason }) => reason),
    pending: describeAll(knowledge, changes),
  };
}

/** What a person should know at the start, a line each. */
const describeAll = ({ crowded }: Knowledge, changes: Changes): string =>
  [describePending(changes), ...describeCrowded(crowded)].filter((line) => line !== '').join('\n');

const tooLong =
  'The entries must be migrated to the options of their types, which takes longer than limits.statementTime allows at the start. Run `lectern migrate apply`.';

/** The last part of the transaction: the first rows of a new database, and the record of what was made. */
function finishing(database: Database, model: ContentModel, knowledge: Knowledge, changes: Changes, now: Date) {
  return async (connection: Connection): Promise<void> => {
    if (knowledge.maker === 'nobody') {
      // Loaded when needed: what makes document ids is slow to load, and few starts meet an empty database.
      const { seed } = await import('./initial-rows.ts');
      await seed(connection, database.dialect);
    }
    // In a database that Strapi made, Strapi's record is the one that counts.
    if (knowledge.maker === 'strapi' && knowledge.own === undefined) return;
    const before = knowledge.own === undefined ? new Map() : changes.record;
    // A later migration of the rows has to know their present options.
    const left = changes.allowed ? [] : knowledge.rowChanges.filter(({ type }) => removesRowsOf(changes, type));
    const unfollowed = new Set(left.map(({ type }) => type.uid));
    const next = nextRecord(before, model, changes.live, { now: now.toISOString(), settled: changes.allowed, unfollowed });
    await writeRecord(connection, next, database.dialect, now);
  };
}
