/** What happens to the database at the start, and when a person asks for it. */
import type { Config } from '../config/config.ts';
import type { Connection, Database } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { applyMigration, applyOrExplain, type Converted } from './apply.ts';
import { type Changes, type Choices, type Knowledge, learn, planChanges } from './changes.ts';
import { describeMissing } from './describe.ts';
import { clashingTables, type DatabaseMaker, makerOf } from './maker.ts';
import { type MigrationPlan, planMigration } from './plan.ts';
import { lacks, nextRecord, writeRecord } from './record.ts';

export type Preparation =
  | {
      readonly ok: true;
      /** `created`: all tables and the first rows; `extended`: what was missing; `unchanged`: nothing was done. */
      readonly outcome: 'created' | 'extended' | 'unchanged';
      readonly maker: DatabaseMaker;
      /** What was run. */
      readonly statements: readonly string[];
    }
  | Refusal;

export type Refusal = { readonly ok: false; readonly maker: DatabaseMaker; readonly problems: readonly string[] };

/** What `lectern migrate apply` has done. */
export type Migrated =
  | {
      readonly ok: true;
      readonly outcome: 'created' | 'changed' | 'unchanged';
      readonly maker: DatabaseMaker;
      readonly changes: Changes;
      readonly converted: readonly Converted[];
    }
  | Refusal;

const nothingElse: Choices = { renames: [], allowDestructive: false };

/** Makes an empty database ready, and adds to one that Lectern made what the schemas have come to need; with `migrate: 'never'` only looks.
 *  A database that Strapi made is only looked at: Strapi alters its tables itself, and a second hand would confuse it.
 *  Throws when the database refuses a statement. */
export async function prepareDatabase(database: Database, model: ContentModel, config: Pick<Config, 'migrate'>): Promise<Preparation> {
  const state = await inspect(database, model);
  if (state.maker === 'foreign') return state.refusal;
  if (state.maker !== 'strapi' && config.migrate === 'auto') return add(database, model, state);
  return look(model, state);
}

/** What `migrateDatabase` would do with the same choices. */
export async function planDatabase(database: Database, model: ContentModel, choices: Choices, now: Date): Promise<Changes | Refusal> {
  const knowledge = await learn(database, model);
  if (knowledge.maker === 'foreign') return foreign(knowledge.live, model);
  const changes = planChanges(database, model, knowledge, choices, now);
  return changes.problems.length === 0 ? changes : { ok: false, maker: knowledge.maker, problems: changes.problems };
}

/** `lectern migrate apply`, whoever made the database. Throws a `StartError` when the database refuses a step; then nothing has changed. */
export async function migrateDatabase(
  database: Database,
  model: ContentModel,
  choices: Choices = nothingElse,
  now = new Date(),
): Promise<Migrated> {
  const knowledge = await learn(database, model);
  if (knowledge.maker === 'foreign') return foreign(knowledge.live, model);
  const { maker } = knowledge;
  const changes = planChanges(database, model, knowledge, choices, now);
  if (changes.problems.length > 0) return { ok: false, maker, problems: changes.problems };
  const finish = finishing(database, model, knowledge, changes, now);
  if (changes.work.length === 0) {
    // What somebody has put back by hand is ours again.
    if (knowledge.own !== undefined && lacks(knowledge.own, model)) await applyMigration(database, [], finish);
    return { ok: true, outcome: 'unchanged', maker, changes, converted: [] };
  }
  const converted = await applyOrExplain(database, changes.work, finish);
  return { ok: true, outcome: maker === 'nobody' ? 'created' : 'changed', maker, changes, converted };
}

type Known = { readonly maker: Exclude<DatabaseMaker, 'foreign'>; readonly plan: MigrationPlan };
type State = Known | { readonly maker: 'foreign'; readonly refusal: Refusal };

async function inspect(database: Database, model: ContentModel): Promise<State> {
  const live = await database.tables();
  const maker = makerOf(live, model);
  if (maker === 'foreign') return { maker, refusal: foreign(live, model) };
  return { maker, plan: planMigration(model, live, database.dialect, { indexes: maker === 'strapi' ? 'strapi' : 'all' }) };
}

function foreign(live: Knowledge['live'], model: ContentModel): Refusal {
  const names = clashingTables(live, model).map((name) => `"${name}"`);
  const problem = `The database has tables of another program under names that are needed here: ${names.join(', ')}. Use another database or schema.`;
  return { ok: false, maker: 'foreign', problems: [problem] };
}

function look(model: ContentModel, { maker, plan }: Known): Preparation {
  const problems =
    maker === 'nobody'
      ? ['The database is empty and may not be changed (LECTERN_MIGRATE=never). Run `lectern migrate apply` to make its tables.']
      : describeMissing(plan, model, maker);
  return problems.length > 0 ? { ok: false, maker, problems } : { ok: true, outcome: 'unchanged', maker, statements: [] };
}

async function add(database: Database, model: ContentModel, { maker, plan }: Known): Promise<Preparation> {
  if (plan.statements.length === 0) return { ok: true, outcome: 'unchanged', maker, statements: [] };
  try {
    const now = new Date();
    const knowledge = await learn(database, model);
    const changes = planChanges(database, model, knowledge, nothingElse, now);
    // Whatever there is to plan, the start runs what adds.
    await applyMigration(database, plan.statements, finishing(database, model, knowledge, changes, now));
  } catch (error) {
    // Another process may have done the same at the same time; then nothing is left to do.
    const state = await inspect(database, model);
    if (state.maker !== 'foreign' && state.plan.statements.length === 0)
      return { ok: true, outcome: 'unchanged', maker: state.maker, statements: [] };
    throw error;
  }
  return { ok: true, outcome: maker === 'nobody' ? 'created' : 'extended', maker, statements: plan.statements };
}

/** The last part of the transaction: the first rows of a new database, and the record of what was made. */
function finishing(database: Database, model: ContentModel, knowledge: Knowledge, changes: Changes, now: Date) {
  return async (connection: Connection): Promise<void> => {
    if (knowledge.maker === 'nobody') {
      // Loaded when needed: what makes document ids is slow to load, and few starts meet an empty database.
      const { seed } = await import('./seed.ts');
      await seed(connection, database.dialect);
    }
    // In a database that Strapi made, Strapi's record is the one that counts.
    if (knowledge.maker === 'strapi' && knowledge.own === undefined) return;
    const before = knowledge.own === undefined ? new Map() : changes.record;
    const next = nextRecord(before, model, changes.live, { now: now.toISOString(), settled: changes.allowed });
    await writeRecord(connection, next, database.dialect, now);
  };
}
