import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../dialects/database.ts';
import { missingFile } from '../../dialects/embedded-file.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { StartError } from '../../errors/start-error.ts';
import { changesAsJson, describeMigrated, describeMigration, isNothing } from '../../migrations/describe/describe-migration.ts';
import { stopsStart } from '../../migrations/describe/describe-refusal.ts';
import { notesOn } from '../../migrations/describe/notes.ts';
import { migrateDatabase, offeredNames, planDatabase } from '../../migrations/prepare-database.ts';
import { describeWork } from '../../migrations/steps.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { mayRemove } from '../../permissions/settle-permissions.ts';
import { describeUnknownRights, settleUnknownRights } from '../../permissions/unknown-rights.ts';
import { searchIndexes } from '../../search/search-index.ts';
import { dropStaleIndexes } from '../../search/search-store.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Interruption, interruptible } from '../interruptible.ts';
import { printWaiting, SlowSteps } from '../slow-steps.ts';
import { checkDatabaseFile, loadProject, type ProjectOptions } from './load-project.ts';

interface MigrateOptions extends ProjectOptions {
  /** `api::article.article.title=headline`, `api::article.article=api::post.post` */
  readonly rename?: readonly string[];
  readonly allowDestructive?: boolean;
  readonly json?: boolean;
}

/** `lectern migrate plan`: prints what `apply` would do and what remains. Changes nothing. */
export async function migratePlan(options: MigrateOptions): Promise<number> {
  const missing = missingFile(loadProject(options).config.database);
  const mode = missing === undefined ? 'existing' : 'inMemory';
  return withModel(options, mode, async (database, model) => {
    const changes = await planDatabase(database, model, { choices: choicesOf(options), now: new Date() });
    if ('ok' in changes) throw new StartError(changes.problems);
    const command = lecternCommand('migrate apply', options.dir);
    const notes =
      mode === 'inMemory' ? [] : await notesOn(database, model, [...(options.rename ?? []), ...changes.offers.map(({ name }) => name)]);
    if (options.json === true) process.stdout.write(`${JSON.stringify({ ...changesAsJson(changes, command), notes }, null, 2)}\n`);
    else {
      if (mode === 'inMemory') process.stdout.write(`There is no database ${missing} yet; \`${command}\` creates it.\n\n`);
      process.stdout.write(describeMigration(changes, command));
      if (notes.length > 0)
        process.stdout.write(`\nFor information; apply changes nothing about this:\n\n${notes.map((note) => `  ${note}\n`).join('')}`);
    }
    return isNothing(changes) ? exitCodes.done : exitCodes.changesFound;
  });
}

/** `lectern migrate apply`: runs the steps in one transaction, and prints what is done and left. */
export async function migrateApply(options: MigrateOptions): Promise<number> {
  const progress = { done: 0, of: 0, isOver: false };
  const slow = new SlowSteps();
  const run = async (database: Database, model: ContentModel, { search }: Config, { stoppable, pass }: Interruption) => {
    const stale = await dropStaleIndexes(database, searchIndexes(search, model));
    if (stale.length > 0)
      process.stderr.write(
        `Removed full-text indexes of the former schema (${stale.join(', ')}): \`${lecternCommand('search build', options.dir)}\` makes them anew.\n`,
      );
    const done = await migrateDatabase(database, model, choicesOf(options), new Date(), {
      stoppable,
      pass,
      waiting: printWaiting,
      step(done, of, next) {
        // Where a transaction undoes tables, nothing is done before its end.
        if (!database.dialect.tables.undoesTables) Object.assign(progress, { done, of });
        if (next === undefined) slow.end();
        else slow.begin(`Step ${done + 1} of ${of}: ${describeWork(next).replace(/^-- /, '')}`);
      },
    }).finally(() => slow.stop());
    progress.isOver = true;
    if (!done.ok) throw new StartError(done.problems);
    process.stdout.write(describeMigrated(done, lecternCommand('migrate apply', options.dir)));
    const unknownRights = await settleUnknownRights(database, model, mayRemove({ applyPermissions: 'auto' }, done.origin), () =>
      offeredNames(database, model),
    );
    process.stderr.write(describeUnknownRights(unknownRights));
    return stopsStart(done.changes) ? exitCodes.changesFound : exitCodes.done;
  };
  return interruptible(
    (interruption) => withModel(options, 'create', (database, model, config) => run(database, model, config, interruption)),
    () => (progress.isOver ? undefined : describeProgress(progress)),
  );
}

const describeProgress = ({ done, of }: { readonly done: number; readonly of: number }): string =>
  of === 0 ? 'nothing was changed.' : `${done} of ${of} steps are done. Run the same command again, which continues from there.`;

const choicesOf = ({ rename, allowDestructive }: MigrateOptions) => ({
  renames: rename ?? [],
  allowDestructive: allowDestructive === true,
});

/** Opens the project's database for `work`. If the database is missing, `create` creates it, and
 *  `inMemory` uses an empty one in memory. */
async function withModel(
  options: ProjectOptions,
  mode: 'existing' | 'create' | 'inMemory',
  work: (database: Database, model: ContentModel, config: Config) => Promise<number>,
): Promise<number> {
  const { config } = loadProject(options);
  const model = await loadProjectModel(config);
  if (mode !== 'inMemory') checkDatabaseFile(config, mode === 'create');
  const made = mode === 'create' ? missingFile(config.database) : undefined;
  if (made !== undefined) mkdirSync(dirname(made), { recursive: true });
  const databaseConfig = mode === 'inMemory' ? { ...config.database, filename: ':memory:' } : config.database;
  const opening = {
    // `create` sets the journal mode of a new file; an existing file keeps its own.
    create: made !== undefined || mode === 'inMemory',
    // The time limit is meant for requests; adding a column may take longer.
    statementTime: 0,
  };
  return withDatabase(databaseConfig, opening, (database) => work(database, model, config));
}
