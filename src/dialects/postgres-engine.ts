/** Engines that speak PostgreSQL's protocol. Only a snapshot of PostgreSQL itself is known to show
 *  every commit that reads can see: on engines whose nodes write, it describes one node. */
import pg from 'pg';
import type { Database } from './database.ts';
import { idQuestion } from './postgres-own-transactions.ts';
import { versionQuestion } from './postgres-versions.ts';

export interface PostgresEngine {
  /** `PostgreSQL 15.18`, `YugabyteDB 2.20.0.0`. */
  readonly name: string;
  /** Why its snapshots are not relied on; undefined for PostgreSQL. */
  readonly doubt: string | undefined;
}

/** What `version()` of PostgreSQL returns: its number, the package of a known distributor, and the
 *  machine, or the compiler. `PostgreSQL 16` alone is Aurora DSQL, `PostgreSQL 11.2-YB-2.20.0.0-b0`
 *  YugabyteDB. Other names in parentheses are those of engines derived from PostgreSQL. */
const known =
  /^(PostgreSQL \d+(?:\.\d+)?(?:devel|(?:alpha|beta|rc)\d+)?)(?: \((?:Debian|Ubuntu|Raspbian|Homebrew|Postgres\.app|EnterpriseDB)\b[^)]*\)| - Percona\b[^,]*?)?(?: on [\w-]+)?, compiled by /;

/** Extensions by which other nodes write, or tables commit without a transaction id. */
const doubtful: Readonly<Record<string, string>> = { citus: 'Citus', orioledb: 'OrioleDB', multimaster: 'multimaster' };

const extensionsQuestion = `SELECT extname FROM pg_extension WHERE extname IN (${Object.keys(doubtful)
  .map((name) => `'${name}'`)
  .join(', ')})`;

/** The name of the engine, by the text of `version()`. */
function engineName(version: string): string {
  const yugabyte = /^PostgreSQL [\d.]+-YB-([\d.]+)/.exec(version)?.[1];
  if (yugabyte !== undefined) return `YugabyteDB ${yugabyte}`;
  return (known.exec(version)?.[1] ?? version.split(/ on |, compiled by | \((?:x86_64|aarch64)/, 1)[0] ?? '').slice(0, 80);
}

/** The engine, by the texts of `version()` and the names of its extensions. */
export function engineOf(version: string, extensions: readonly string[]): PostgresEngine {
  const name = engineName(version);
  if (!known.test(version)) return { name, doubt: 'it is not known as PostgreSQL' };
  const [extension] = extensions.flatMap((each) => doubtful[each] ?? []);
  return { name, doubt: extension === undefined ? undefined : `it has the extension ${extension}` };
}

/** Tries the questions that versions of the data need: one that fails would end each write. */
export async function findEngine(database: Database, version: string): Promise<PostgresEngine> {
  // Another engine may lack the tables that the further questions read.
  const { name, doubt } = engineOf(version, []);
  if (doubt !== undefined) return { name, doubt };
  return database.readAtOnce(async (connection) => {
    try {
      for (const question of [versionQuestion, idQuestion]) await connection.query(question, []);
      return engineOf(
        version,
        (await connection.query(extensionsQuestion, [])).map(([extension]) => String(extension)),
      );
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && isMissing(error))) throw error;
      return { name, doubt: error.message };
    }
  });
}

/** Whether the engine lacks what a statement uses, or the user may not use it. */
const isMissing = ({ code = '' }: pg.DatabaseError): boolean => /^(?:42|0A)/.test(code);
