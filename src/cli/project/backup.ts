/** `lectern backup`: writes the database and files to one archive, while the server runs. */

import { createWriteStream, existsSync } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import prettyBytes from 'pretty-bytes';
import { type Pack, pack } from 'tar-stream';
import type { Config } from '../../config/config.ts';
import { backUpSqlite } from '../../dialects/sqlite-backup.ts';
import { StartError } from '../../errors/start-error.ts';
import { codeOf, messageOf } from '../../errors/system-error.ts';
import { temporaryDirsOf } from '../../media/library/temporary-folder.ts';
import { exitCodes } from '../exit-codes.ts';
import { untilStopped } from '../stop-signal.ts';
import { archiveFolderProblem, inFolderBeside, keepArchive } from '../write-archive.ts';
import { checkDatabaseFile, loadProject, type ProjectOptions } from './load-project.ts';

export async function backup(path: string, options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  const target = resolve(path);
  const problem = await obstacle(config, target);
  if (problem !== undefined) throw new StartError([problem]);
  checkDatabaseFile(config, false);
  return untilStopped('no archive was written', async (signal) => {
    const { files, links, bytes } = await inFolderBeside(target, (folder) => write(config, target, folder, signal));
    const remote = config.upload.provider === 'local' ? '' : ' The uploaded files are in the bucket and not in the archive.';
    process.stdout.write(`${target}: the database and ${files} ${files === 1 ? 'file' : 'files'}, ${prettyBytes(bytes)}.${remote}\n`);
    if (links.length > 0) process.stderr.write(describeLinks(links));
    return exitCodes.done;
  });
}

/** Warns about links: as one may lead to any file, the user decides whether to back it up. */
function describeLinks(links: readonly string[]): string {
  const [first = ''] = links;
  const which = links.length === 1 ? `${first} is a link` : `${first} and ${links.length - 1} more are links`;
  return `Warning: ${which}: the targets of links are not in the archive.\n`;
}

async function obstacle(config: Config, target: string): Promise<string | undefined> {
  if (config.database.client !== 'sqlite') {
    return '`lectern backup` is for SQLite. For a PostgreSQL database, `pg_dump --format=custom --file=backup.dump <url>` makes a consistent copy while the server runs; copy the uploads folder afterwards. For MariaDB, `mariadb-dump --single-transaction <name>` does.';
  }
  if (existsSync(target)) return `${target} already exists and is not overwritten.`;
  return archiveFolderProblem(config, target);
}

async function write(config: Config, target: string, folder: string, signal: AbortSignal) {
  const database = join(folder, 'database');
  const archive = join(folder, 'archive');
  // Database first: files are stored before and removed after their rows, so no row lacks one.
  await backUpSqlite(config.database.filename, database, signal).catch((error: unknown) => {
    // One cause is a limit on the size of files; the error does not tell the causes apart.
    if (codeOf(error)?.startsWith('SQLITE_IOERR') !== true) throw error;
    throw new StartError([`The database could not be copied to ${dirname(target)}: ${messageOf(error)}. No archive was written.`]);
  });
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 6 }), createWriteStream(archive, { flags: 'wx', mode: 0o600 }), { signal });
  // The first failure has the cause; the other stream fails because of it.
  const [found] = await Promise.all([
    fill(tar, config, database, folder).catch(
      (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))) as never,
    ),
    written,
  ]);
  await keepArchive(archive, target, { kind: 'file', force: false, now: new Date() });
  const { size } = await stat(target);
  return { ...found, bytes: size };
}

/** Adds the copy of the database and all uploaded files. Returns the number of files, and the
 *  symbolic links that were omitted. */
async function fill(tar: Pack, config: Config, database: string, ownFolder: string) {
  await add(tar, database, nameInArchive(config.dir, config.database.filename, 'data.db'));
  const uploads = join(config.publicDir, 'uploads');
  const skipped = new Set([...temporaryDirsOf(config), ownFolder].map((path) => resolve(path)));
  const links: string[] = [];
  let files = 0;
  for await (const path of filesBelow(uploads, skipped, links)) {
    const name = nameInArchive(config.dir, path, join('public', 'uploads', relative(uploads, path)));
    if (await add(tar, path, name)) files++;
  }
  tar.finalize();
  return { files, links };
}

/** Files in the project have the same path in the archive. */
export function nameInArchive(dir: string, path: string, otherwise: string): string {
  const inside = relative(resolve(dir), resolve(path));
  const name = outside(inside) ? otherwise : inside;
  return name.split(sep).join('/');
}

/** Whether a relative path leads out of its folder. */
const outside = (path: string): boolean => path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);

/** Adds a file to the archive. Returns false if the file was deleted meanwhile. */
async function add(tar: Pack, path: string, name: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    const { size, mtime, mode } = await file.stat();
    const header = { name, size, mtime, mode };
    if (size === 0) tar.entry(header, '');
    // Bytes that are written after the size was read are not in the archive.
    else await pipeline(file.createReadStream({ start: 0, end: size - 1, autoClose: false }), tar.entry(header));
    return true;
  } finally {
    await file.close();
  }
}

async function* filesBelow(folder: string, skipped: ReadonlySet<string>, links: string[]): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (entries === undefined) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (skipped.has(path)) continue;
    if (entry.isDirectory()) yield* filesBelow(path, skipped, links);
    else if (entry.isFile()) yield path;
    else if (entry.isSymbolicLink()) links.push(path);
  }
}
