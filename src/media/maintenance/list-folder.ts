/** Lists the files of a folder that is to be imported. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Path below the folder, with `/`. */
  readonly relativePath: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly modified: number;
}

/** Folder by folder, in the order of names, without links and names that begin with a dot. Calls
 *  `unreadable` for each folder that cannot be read; the path of the first one is empty. */
export async function* foundFiles(
  folder: string,
  unreadable: (relativePath: string) => void,
  relativePath = '',
): AsyncGenerator<FoundFile> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => {
    unreadable(relativePath);
    return [];
  });
  const entries = found.filter(({ name }) => !name.startsWith('.'));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const relativePathOfEntry = relativePath === '' ? entry.name : `${relativePath}/${entry.name}`;
    if (entry.isDirectory()) yield* foundFiles(path, unreadable, relativePathOfEntry);
    if (!entry.isFile()) continue;
    // Also lists files that cannot be examined: Node cannot open names in some encodings.
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    yield { path, relativePath: relativePathOfEntry, name: entry.name, size, modified: Math.trunc(mtimeMs) };
  }
}
