/** What happens to the database at the start, and when a person asks for it. */
import type { Config } from '../config/config.ts';
import type { Connection, Database, Dialect } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { applyMigration } from './apply.ts';
import { describeMissing } from './describe.ts';
import { clashingTables, type DatabaseMaker, makerOf } from './maker.ts';
import { type MigrationPlan, planMigration } from './plan.ts';

export type Preparation =
  | {
      readonly ok: true;
      /** `created`: all tables and the first rows; `extended`: what was missing; `unchanged`: nothing was done. */
      readonly outcome: 'created' | 'extended' | 'unchanged';
      readonly maker: DatabaseMaker;
      /** What was run. */
      readonly statements: readonly string[];
    }
  | { readonly ok: false; readonly maker: DatabaseMaker; readonly problems: readonly string[] };

/** Makes an empty database ready, and adds to one that Lectern made what the schemas have come to need; with `migrate: 'never'` only looks.
 *  A database that Strapi made is only looked at: Strapi alters its tables itself, and a second hand would confuse it.
 *  Throws when the database refuses a statement. */
export async function prepareDatabase(database: Database, model: ContentModel, config: Pick<Config, 'migrate'>): Promise<Preparation> {
  const state = await inspect(database, model);
  if (state.maker === 'foreign') return { ok: false, maker: state.maker, problems: [state.problem] };
  if (state.maker !== 'strapi' && config.migrate === 'auto') return change(database, model, state);
  return look(model, state);
}

/** `lectern migrate apply`: adds what is missing, whoever made the database. */
export async function migrateDatabase(database: Database, model: ContentModel): Promise<Preparation> {
  const state = await inspect(database, model);
  if (state.maker === 'foreign') return { ok: false, maker: state.maker, problems: [state.problem] };
  return change(database, model, state);
}

type Known = { readonly maker: Exclude<DatabaseMaker, 'foreign'>; readonly plan: MigrationPlan };
type State = Known | { readonly maker: 'foreign'; readonly problem: string };

async function inspect(database: Database, model: ContentModel): Promise<State> {
  const live = await database.tables();
  const maker = makerOf(live, model);
  if (maker === 'foreign') {
    const names = clashingTables(live, model).map((name) => `"${name}"`);
    const problem = `The database has tables of another program under names that are needed here: ${names.join(', ')}. Use another database or schema.`;
    return { maker, problem };
  }
  return { maker, plan: planMigration(model, live, database.dialect, { indexes: maker === 'strapi' ? 'strapi' : 'all' }) };
}

function look(model: ContentModel, { maker, plan }: Known): Preparation {
  const problems =
    maker === 'nobody'
      ? ['The database is empty and may not be changed (LECTERN_MIGRATE=never). Run `lectern migrate apply` to make its tables.']
      : describeMissing(plan, model, maker);
  return problems.length > 0 ? { ok: false, maker, problems } : { ok: true, outcome: 'unchanged', maker, statements: [] };
}

async function change(database: Database, model: ContentModel, { maker, plan }: Known): Promise<Preparation> {
  if (plan.statements.length === 0) return { ok: true, outcome: 'unchanged', maker, statements: [] };
  try {
    await applyMigration(database, plan, maker === 'nobody' ? firstRows(database.dialect) : undefined);
  } catch (error) {
    // Another process may have done the same at the same time; then nothing is left to do.
    const now = await inspect(database, model);
    if (now.maker !== 'foreign' && now.plan.statements.length === 0)
      return { ok: true, outcome: 'unchanged', maker: now.maker, statements: [] };
    throw error;
  }
  return { ok: true, outcome: maker === 'nobody' ? 'created' : 'extended', maker, statements: plan.statements };
}

/** Loaded when needed: what makes document ids is slow to load, and few starts meet an empty database. */
const firstRows = (dialect: Dialect) => async (connection: Connection) => {
  const { seed } = await import('./seed.ts');
  await seed(connection, dialect);
};
