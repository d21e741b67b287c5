/** What `/_ready` checks, put together of parts that know nothing of each other. */
import type { Config } from './config/config.ts';
import type { Database } from './dialects/database.ts';
import { describeProblems, type Replicas } from './dialects/replicas.ts';
import type { ReadinessCheck } from './http/site/readiness.ts';
import type { Storage } from './media/storage/storage.ts';
import { type ChangedType, hasSameTypes } from './migrations/changed-types.ts';
import { prepareDatabase } from './migrations/prepare-database.ts';
import type { ContentModel } from './model/content-model.ts';
import { writingProblem } from './sql/run.ts';

/** Documents are served without their files as well. */
export const readinessChecks = ({ storage, replicas, ...parts }: ReadyParts): readonly ReadinessCheck[] => [
  ...databaseChecks(parts.database),
  { name: 'migrations', isNeeded: true, mustBeQuick: false, kept: 30_000, problem: () => migrationProblem(parts) },
  { name: 'storage', isNeeded: false, mustBeQuick: true, kept: 10_000, problem: () => storage.problem('writing') },
  ...(replicas === undefined
    ? []
    : [
        {
          name: 'replicas' as const,
          isNeeded: false,
          mustBeQuick: true,
          kept: 1000,
          problem: async () => describeProblems(replicas.states()),
        },
      ]),
];

/** The second check uses the result of the first one, so that both together cost one round trip. */
function databaseChecks(database: Database): readonly ReadinessCheck[] {
  let asked: Promise<string | undefined> = Promise.resolve(undefined);
  const ask = () => {
    asked = writingProblem(database);
    return asked;
  };
  const about = () => [database.hasWritingNodes ? 'a node of a Galera cluster' : '', database.host() ?? ''].filter(Boolean).join(', ');
  return [
    { name: 'database', isNeeded: true, mustBeQuick: true, kept: 1000, about, problem: () => ask().then(() => undefined) },
    ...(database.dialect.isReadOnly === undefined
      ? []
      : [{ name: 'writes' as const, isNeeded: false, mustBeQuick: false, kept: 0, problem: () => asked.catch(() => undefined) }]),
  ];
}

/** What would stop a start with this database, or change what is served: another program may have
 *  changed its tables since. */
async function migrationProblem({ database, schemaModel, changedTypes, config: { dir } }: MigrationParts): Promise<string | undefined> {
  const found = await prepareDatabase(database, schemaModel, { migrate: 'never', dir });
  if (!found.ok) return found.problems.join('\n');
  if (hasSameTypes(found.changedTypes, changedTypes)) return undefined;
  return 'The types of columns have changed since the start. Restart the server.';
}

type MigrationParts = Pick<ReadyParts, 'database' | 'schemaModel' | 'changedTypes' | 'config'>;

interface ReadyParts {
  readonly replicas: Replicas | undefined;
  readonly config: Config;
  /** The model of the schema files. */
  readonly schemaModel: ContentModel;
  readonly changedTypes: readonly ChangedType[];
  readonly database: Database;
  readonly storage: Storage;
}
