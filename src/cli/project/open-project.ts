/** Opens a project with its database, for commands that read or change rows. */

import type { Config } from '../../config/config.ts';
import type { Database } from '../../dialects/database.ts';
import { missingFile } from '../../dialects/embedded-file.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { StartError } from '../../errors/start-error.ts';
import { withColumnTypes } from '../../migrations/changed-types.ts';
import { prepareDatabase } from '../../migrations/prepare-database.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import type { DatabaseOrigin } from '../../tables/database-origin.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { checkDatabaseFile, loadProject, type ProjectOptions } from './load-project.ts';

export interface OpenProject {
  readonly config: Config;
  /** The model that is served: with the types that the columns have. */
  readonly model: ContentModel;
  readonly database: Database;
  readonly origin: DatabaseOrigin;
}

/** `limits.statementTime` replaces the setting, which is meant for requests; 0 means no limit.
 *  Throws a `StartError` if the database lacks tables of the schema files: rights to their types
 *  would count as rights to removed types. */
export async function withProject(
  options: ProjectOptions,
  work: (project: OpenProject) => Promise<number>,
  limits: { readonly statementTime?: number } = {},
): Promise<number> {
  const { config } = loadProject(options);
  const model = await loadProjectModel(config);
  const missing = missingFile(config.database);
  if (missing !== undefined && config.database.unusedServer === undefined) {
    throw new StartError([
      `There is no database ${missing} yet: start the server once, or run \`${lecternCommand('migrate apply', config.dir)}\`.`,
    ]);
  }
  checkDatabaseFile(config, false);
  return withDatabase(
    config.database,
    {
      create: false,
      statementTime: limits.statementTime ?? config.limits.statementTime,
      databaseOrder: config.policies.databaseOrder,
    },
    async (database) => {
      const state = await prepareDatabase(database, model, { migrate: 'never', dir: config.dir });
      if (!state.ok && state.origin === 'nobody') {
        throw new StartError([
          `The database has no tables of Lectern yet: start the server once, or run \`${lecternCommand('migrate apply', config.dir)}\`.`,
        ]);
      }
      if (!state.ok) throw new StartError(state.problems);
      return await work({ config, model: withColumnTypes(model, state.changedTypes), database, origin: state.origin });
    },
  );
}
