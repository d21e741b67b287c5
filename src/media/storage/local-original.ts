/** Files in `uploads/` of the public folder, by the names in their URLs. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Original } from '../variants/variants.ts';

/** Whether no segment is empty, hidden, `.`, `..`, or has characters with a meaning in paths. */
const isPath = (name: string): boolean => name.split('/').every((segment) => /^[^./\\\0][^/\\\0]*$/.test(segment));

/** Undefined unless `name` is a file below the folder. A symbolic link must not lead out of the
 *  folder, which may itself be one. */
export async function findLocalOriginal(folder: string, name: string): Promise<(Original & { readonly path: string }) | undefined> {
  if (!isPath(name)) return undefined;
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    if (!path.startsWith(root + sep)) return undefined;
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return { name, path, size: found.size, modified: found.mtime, stream: () => createReadStream(path) };
  } catch {
    // Missing file, name too long, folder, lack of permission: all the same to a caller.
    return undefined;
  }
}
