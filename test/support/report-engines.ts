/** Vitest's global setup of the tests that need a database: finds the engines, tells the test files, drops what they left, and says at the end
 *  which engines were tested, so that a run without PostgreSQL cannot be mistaken for one with it. */
import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium-program.ts';
import type { EngineName } from './engines.ts';
import { asAdministrator, databasePrefix, postgresUrl } from './postgres-server.ts';

const known: readonly EngineName[] = ['sqlite', 'postgres'];
const shownUrl = postgresUrl.replace(/\/\/[^@/]*@/, '//');

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const required = requiredEngines();
  const problem = required.length > 0 && !required.includes('postgres') ? 'not asked for' : await postgresProblem();
  if (problem !== undefined && required.includes('postgres')) {
    throw new Error(`LECTERN_TEST_ENGINES asks for postgres, which is not reachable at ${shownUrl}: ${problem}`);
  }
  const engines = (required.length > 0 ? required : known).filter((engine) => engine !== 'postgres' || problem === undefined);
  const run = randomBytes(4).toString('hex');
  project.provide('engines', engines);
  project.provide('run', run);
  const chromium = findChromium();
  project.provide('chromium', chromium ?? '');

  return async () => {
    if (engines.includes('postgres')) await dropLeftovers(run);
    const missing = known.filter((engine) => !engines.includes(engine));
    const not = missing.map((engine) => (engine === 'postgres' ? `postgres (${problem}; ${shownUrl})` : engine));
    console.log(`\n Engines tested: ${engines.join(', ')}${not.length === 0 ? '' : `. NOT tested: ${not.join(', ')}`}`);
    console.log(
      ` Pages ${chromium === undefined ? 'were NOT tested: there is no Chromium (LECTERN_TEST_CHROMIUM can name one)' : 'were tested in Chromium'}.\n`,
    );
  };
}

/** `LECTERN_TEST_ENGINES=sqlite,postgres`: exactly these, or the run fails. */
function requiredEngines(): EngineName[] {
  const names = (process.env.LECTERN_TEST_ENGINES ?? '').split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const engine = known.find((candidate) => candidate === name);
      if (engine === undefined) throw new Error(`LECTERN_TEST_ENGINES: there is no engine ${name}; there are ${known.join(', ')}`);
      return engine;
    });
}

async function postgresProblem(): Promise<string | undefined> {
  try {
    await asAdministrator((client) => client.query('SELECT 1'));
    return undefined;
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : 'no connection';
  }
}

async function dropLeftovers(run: string): Promise<void> {
  await asAdministrator(async (client) => {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      databasePrefix(run),
    ]);
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}
