/** The database of a run. */

import { UsageError } from './options.mjs';
import { copyInPostgres, inPostgres, postgresEnv, transferTo } from './postgres.mjs';
import { lecternPrints, startLectern } from './processes.mjs';
import { copyLiveDatabase, documentsOf, makeProject } from './project.mjs';
import { printProgress } from './report.mjs';
import { makeScenarios } from './scenarios.mjs';

const sqliteEnv = (file) => ({ DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: file });

/** Each run gets a database of its own. In PostgreSQL it is a copy of one that is made once, since a transfer takes longer than a copy.
 *  @param {(() => unknown)[]} cleanUps of all runs */
export function preparations(cleanUps) {
  const templates = new Map();
  const templateFor = async (options, project) => {
    const key = `${options.content} ${options.articles}`;
    if (!templates.has(key)) {
      printProgress('Copying the content into PostgreSQL …');
      templates.set(key, (await inPostgres(options.postgres, project, cleanUps)).DATABASE_URL);
    }
    return templates.get(key);
  };
  /** @param {(() => unknown)[]} own clean-ups of this run
   *  @returns {Promise<{project: {dir: string, database: string}, env: object}>} `env` names the database */
  return async (options, own) => {
    const project = await makeProject(options, printProgress);
    own.push(project.remove);
    if (options.engine === 'sqlite') return { project, env: sqliteEnv(project.database) };
    return { project, env: await copyInPostgres(options.postgres, await templateFor(options, project), own) };
  };
}

/** Makes the indexes that Lectern proposes for the model, and for the requests of the benchmark, which are sent once for that. */
export async function applyIndexes({ dir, database }, env, { names, articles, writes }) {
  const server = await startLectern({ dir, database }, undefined, env);
  try {
    const documents = documentsOf(database, names);
    await makeScenarios(names, async (path) => (await fetch(server.base + path)).json(), { articles, documents, writes });
  } finally {
    await server.stop();
  }
  const printed = await lecternPrints(['indexes', 'apply', '--dir', dir], env);
  printProgress(`${printed.match(/^Created /gm)?.length ?? 0} indexes created`);
}

/** Writes the database of a run where another server can start on a copy of it. */
export async function saveDatabase(options, cleanUps) {
  const { save, engine } = options;
  if (engine === 'postgres' && !/^postgres(ql)?:/.test(save))
    throw new UsageError(`--save must be the URL of an empty PostgreSQL database, not ${save}`);
  const project = await makeProject(options, printProgress);
  cleanUps.push(project.remove);
  if (engine === 'sqlite') {
    if (options.indexes) await applyIndexes(project, sqliteEnv(project.database), options);
    await copyLiveDatabase(project.database, save);
  } else {
    await transferTo(save, project);
    if (options.indexes) await applyIndexes(project, postgresEnv(save), options);
  }
  printProgress(`Written: ${save}`);
}
