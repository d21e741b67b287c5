/** Project folders, each with a database of its own. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { createDatabase, databaseAt, type EngineName, speaksMysql, type TestDatabase } from './engines.ts';
import { loadMariadb } from './mariadb-load.ts';
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

/** A project of these files with an empty database: that of the URL, which is left as it is, or one of its own. */
export async function makeProject(engine: EngineName, files: Files, url?: string): Promise<Project> {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  writeFiles(dir, files);
  return projectIn(dir, url === undefined ? await createDatabase(engine) : databaseAt(url));
}

/** A SQLite database, and the statements that make its tables on MariaDB, and with small changes on MySQL. */
export interface CopiedDatabase {
  readonly database: string;
  readonly mariadbTables: string;
}

/** A copy of a project folder, with its `public/uploads`, on a copy of a database. */
export async function copyProject(
  engine: EngineName,
  from: CopiedDatabase & { readonly project: string; readonly uploads: string },
): Promise<Project> {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  cpSync(from.project, dir, { recursive: true });
  cpSync(from.uploads, join(dir, 'public/uploads'), { recursive: true });
  const project = projectIn(dir, await createDatabase(engine));
  await copyDatabase(project, from);
  return project;
}

/** Fills the empty database of a project. */
export async function copyDatabase(project: Project, { database, mariadbTables }: CopiedDatabase): Promise<void> {
  const { engine, url } = project.database;
  if (url === undefined) {
    mkdirSync(dirname(project.file), { recursive: true });
    cpSync(database, project.file);
  } else if (speaksMysql(engine)) {
    await loadMariadb(engine, url, { tables: mariadbTables, rows: database });
  } else {
    await transferBetween(database, url);
  }
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
