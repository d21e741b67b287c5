/** Unpacks what `lectern backup` has written: the database, and the uploaded files. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { unpackedLimit } from '../../archives/unpacked-limit.ts';
import { StartError } from '../../errors/start-error.ts';
import { printable } from '../../text/printable.ts';

export interface Targets {
  /** A path for the database, in an existing folder. */
  readonly database: string;
  /** An existing, empty folder for the uploaded files; undefined if they are not unpacked. */
  readonly uploads: string | undefined;
  /** The beginnings of names in the archive that are those of uploaded files: `public/uploads/`. */
  readonly prefixes: readonly string[];
}

/** Returns the paths of the uploaded files below their folder, with `/`, also if they are not
 *  unpacked. Throws a `StartError` for a file of another kind. */
export async function readArchive(file: string, targets: Targets, signal: AbortSignal): Promise<readonly string[]> {
  switch (await kindOf(file)) {
    case 'database':
      // A copied file's log has its latest writes. SQLite moves them into the file at the check.
      for (const part of ['', '-wal', '-journal']) {
        if (part !== '' && !existsSync(`${file}${part}`)) continue;
        const target = createWriteStream(`${targets.database}${part}`, { flags: 'wx', mode: 0o600 });
        await pipeline(createReadStream(`${file}${part}`), target, { signal });
      }
      return [];
    case 'archive':
      return unpack(file, targets, signal);
    case undefined:
      throw new StartError([`${file} is neither an archive of \`lectern backup\` nor a SQLite database.`]);
  }
}

async function kindOf(file: string): Promise<'database' | 'archive' | undefined> {
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new StartError([error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}.`]);
  };
  // Opening a named pipe would wait without end.
  if (!(await stat(file).catch(refuse)).isFile()) return undefined;
  const handle = await open(file, 'r').catch(refuse);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start.toString('latin1') === 'SQLite format 3\0') return 'database';
    return start.subarray(0, 2).toString('hex') === '1f8b' ? 'archive' : undefined;
  } finally {
    await handle.close();
  }
}

/** The database is the first entry; the others are uploaded files. */
async function unpack(file: string, { database, uploads, prefixes }: Targets, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const entries = extract();
  const limit = await unpackedLimit(file, dirname(database), (reason) => new StartError([`${reason} Nothing was restored.`]));
  const unpacked = pipeline(createReadStream(file), createGunzip(), limit, entries, { signal });
  const written = (async () => {
    let isFirst = true;
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (type === 'directory') {
        entry.resume();
        continue;
      }
      if (type !== 'file')
        throw new StartError([
          `${file} has a ${type ?? 'file of another kind'}, ${printable(name)}: \`lectern backup\` does not write one.`,
        ]);
      if (isFirst) {
        isFirst = false;
        await pipeline(entry, createWriteStream(database, { flags: 'wx', mode: 0o600 }), { signal });
        continue;
      }
      const path = uploadPath(name, prefixes);
      if (path === undefined)
        throw new StartError([`${file} has ${printable(name)}, which is not in the folder of uploaded files. Nothing was restored.`]);
      found.push(path);
      if (uploads === undefined) {
        entry.resume();
        continue;
      }
      const target = join(uploads, path);
      await mkdir(dirname(target), { recursive: true });
      await pipeline(entry, createWriteStream(target, { flags: 'wx' }), { signal });
    }
    if (isFirst) throw new StartError([`${file} is an empty archive.`]);
  })();
  const [unpacking, writing] = await Promise.allSettled([unpacked, written]);
  // What is refused ends the stream as well, which then fails for that reason.
  const failures = [writing, unpacking].flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const failure = failures.find((each) => !isBroken(each)) ?? failures[0];
  if (failure !== undefined)
    throw isBroken(failure) ? new StartError([`${file} is incomplete or damaged: ${(failure as Error).message}.`]) : failure;
  return found;
}

/** Names that would lead out of the folder have no path. */
function uploadPath(name: string, prefixes: readonly string[]): string | undefined {
  const prefix = prefixes.find((each) => name.startsWith(each));
  const path = prefix === undefined ? '' : name.slice(prefix.length);
  const parts = path.split('/');
  return parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part)) ? undefined : path;
}

const isBroken = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof StartError) return false;
  return (
    String((error as NodeJS.ErrnoException).code).startsWith('Z_') ||
    /unexpected end|invalid (?:tar )?header|header exceeds|premature close/i.test(error.message)
  );
};
