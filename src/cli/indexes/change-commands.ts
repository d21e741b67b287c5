/** `lectern indexes apply` and `lectern indexes drop`. */
import type { Connection } from '../../dialects/database.ts';
import { StartError } from '../../errors/start-error.ts';
import { makeIndex, removeIndex } from '../../indexes/index-store.ts';
import { ownIndexesOf } from '../../indexes/live-indexes.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Interruption, interruptible } from '../interruptible.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { printWaiting, SlowSteps } from '../slow-steps.ts';
import { findProposals } from './find-proposals.ts';

/** Creating an index takes as long as it takes. */
const noLimit = { statementTime: 0 };

/** Creates the proposed indexes, one after another: those created before an error remain. */
export function apply(names: readonly string[], { dir }: ProjectOptions): Promise<number> {
  return changing(dir, 'created', async ({ connection, project, each }) => {
    const proposals = (await findProposals(project)).map((proposal): IndexChange => {
      const { table, index } = proposal;
      const done = `Created ${index.name} on ${table} (${index.columns.join(', ')}).`;
      return { name: index.name, done, run: () => makeIndex(connection, proposal) };
    });
    const wanted = named(proposals, names, 'is not proposed');
    await each(wanted);
    if (wanted.length === 0) process.stdout.write('The database has every index that Lectern would propose.\n');
  });
}

export function drop(names: readonly string[], { dir }: ProjectOptions): Promise<number> {
  return changing(dir, 'dropped', async ({ connection, project, each }) => {
    const { database, origin, model } = project;
    // The next start would create them again.
    const modelIndexes = new Set(
      origin === 'lectern' ? physicalSchema(model).flatMap((table) => table.ownIndexes.map(({ name }) => name)) : [],
    );
    const own = ownIndexesOf(await database.indexes())
      .filter(({ name }) => !modelIndexes.has(name))
      .map((index): IndexChange => ({ name: index.name, done: `Dropped ${index.name}.`, run: () => removeIndex(connection, index) }));
    const wanted = named(own, names, 'is not an index that `lectern indexes apply` created');
    await each(wanted);
    if (wanted.length === 0) process.stdout.write('There is no index to drop.\n');
  });
}

interface IndexChange {
  readonly name: string;
  /** Printed after it. */
  readonly done: string;
  run(): Promise<void>;
}

interface Changing {
  readonly connection: Connection;
  readonly project: OpenProject;
  each(changes: readonly IndexChange[]): Promise<void>;
}

/** Runs `work` while no other process changes indexes. */
function changing(dir: string, verb: 'created' | 'dropped', work: (changing: Changing) => Promise<void>): Promise<number> {
  const slow = new SlowSteps();
  let progress: { done: number; readonly of: number } | undefined;
  const run = (project: OpenProject, { stoppable, pass }: Interruption) =>
    project.database.maintain(
      async (connection) => {
        await work({
          connection,
          project,
          async each(changes) {
            progress = { done: 0, of: changes.length };
            for (const { name, done, run } of changes) {
              await pass();
              slow.begin(`${verb === 'created' ? 'Creating' : 'Dropping'} ${name} …`);
              await explaining(name, verb, project, run).finally(() => slow.stop());
              progress.done++;
              process.stdout.write(`${done}\n`);
            }
          },
        });
        return exitCodes.done;
      },
      { stoppable, waiting: printWaiting },
    );
  const outcome = () => {
    if (progress === undefined) return 'nothing was changed.';
    // A statement that PostgreSQL cancels leaves an index that no query uses.
    const more = verb === 'created' ? ', which continues from there and replaces an index that cannot be used' : '';
    return `${progress.done} of ${progress.of} indexes were ${verb}. Run the same command again${more}.`;
  };
  return interruptible((interruption) => withProject({ dir }, (project) => run(project, interruption), noLimit), outcome);
}

/** The changes of the indexes with these names; all of them without names. */
function named(changes: readonly IndexChange[], names: readonly string[], otherwise: string): readonly IndexChange[] {
  const unknown = names.filter((name) => !changes.some((each) => each.name === name));
  if (unknown.length > 0) throw new StartError(unknown.map((name) => `"${name}" ${otherwise}.`));
  return names.length === 0 ? changes : changes.filter(({ name }) => names.includes(name));
}

async function explaining(name: string, done: string, { database }: OpenProject, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || database.errorKindOf(error) === 'unavailable') throw error;
    throw new StartError([`The index "${name}" was not ${done}: ${error.message}`]);
  }
}
