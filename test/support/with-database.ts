/** The database of a project, beside its server. Without Vitest: the storm of `bench/` uses it. */
import { loadConfig } from '../../src/config/load-config.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import type { Project } from './project.ts';

export async function withDatabase<T>(
  project: Pick<Project, 'dir' | 'env'>,
  work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T> | T,
): Promise<T> {
  const config = loadConfig({ dir: project.dir, environment: project.env, overrides: {} });
  if (!config.ok) throw new Error(config.errors.join('\n'));
  // Without a limit: with one, the server also ends a transaction in which a test waits for something else.
  const database = await openDatabase(config.config.database, { create: true, statementTime: 0 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
