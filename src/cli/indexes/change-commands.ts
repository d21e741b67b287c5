/** `lectern indexes apply` and `lectern indexes drop`. */
import { StartError } from '../../errors/start-error.ts';
import { makeIndex, removeIndex } from '../../indexes/index-store.ts';
import { ownIndexesOf } from '../../indexes/live-indexes.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import { exitCodes } from '../exit-codes.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { findProposals } from './find-proposals.ts';

export interface ChangeOptions {
  readonly dir: string;
  readonly names: readonly string[];
}

/** Creating an index takes as long as it takes. */
const noLimit = { statementTime: 0 };

/** Creates the proposed indexes, one after another: those that were created before an error stay. */
export function apply({ dir, names }: ChangeOptions): Promise<number> {
  return withProject(
    { dir },
    (project) =>
      project.database.maintain(async (connection) => {
        const proposals = named(await findProposals(project), names, ({ index }) => index.name, 'is not proposed');
        for (const proposal of proposals) {
          await explaining(proposal.index.name, 'created', project, () => makeIndex(connection, proposal));
          process.stdout.write(`Created ${proposal.index.name} on ${proposal.table} (${proposal.index.columns.join(', ')}).\n`);
        }
        if (proposals.length === 0) process.stdout.write('The database has every index that Lectern would propose.\n');
        return exitCodes.done;
      }),
    noLimit,
  );
}

export function drop({ dir, names }: ChangeOptions): Promise<number> {
  return withProject(
    { dir },
    (project) =>
      project.database.maintain(async (connection) => {
        const { database, origin, model } = project;
        // The next start would create them again.
        const modelIndexes = new Set(
          origin === 'lectern' ? physicalSchema(model).flatMap((table) => table.ownIndexes.map(({ name }) => name)) : [],
        );
        const own = ownIndexesOf(await database.indexes()).filter(({ name }) => !modelIndexes.has(name));
        const indexes = named(own, names, ({ name }) => name, 'is not an index that `lectern indexes apply` created');
        for (const index of indexes) {
          await explaining(index.name, 'dropped', project, () => removeIndex(connection, index));
          process.stdout.write(`Dropped ${index.name}.\n`);
        }
        if (indexes.length === 0) process.stdout.write('There is no index to drop.\n');
        return exitCodes.done;
      }),
    noLimit,
  );
}

/** The items with the given names; all of them without names. */
function named<T>(items: readonly T[], names: readonly string[], nameOf: (item: T) => string, otherwise: string): readonly T[] {
  const unknown = names.filter((name) => !items.some((item) => nameOf(item) === name));
  if (unknown.length > 0) throw new StartError(unknown.map((name) => `"${name}" ${otherwise}.`));
  return names.length === 0 ? items : items.filter((item) => names.includes(nameOf(item)));
}

async function explaining(name: string, done: string, { database }: OpenProject, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || database.errorKindOf(error) === 'unavailable') throw error;
    throw new StartError([`The index "${name}" was not ${done}: ${error.message}`]);
  }
}
