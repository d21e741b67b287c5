import type { Config } from '../../config/config.ts';
import { databaseFileProblems } from '../../config/database-file.ts';
import { loadConfig } from '../../config/load-config.ts';
import { StartError } from '../../errors/start-error.ts';
import { projectFolderProblem } from './project-folder.ts';

export interface ProjectOptions {
  readonly dir: string;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly workers?: number | 'auto' | undefined;
}

/** Reads the configuration of a project. Throws a `StartError` that lists all its problems. */
export function loadProject(options: ProjectOptions): { readonly config: Config; readonly warnings: readonly string[] } {
  const problem = projectFolderProblem(options.dir);
  if (problem !== undefined) throw new StartError([problem]);
  const loaded = loadConfig({
    dir: options.dir,
    environment: process.env,
    overrides: { port: options.port, host: options.host, workers: options.workers },
  });
  if (!loaded.ok) throw new StartError(loaded.errors);
  return { config: loaded.config, warnings: loaded.warnings };
}

/** Throws a `StartError` if the file of a SQLite database cannot be used. */
export function checkDatabaseFile(config: Config, mayCreate: boolean): void {
  const problems = databaseFileProblems(config, mayCreate);
  if (problems.length > 0) throw new StartError(problems);
}
