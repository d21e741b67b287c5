/** Opens an archive as a folder: a tar file is unpacked into a temporary one, since its parts are
 *  needed in another order. Archives come from elsewhere, so nothing in them is trusted. */

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { codeOf } from '../errors/system-error.ts';
import { isStorageKey } from '../media/storage/storage.ts';
import { printable } from '../text/printable.ts';
import { ArchiveRefused, archiveDecipher } from './archive-parts.ts';
import { unpackedLimit } from './unpacked-limit.ts';

export interface PackedArchive {
  readonly path: string;
  readonly gzip: boolean;
  readonly key: string | undefined;
}

const maxEntries = 4_000_000;

const isLineFile = /^(?:schemas|entities|links|configuration)\/[a-z]+_\d{5,}\.jsonl$/;

/** Whether archives have such an entry. Others are not unpacked: none leads out of the folder. */
function isPartOfArchive(name: string): boolean {
  if (name === 'metadata.json' || isLineFile.test(name)) return true;
  const key = /^assets\/(?:uploads|metadata)\/([^/]+)$/.exec(name)?.[1];
  return key !== undefined && isStorageKey(key) && key.length <= 250;
}

/** Throws `ArchiveRefused`. */
export async function unpack(
  { path, gzip, key }: PackedArchive,
  folder: string,
  signal: AbortSignal,
  advance: (bytes: number) => void,
): Promise<void> {
  const count = await unpackedLimit(path, folder, (reason) => new ArchiveRefused([reason]));
  const entries = extract();
  const decryption = key === undefined ? new PassThrough() : await archiveDecipher(key);
  const source = createReadStream(path).on('data', (chunk) => advance(chunk.length));
  const read = pipeline(source, decryption, gzip ? createGunzip() : new PassThrough(), count, entries, { signal });
  read.catch(() => undefined);
  let entriesSeen = 0;
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (++entriesSeen > maxEntries) throw new ArchiveRefused([`The archive is refused: it has more than ${maxEntries} files.`]);
      if (type === 'file' && isPartOfArchive(name)) await save(entry, join(folder, name), name);
      else if (type === 'directory' || (type === 'file' && isHarmless(name))) entry.resume();
      else
        throw new ArchiveRefused([`The archive is refused: its entry "${printable(name)}" (${type ?? 'unknown'}) belongs in no archive.`]);
    }
    await read;
  } catch (error) {
    signal.throwIfAborted();
    // The pipeline's error says why the stream ended; the loop only sees that it ended.
    const cause = await read.then(
      () => error,
      (reason: unknown) => (isPremature(reason) ? error : reason),
    );
    if (cause instanceof ArchiveRefused) throw cause;
    if (isOfArchive(cause) || isOfArchive(error)) throw new ArchiveRefused([notAnArchive(path, key)]);
    throw cause;
  }
}

/** What tar programs add by themselves. */
const isHarmless = (name: string) => /^(?:\.\/)?(?:\._[^/]*|\.DS_Store|\.gitkeep)$/.test(name);

async function save(entry: AsyncIterable<unknown>, path: string, name: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') throw new ArchiveRefused([`The archive is refused: it has "${printable(name)}" twice.`]);
    throw error;
  });
}

export const notAnArchive = (path: string, key: string | undefined): string =>
  `${path} is not an archive${key === undefined ? '' : ', or the key is wrong'}: it has none of the files of \`lectern export\` or \`strapi export\`.`;

const isPremature = (error: unknown) => codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
/** Errors of zlib, OpenSSL and tar-stream about bytes that they cannot read. */
const isOfArchive = (error: unknown): boolean =>
  /^(?:Z_|ERR_OSSL_)/.test(codeOf(error) ?? '') ||
  (error instanceof Error &&
    /tar|Unexpected end of data|Invalid header|Header exceeds/i.test(error.message) &&
    !codeOf(error)?.startsWith('E'));
