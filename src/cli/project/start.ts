import { databaseFileProblems, mayCreateDatabase } from '../../config/database-file.ts';
import { StartError } from '../../errors/start-error.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { serve } from './serve.ts';

/** `lectern start`: serves a project until SIGINT or SIGTERM. */
export async function start(options: ProjectOptions): Promise<number> {
  const { config, warnings } = loadProject(options);
  const problems = databaseFileProblems(config, mayCreateDatabase(config));
  if (problems.length > 0) throw new StartError(problems);
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  return serve(
    config,
    (address) =>
      `Lectern listens on ${address} (${[`profile ${config.profile}: ${config.profileReason}`, ...config.projectSettings].join('; ')})`,
  );
}
