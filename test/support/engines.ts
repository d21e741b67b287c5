/** The database engines that this run of the suite tests. Found out once for all test files, by `report-engines.ts`. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { databasePrefix } from './database-prefix.ts';
import { isLong } from './long.ts';
import { createMariadbDatabase, dropMariadbDatabase, type MysqlEngine, mysqlServers } from './mariadb-server.ts';
import { asAdministrator, doNotWaitForDisk, postgresUrl } from './postgres-server.ts';

export type EngineName = 'sqlite' | 'postgres' | MysqlEngine;

export const speaksMysql = (engine: EngineName): engine is MysqlEngine => engine === 'mariadb' || engine === 'mysql';

declare module 'vitest' {
  interface ProvidedContext {
    engines: readonly EngineName[];
    /** Part of the names of all databases of this run, so that whatever a crashed test file left can be dropped. */
    run: string;
  }
}

/** For `describe.each(engines)`. */
export const engines: readonly EngineName[] = inject('engines');
if (engines === undefined) throw new Error('vitest.config.ts must name test/support/report-engines.ts under globalSetup');

/** After a change behind the server's back: what a server has cached may be a second old, unless its `cache.consistency` is `exact`, as it is on SQLite, and in
 *  tests by default. MariaDB does not tell whether locales have changed, which are a second old there in any case. */
export const untilNoticed = (
  engine: EngineName,
  { LECTERN_CACHE_CONSISTENCY: consistency = 'exact' }: Readonly<Record<string, string>> = {},
  statements: readonly string[] = [],
): Promise<void> => {
  const hasLocales = statements.some((statement) => statement.includes('i18n'));
  const isAtOnce = engine === 'sqlite' || (consistency === 'exact' && !(speaksMysql(engine) && hasLocales));
  return new Promise((resolve) => setTimeout(resolve, isAtOnce ? 0 : 1100));
};

/** Those that report a version of their data: there, responses are cached. */
export const versionedEngines: readonly EngineName[] = engines.filter((engine) => !speaksMysql(engine));

/** One engine, for tests of what is the same on every engine; all of them in a long run. None where another run has them
 *  (`LECTERN_TEST_DIFFERENCES_ONLY`). */
export const anyEngine: readonly EngineName[] = isLong
  ? engines
  : engines.slice(0, process.env.LECTERN_TEST_DIFFERENCES_ONLY === 'true' ? 0 : 1);

/** An empty database of this engine and what a server needs to find it. */
export interface TestDatabase {
  readonly engine: EngineName;
  /** `DATABASE_*` for the server's environment; a SQLite file lies where the project says. */
  readonly env: Readonly<Record<string, string>>;
  /** The URL of a database on its server; undefined for SQLite. */
  readonly url: string | undefined;
  drop(): Promise<void>;
}

/** `template`: the database on PostgreSQL to copy. */
export async function createDatabase(engine: EngineName, template?: string): Promise<TestDatabase> {
  if (engine === 'sqlite') return { engine, env: { DATABASE_CLIENT: 'sqlite' }, url: undefined, drop: async () => undefined };
  if (speaksMysql(engine)) {
    const url = await createMariadbDatabase(engine, inject('run'));
    return { ...databaseAt(url), drop: () => dropMariadbDatabase(url) };
  }
  const name = `${databasePrefix(inject('run'))}${randomBytes(4).toString('hex')}`;
  // A language's collation on purpose, if there is one: responses must not depend on it, and most databases in use have one.
  await asAdministrator(async (client) => {
    const create = `CREATE DATABASE ${name} TEMPLATE ${template ?? "template0 ENCODING 'UTF8'"}`;
    const withLanguage = template === undefined ? `${create} LOCALE_PROVIDER icu ICU_LOCALE 'en-US'` : create;
    await client.query(withLanguage).catch(() => client.query(create));
    await doNotWaitForDisk(client, name);
  });
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return {
    ...pooled(databaseAt(url.href)),
    drop: () => asAdministrator(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

/** With `LECTERN_TEST_POOLER`, servers and commands reach the database through PgBouncer; the tests themselves reach it directly. */
function pooled(database: TestDatabase): TestDatabase {
  const host = process.env.LECTERN_TEST_POOLER;
  if (host === undefined || database.url === undefined) return database;
  const url = new URL(database.url);
  url.host = host;
  return { ...database, env: { ...database.env, DATABASE_URL: url.href, LECTERN_DATABASE_PREPARED_STATEMENTS: 'false' } };
}

/** A database that somebody else has made and drops. */
export function databaseAt(url: string): TestDatabase {
  const isPostgres = /^postgres/.test(url);
  return {
    engine: isPostgres ? 'postgres' : new URL(url).host === new URL(mysqlServers.mysql.url).host ? 'mysql' : 'mariadb',
    // Tests change data behind the server's back, and expect it at the next request. Those of the default pass an empty variable, which counts as unset.
    env: { DATABASE_CLIENT: isPostgres ? 'postgres' : 'mysql', DATABASE_URL: url, LECTERN_CACHE_CONSISTENCY: 'exact' },
    url,
    drop: async () => undefined,
  };
}
