/** Moves restored files to their paths. Files that were there are kept, and moved back after a failure. */
import { chmod, chown, link, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface Placed {
  /** Where the former database is; undefined if there was none. */
  readonly former: string | undefined;
  /** Where files are that were replaced; undefined if there were none. */
  readonly formerFiles: string | undefined;
  readonly files: number;
}

export interface Restored {
  readonly database: { readonly from: string; readonly to: string };
  readonly uploads: { readonly from: string; readonly to: string; readonly paths: readonly string[] };
  readonly now: Date;
}

/** The files come first, so that each row has its file. Every step is a rename on one disk, which needs no space. */
export async function putInPlace({ database, uploads, now }: Restored): Promise<Placed> {
  const undo: (() => Promise<unknown>)[] = [];
  const suffix = `.before-${now.toISOString().slice(0, 19).replaceAll(':', '')}`;
  const formerFiles = `${uploads.to}${suffix}`;
  let replaced = false;
  try {
    for (const path of uploads.paths) {
      const outcome = await placeFile(join(uploads.from, path), join(uploads.to, path), join(formerFiles, path), undo);
      replaced ||= outcome === 'replaced';
    }
    const former = await placeDatabase(database, suffix, undo);
    return { former, formerFiles: replaced ? formerFiles : undefined, files: uploads.paths.length };
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    await rmdir(formerFiles).catch(() => undefined);
    throw error;
  }
}

type Undo = (() => Promise<unknown>)[];

async function placeFile(from: string, to: string, former: string, undo: Undo): Promise<'added' | 'same' | 'replaced'> {
  await mkdir(dirname(to), { recursive: true });
  await belongTo(from, await ownerOf(dirname(to)));
  let outcome: 'added' | 'replaced' = 'added';
  if ((await statOf(to)) !== undefined) {
    if (await haveSameContent(from, to)) return 'same';
    await mkdir(dirname(former), { recursive: true });
    await rename(to, former);
    undo.push(() => rename(former, to));
    outcome = 'replaced';
  }
  await rename(from, to);
  undo.push(() => rm(to));
  return outcome;
}

/** SQLite would apply a log that is left under the old name to the new database. */
const parts = ['', '-wal', '-journal'];

async function placeDatabase({ from, to }: Restored['database'], suffix: string, undo: Undo): Promise<string | undefined> {
  const present = await statOf(to);
  // A new database is written for the server's user alone to read, like the archive.
  if (present !== undefined) await chmod(from, present.mode & 0o777);
  await belongTo(from, present ?? (await ownerOf(dirname(to))));
  await sync(from);
  for (const part of parts) {
    if ((await statOf(`${to}${part}`)) === undefined) continue;
    await rename(`${to}${part}`, `${to}${suffix}${part}`);
    undo.push(() => rename(`${to}${suffix}${part}`, `${to}${part}`));
  }
  // An index of the log, which SQLite makes again.
  await rm(`${to}-shm`, { force: true });
  // Another process may have created a database meanwhile; a link does not overwrite it, as a rename would.
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    // Some file systems have no hard links.
    await rename(from, to);
  });
  await sync(dirname(to)).catch(() => undefined);
  return present === undefined ? undefined : `${to}${suffix}`;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const statOf = (path: string) => stat(path).catch(() => undefined);
const ownerOf = (path: string): Promise<Owner> => stat(path);

/** The administrator may restore for the user that the server runs as. */
async function belongTo(path: string, { uid, gid }: Owner): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, uid, gid);
}

async function haveSameContent(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(a), stat(b)]);
  if (one.size !== other.size || !other.isFile()) return false;
  const [first, second] = await Promise.all([open(a, 'r'), open(b, 'r')]);
  try {
    const [left, right] = [Buffer.alloc(pieceLength), Buffer.alloc(pieceLength)];
    for (let position = 0; position < one.size; position += pieceLength) {
      const [read] = await Promise.all([first.read(left, 0, pieceLength, position), second.read(right, 0, pieceLength, position)]);
      if (left.compare(right, 0, read.bytesRead, 0, read.bytesRead) !== 0) return false;
    }
    return true;
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}

const pieceLength = 1024 * 1024;

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
