import { existsSync } from 'node:fs';
import { databaseFileProblems } from '../config/database-file.ts';
import type { Database } from '../dialects/dialect.ts';
import { openDatabase } from '../dialects/open.ts';
import { StartError } from '../errors/start-error.ts';
import { makerOf } from '../migrations/maker.ts';
import { planMigration } from '../migrations/plan.ts';
import { migrateDatabase } from '../migrations/prepare.ts';
import type { ContentModel } from '../model/content-model.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { loadProjectModel } from './load-project-model.ts';

/** `lectern migrate plan`: prints, as SQL, what `apply` would run. Changes nothing. */
export async function migratePlan(options: ProjectOptions): Promise<number> {
  const { client, filename } = loadProject(options).config.database;
  if (client === 'sqlite' && !existsSync(filename)) {
    process.stdout.write(`There is no database ${filename} yet: \`lectern migrate apply\` makes it, with all tables.\n`);
    return 0;
  }
  return withDatabase(options, { create: false }, async (database, model) => {
    const live = await database.tables();
    const { statements } = planMigration(model, live, database.dialect, { indexes: makerOf(live, model) === 'strapi' ? 'strapi' : 'all' });
    process.stdout.write(
      statements.length === 0 ? 'Nothing is missing.\n' : `${statements.map((statement) => `${statement};`).join('\n')}\n`,
    );
  });
}

/** `lectern migrate apply`: adds the tables and columns that are missing, in one transaction. Never changes or drops anything. */
export async function migrateApply(options: ProjectOptions): Promise<number> {
  return withDatabase(options, { create: true }, async (database, model) => {
    const done = await migrateDatabase(database, model);
    if (!done.ok) throw new StartError(done.problems);
    process.stdout.write(done.outcome === 'unchanged' ? 'Nothing is missing.\n' : `Done: ${done.statements.length} statements.\n`);
  });
}

async function withDatabase(
  options: ProjectOptions,
  { create }: { readonly create: boolean },
  work: (database: Database, model: ContentModel) => Promise<void>,
): Promise<number> {
  const { config } = loadProject(options);
  const model = loadProjectModel(config);
  const obstacles = databaseFileProblems(config, create);
  if (obstacles.length > 0) throw new StartError(obstacles);
  // To create sets up a new file's way of writing, which an existing one keeps as it is.
  const isNew = create && !existsSync(config.database.filename);
  const database = await openDatabase(config.database, { create: isNew, statementTime: config.limits.statementTime });
  try {
    await work(database, model);
  } finally {
    await database.close();
  }
  return 0;
}
