import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { databaseFileProblems, mayCreateDatabase } from '../config/database-file.ts';
import { openDatabase } from '../dialects/open.ts';
import { StartError } from '../errors/start-error.ts';
import { missingOptionalTables } from '../migrations/optional-tables.ts';
import { prepareDatabase } from '../migrations/prepare.ts';
import type { ContentModel } from '../model/content-model.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { loadProjectModel } from './load-project-model.ts';

/** `lectern check`: everything that would keep `start` from serving, found without serving or changing anything. */
export async function check(options: ProjectOptions): Promise<number> {
  const problems: string[] = [];
  const project = attempt(problems, () => loadProject(options));
  const config = project?.config;
  // Mistakes in the schema files are worth knowing even when the configuration has some too; only a wrong folder has no schema files.
  const model =
    config === undefined && problems.length === 0
      ? undefined
      : attempt(problems, () => loadProjectModel(config ?? { dir: options.dir, customFields: {} }));
  const database = config !== undefined && model !== undefined ? await checkDatabase(config, model, problems) : undefined;
  if (problems.length > 0) throw new StartError(problems);

  for (const warning of project?.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`);
  process.stdout.write(
    [
      `Configuration: profile ${config?.profile} (${config?.profileReason})`,
      `Schema files:  ${model === undefined ? 0 : [...model.contentTypes.values()].filter((type) => type.routed).length} content types, ${model?.components.size ?? 0} components`,
      `Database:      ${database}`,
      'No problems found.\n',
    ].join('\n'),
  );
  return 0;
}

function attempt<T>(problems: string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** What is right about the database, in words. */
async function checkDatabase(config: Config, model: ContentModel, problems: string[]): Promise<string> {
  const mayCreate = mayCreateDatabase(config);
  const obstacles = databaseFileProblems(config, mayCreate);
  problems.push(...obstacles);
  const { client, filename } = config.database;
  const place = client === 'sqlite' ? `${client}, ${filename}` : client;
  if (obstacles.length > 0) return place;
  if (client === 'sqlite' && !existsSync(filename)) return `${place}; not there yet, the start makes it`;
  const database = await openDatabase(config.database, { create: false, statementTime: config.limits.statementTime });
  try {
    const state = await prepareDatabase(database, model, { migrate: 'never' });
    if (state.ok) {
      const missing = missingOptionalTables(config, new Set((await database.tables()).map(({ name }) => name)));
      problems.push(...missing);
      return missing.length === 0 ? `${place}; nothing is missing` : place;
    }
    // What the start adds by itself is no problem.
    if (mayCreate && (state.maker === 'nobody' || state.maker === 'lectern')) return `${place}; the start adds what is missing`;
    problems.push(...state.problems);
    return place;
  } finally {
    await database.close();
  }
}
