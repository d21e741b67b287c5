/** Moves restored files to their paths. Present files are kept, and moved back after a failure. */
import { existsSync, type Stats } from 'node:fs';
import { chmod, chown, link, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../errors/start-error.ts';
import { formerName, syncFile } from '../write-archive.ts';

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
  /** What `findSame` returned. */
  readonly same: ReadonlySet<string>;
  readonly now: Date;
}

/** The paths of the restored files that are present with the same bytes. Reads both files, at the
 *  disk's speed. Rejects with the reason of `signal` when it is aborted. */
export async function findSame({ from, to, paths }: Restored['uploads'], signal: AbortSignal): Promise<ReadonlySet<string>> {
  const same = new Set<string>();
  for (const path of paths) {
    signal.throwIfAborted();
    if ((await statOf(join(to, path))) === undefined) continue;
    if (await haveSameContent(join(from, path), join(to, path), signal)) same.add(path);
  }
  return same;
}

/** Files first, so that each row has its file. Steps are renames on one disk and need no space. */
export async function putInPlace({ database, uploads, same, now }: Restored): Promise<Placed> {
  const undo: Undo = [];
  const formerFiles = formerName(uploads.to, now);
  let replaced = false;
  try {
    for (const path of uploads.paths) {
      if (same.has(path)) continue;
      const outcome = await placeFile(join(uploads.from, path), join(uploads.to, path), join(formerFiles, path), undo);
      replaced ||= outcome === 'replaced';
    }
    const former = await placeDatabase(database, formerName(database.to, now), undo);
    return { former, formerFiles: replaced ? formerFiles : undefined, files: uploads.paths.length };
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    await rmdir(formerFiles).catch(() => undefined);
    throw error;
  }
}

type Undo = (() => Promise<unknown>)[];

async function placeFile(from: string, to: string, former: string, undo: Undo): Promise<'added' | 'replaced'> {
  await mkdir(dirname(to), { recursive: true });
  await belongTo(from, await stat(dirname(to)));
  let outcome: 'added' | 'replaced' = 'added';
  if ((await statOf(to)) !== undefined) {
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

async function placeDatabase({ from, to }: Restored['database'], former: string, undo: Undo): Promise<string | undefined> {
  const present = await statOf(to);
  // A new database is written for the server's user alone to read, like the archive.
  if (present !== undefined) await chmod(from, present.mode & 0o777);
  await belongTo(from, present ?? (await stat(dirname(to))));
  await syncFile(from);
  const moved: string[] = [];
  undo.push(async () => {
    // Database first: if another process has created one, the former log must not be beside it.
    for (const part of moved) await moveIfFree(`${former}${part}`, `${to}${part}`);
  });
  for (const part of parts) {
    if ((await statOf(`${to}${part}`)) === undefined) continue;
    await rename(`${to}${part}`, `${former}${part}`);
    moved.push(part);
  }
  // An index of the log, which SQLite makes again.
  await rm(`${to}-shm`, { force: true });
  await moveIfFree(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    const note = present === undefined ? '' : ` The former database is ${former}.`;
    throw new StartError([`Another process has created ${to} meanwhile; nothing was restored.${note}`]);
  });
  await syncFile(dirname(to)).catch(() => undefined);
  return present === undefined ? undefined : former;
}

/** Another process may have created a database: a link, unlike a rename, does not overwrite it. */
async function moveIfFree(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // Some file systems have no hard links.
    if (existsSync(to)) throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' });
    return rename(from, to);
  }
  await rm(from);
}

const statOf = (path: string) => stat(path).catch(() => undefined);

/** The administrator may restore for the user that the server runs as. */
async function belongTo(path: string, { uid, gid }: Stats): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, uid, gid);
}

async function haveSameContent(a: string, b: string, signal: AbortSignal): Promise<boolean> {
  const [one, other] = await Promise.all([stat(a), stat(b)]);
  if (one.size !== other.size || !other.isFile()) return false;
  const [first, second] = await Promise.all([open(a, 'r'), open(b, 'r')]);
  try {
    const [left, right] = [Buffer.alloc(pieceLength), Buffer.alloc(pieceLength)];
    for (let position = 0; position < one.size; position += pieceLength) {
      signal.throwIfAborted();
      const [read] = await Promise.all([first.read(left, 0, pieceLength, position), second.read(right, 0, pieceLength, position)]);
      if (left.compare(right, 0, read.bytesRead, 0, read.bytesRead) !== 0) return false;
    }
    return true;
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}

const pieceLength = 1024 * 1024;
