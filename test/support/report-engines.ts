/** Vitest's global setup of the tests that need a database: finds the engines, tells the test files, drops what they left, and says at the end
 *  which engines were tested, so that a run without PostgreSQL cannot be mistaken for one with it. */
import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium-program.ts';
import { databasePrefix } from './database-prefix.ts';
import type { EngineName } from './engines.ts';
import { leftOut } from './left-out.ts';
import { dropMariadbLeftovers, type MysqlEngine, mysqlServers, onMariadb } from './mariadb-server.ts';
import { startOwnServers } from './own-servers.ts';
import { asAdministrator, postgresUrl } from './postgres-server.ts';

interface TestedServer {
  /** Whether it is tested when `LECTERN_TEST_ENGINES` names no engine. */
  readonly byDefault: boolean;
  url(): string;
  greet(): Promise<unknown>;
  dropLeftovers(run: string): Promise<void>;
}

const servers: Readonly<Partial<Record<EngineName, TestedServer>>> = {
  postgres: {
    byDefault: true,
    url: postgresUrl,
    greet: () => asAdministrator((client) => client.query('SELECT 1')),
    dropLeftovers: dropPostgresLeftovers,
  },
  mariadb: mysqlServer('mariadb'),
  mysql: mysqlServer('mysql'),
};

function mysqlServer(engine: MysqlEngine): TestedServer {
  const url = () => mysqlServers[engine].url;
  return {
    byDefault: false,
    url,
    greet: () => onMariadb(url(), (connection) => connection.query('SELECT 1')),
    dropLeftovers: (run) => dropMariadbLeftovers(url(), run),
  };
}

const known: readonly EngineName[] = ['sqlite', 'postgres', 'mariadb', 'mysql'];
const shown = (url: string) => url.replace(/\/\/[^@/]*@/, '//');

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const required = requiredEngines();
  const removeServers = await startOwnServers(required);
  const problems = new Map<EngineName, string>();
  for (const engine of known) {
    const problem = await problemOf(engine, required);
    if (problem !== undefined) problems.set(engine, problem);
    if (problem !== undefined && required.includes(engine)) throw new Error(`LECTERN_TEST_ENGINES asks for ${engine}: ${problem}`);
  }
  const engines = known.filter((engine) => !problems.has(engine));
  const run = randomBytes(4).toString('hex');
  project.provide('engines', engines);
  project.provide('run', run);
  const chromium = findChromium();
  project.provide('chromium', chromium ?? '');

  return async () => {
    for (const engine of engines) await servers[engine]?.dropLeftovers(run);
    removeServers();
    const not = [...problems].map(([engine, problem]) => `${engine} (${problem})`);
    console.log(`\n Engines tested: ${engines.join(', ')}${not.length === 0 ? '' : `. NOT tested: ${not.join(', ')}`}`);
    console.log(
      ` Pages ${chromium === undefined ? 'were NOT tested: there is no Chromium (LECTERN_TEST_CHROMIUM can name one)' : 'were tested in Chromium'}.`,
    );
    for (const { reason, files } of leftOut) console.log(` NOT tested, ${reason}: ${files.join(', ')}`);
    console.log('');
  };
}

/** Why an engine is not tested. */
async function problemOf(engine: EngineName, required: readonly EngineName[]): Promise<string | undefined> {
  const server = servers[engine];
  if (required.length > 0 && !required.includes(engine)) return 'not asked for';
  if (server === undefined) return undefined;
  if (required.length === 0 && !server.byDefault) return 'only if LECTERN_TEST_ENGINES names it';
  try {
    await server.greet();
    return undefined;
  } catch (error) {
    return `not reachable at ${shown(server.url())}: ${error instanceof Error && error.message !== '' ? error.message : 'no connection'}`;
  }
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

async function dropPostgresLeftovers(run: string): Promise<void> {
  await asAdministrator(async (client) => {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      databasePrefix(run),
    ]);
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}
