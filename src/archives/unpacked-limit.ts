/** Limits what an archive unpacks to: a small one may unpack to more than the disk can store. */
import { stat, statfs } from 'node:fs/promises';
import { Transform } from 'node:stream';

/** Unpacked bytes for each byte of the archive: about 10 for JSON lines, 1000 for a bomb. */
const maxRatio = 100;
/** Small archives may be compressed better. */
const alwaysAllowed = 64 * 1024 * 1024;

/** Passes on the unpacked bytes of the archive `path`. Fails with the error of `refused` when they
 *  exceed 100 times its size (64 MB for small archives) or the free space of `folder`. */
export async function unpackedLimit(path: string, folder: string, refused: (reason: string) => Error): Promise<Transform> {
  const { size } = await stat(path);
  const limit = Math.max(size * maxRatio, alwaysAllowed);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  let unpacked = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      unpacked += chunk.length;
      if (unpacked > limit) done(refused(`The archive is refused: it unpacks to more than ${maxRatio} times its size.`));
      else if (unpacked > free) done(refused(`The archive is larger than the free space in ${folder}.`));
      else done(null, chunk);
    },
  });
}
