/** Files in `uploads/` of the public folder, as addresses name them. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Original } from '../variants/variants.ts';

/** Segments without a name of their own, hidden ones (files on their way in begin with a dot), and what a file system reads as more than a name. */
const isPath = (name: string): boolean => name.split('/').every((segment) => /^[^./\\\0][^/\\\0]*$/.test(segment));

/** Undefined for what is no file below the folder, by whatever spelling. A link in the folder must not lead out of it; the folder itself may be
 *  one, to a volume for instance. */
export async function findLocalOriginal(folder: string, name: string): Promise<(Original & { readonly path: string }) | undefined> {
  if (!isPath(name)) return undefined;
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    if (!path.startsWith(root + sep)) return undefined;
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return { name, path, size: found.size, modified: found.mtime, stream: () => createReadStream(path) };
  } catch {
    // Missing, too long a name, a file where a folder should be, no right to read it: nothing that a caller could tell apart.
    return undefined;
  }
}
