/** Trying changes out without making them. */
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../errors/start-error.ts';
import type { Connection, Database } from './database.ts';
import { backUpSqlite } from './sqlite-backup.ts';

/** Runs `work` in a transaction that is rolled back, and returns its result. */
export async function rolledBack<T>(
  write: (work: (connection: Connection) => Promise<never>) => Promise<never>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const undo = new Error('this transaction is always rolled back');
  try {
    await write(async (connection) => {
      result = { value: await work(connection) };
      throw undo;
    });
  } catch (error) {
    if (error === undo && result !== undefined) return result.value;
    throw error;
  }
  throw undo;
}

/** The file may grow by as much as it has. */
const spaceFactor = 2;

/** Runs `work` on a temporary copy of a file. Throws a `StartError` if the disk lacks space. */
export async function onCopyOfFile<T>(
  filename: string,
  open: (copy: string) => Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-copy-'));
  try {
    const [{ size }, { bavail, bsize }] = [await stat(filename), await statfs(folder)];
    if (bavail * bsize < spaceFactor * size) throw new StartError([`${folder} has no space for a copy of ${filename}.`]);
    const copy = join(folder, 'data.db');
    await backUpSqlite(filename, copy, new AbortController().signal);
    const database = open(copy);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
