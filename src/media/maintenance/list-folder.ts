/** The files of a folder that somebody wants imported. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** Below the folder, with `/`. */
  readonly place: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly modified: number;
}

/** Folder by folder, in the order of their names. Left out are links, which may lead anywhere, and whatever begins with a dot: it is the system's or a
 *  program's, such as `.DS_Store`. `unreadable` is told of folders that
 *  cannot be read, the first one with an empty place. */
export async function* foundFiles(folder: string, unreadable: (place: string) => void, place = ''): AsyncGenerator<FoundFile> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => {
    unreadable(place);
    return [];
  });
  const entries = found.filter(({ name }) => !name.startsWith('.'));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const below = place === '' ? entry.name : `${place}/${entry.name}`;
    if (entry.isDirectory()) yield* foundFiles(path, unreadable, below);
    if (!entry.isFile()) continue;
    // One that is not there is found as well, so that it is told: its name may be in an encoding that Node cannot ask for it with.
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    yield { path, place: below, name: entry.name, size, modified: Math.trunc(mtimeMs) };
  }
}
