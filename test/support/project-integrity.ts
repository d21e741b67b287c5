/** The invariants of the database that a project's settings name. */
import { loadConfig } from '../../src/config/load-config.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { integrityProblems } from './integrity.ts';
import type { Environment } from './server.ts';

/** What is wrong in it, as sentences. `env` is the environment of its server. */
export async function projectProblems(dir: string, env: Environment): Promise<string[]> {
  const config = loadConfig({ dir, environment: env, overrides: {} });
  const loaded = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!config.ok || !loaded.ok) throw new Error(`${dir} does not load`);
  const database = await openDatabase(config.config.database, { create: false, statementTime: 60_000 });
  try {
    return await database.read((connection) => integrityProblems(connection, database.dialect, loaded.model));
  } finally {
    await database.close();
  }
}
