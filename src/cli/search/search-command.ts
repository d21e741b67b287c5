/** `lectern search build`, `lectern search status` and `lectern search drop`. */
import { StartError } from '../../errors/start-error.ts';
import { type SearchIndex, type SearchIndexes, searchIndexes, searchProblems } from '../../search/search-index.ts';
import { buildIndex, dropIndex, dropOwnerIndexes, indexStates, unusedIndexes } from '../../search/search-store.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Interruption, interruptible } from '../interruptible.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { printWaiting } from '../slow-steps.ts';

/** Making an index takes as long as it takes. */
const noLimit = { statementTime: 0 };

export function build(types: readonly string[], { dir }: ProjectOptions): Promise<number> {
  return changing(dir, async (project, { stoppable, pass }) => {
    const indexes = configured(project);
    const wanted = named(indexes, types);
    if (wanted.length === 0) process.stdout.write('The setting search names no content type.\n');
    const live = await project.database.indexes();
    return project.database.maintain(
      async (connection) => {
        for (const index of wanted) {
          const rows = await buildIndex(project.database, connection, index, live, pass);
          process.stdout.write(`Built the index of ${index.type.uid}: ${rows} ${rows === 1 ? 'row' : 'rows'}.\n`);
        }
        return exitCodes.done;
      },
      { stoppable, waiting: printWaiting },
    );
  });
}

export function status({ dir }: ProjectOptions): Promise<number> {
  return withProject({ dir }, (project) =>
    project.database.read(async (connection) => {
      const indexes = configured(project);
      const states = await indexStates(connection, indexes);
      const unused = await unusedIndexes(connection, indexes);
      if (states.size + unused.length === 0) process.stdout.write('The setting search names no content type.\n');
      for (const [uid, state] of states) {
        const attributes = indexes.get(uid)?.columns.map(({ attribute, weight }) => `${attribute} ${weight}`) ?? [];
        process.stdout.write(`${uid}: ${state} (${attributes.join(', ')})\n`);
      }
      for (const table of unused) process.stdout.write(`${table}: not configured; \`${lecternCommand('search drop', dir)}\` removes it\n`);
      const remains = unused.length > 0 || [...states.values()].some((state) => state !== 'built');
      return remains ? exitCodes.changesFound : exitCodes.done;
    }),
  );
}

export function drop(types: readonly string[], { dir }: ProjectOptions): Promise<number> {
  return changing(dir, async (project, { stoppable, pass }) => {
    const indexes = configured(project);
    const wanted = named(indexes, types);
    const live = await project.database.indexes();
    return project.database.maintain(
      async (connection) => {
        const unused = types.length === 0 ? await unusedIndexes(connection, indexes) : [];
        for (const table of [...wanted.map(({ definition }) => definition.table), ...unused]) {
          await pass();
          await dropIndex(connection, table);
        }
        const states = await indexStates(connection, indexes);
        const remaining = [...indexes].flatMap(([uid, index]) => (states.get(uid) === 'not built' ? [] : [index]));
        await dropOwnerIndexes(connection, remaining, live);
        process.stdout.write(`Removed ${[...wanted.map(({ type }) => type.uid), ...unused].join(', ') || 'nothing'}.\n`);
        return exitCodes.done;
      },
      { stoppable, waiting: printWaiting },
    );
  });
}

const changing = (dir: string, work: (project: OpenProject, interruption: Interruption) => Promise<number>): Promise<number> =>
  interruptible(
    (interruption) => withProject({ dir }, (project) => work(project, interruption), noLimit),
    () => 'what was made so far is not used. Run the same command again, which begins anew.',
  );

function configured({ config, model }: Pick<OpenProject, 'config' | 'model'>): SearchIndexes {
  const problems = searchProblems(config.search, model);
  if (problems.length > 0) throw new StartError(problems);
  return searchIndexes(config.search, model);
}

/** The indexes of these types; all of them without types. */
function named(indexes: SearchIndexes, types: readonly string[]): readonly SearchIndex[] {
  const unknown = types.filter((uid) => !indexes.has(uid));
  if (unknown.length > 0) throw new StartError(unknown.map((uid) => `The setting search does not name the content type "${uid}".`));
  return [...indexes].flatMap(([uid, index]) => (types.length === 0 || types.includes(uid) ? [index] : []));
}
