/** Project folders, each with a database of its own. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { databasePrefix } from './database-prefix.ts';
import { createDatabase, databaseAt, type EngineName, speaksMysql, type TestDatabase } from './engines.ts';
import { loadMariadb } from './mariadb-load.ts';
import { asAdministrator } from './postgres-server.ts';
import { transferBetween } from './transfer.ts';
import { type Files, writeFiles } from './write-files.ts';

export interface Project {
  readonly dir: string;
  readonly database: TestDatabase;
  /** For the environment of a server or command: the database. */
  readonly env: Readonly<Record<string, string>>;
  /** The database file, on SQLite. */
  readonly file: string;
  remove(): Promise<void>;
}

/** A project of these files with an empty database: that of the URL, which is left as it is, or one of its own, which may be a copy of another one. */
export async function makeProject(engine: EngineName, files: Files, url?: string, template?: string): Promise<Project> {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  writeFiles(dir, files);
  return projectIn(dir, url === undefined ? await createDatabase(engine, template) : databaseAt(url));
}

/** The same until the end of the test. */
export async function projectOfTest(engine: EngineName, files: Files): Promise<Project> {
  const project = await makeProject(engine, files);
  onTestFinished(() => project.remove());
  return project;
}

/** A SQLite database, and the statements that make its tables on MariaDB, and with small changes on MySQL. */
export interface CopiedDatabase {
  readonly database: string;
  readonly mariadbTables: string;
}

/** A copy of a project folder, with its `public/uploads`, on a copy of a database. */
export async function copyProject(
  engine: EngineName,
  from: CopiedDatabase & { readonly project: string; readonly uploads?: string },
): Promise<Project> {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  cpSync(from.project, dir, { recursive: true });
  mkdirSync(join(dir, 'public/uploads'), { recursive: true });
  if (from.uploads !== undefined) cpSync(from.uploads, join(dir, 'public/uploads'), { recursive: true });
  const template = engine === 'postgres' ? await postgresTemplate(from.database, (url) => transferBetween(from.database, url)) : undefined;
  const project = projectIn(dir, await createDatabase(engine, template));
  const { url } = project.database;
  if (url === undefined) {
    mkdirSync(dirname(project.file), { recursive: true });
    cpSync(from.database, project.file);
  } else if (speaksMysql(engine)) {
    await loadMariadb(engine, url, { tables: from.mariadbTables, rows: from.database });
  }
  return project;
}

/** A PostgreSQL database that all test files of a run copy, which takes a fifth of the time of filling one. */
export async function postgresTemplate(key: string, fill: (url: string) => Promise<unknown>): Promise<string> {
  const name = `${databasePrefix(inject('run'))}${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  const isThere = await asAdministrator((client) => client.query('SELECT FROM pg_database WHERE datname = $1', [name]));
  if (isThere.rowCount !== 0) return name;
  const { url = '', drop } = await createDatabase('postgres');
  await fill(url);
  // Another process may have been faster.
  await asAdministrator((client) => client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RENAME TO ${name}`)).catch(drop);
  return name;
}

function projectIn(dir: string, database: TestDatabase): Project {
  return {
    dir,
    database,
    env: database.env,
    file: join(dir, '.tmp/data.db'),
    async remove() {
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
