/** The files of a project's hooks and endpoints. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeFile } from './protocol.ts';

/** Relative to the project. Files in folders below these are helpers to import. */
const codeFolders = { hooks: 'lectern/hooks', endpoints: 'lectern/endpoints' } as const;

export function codeFilesOf(dir: string): readonly CodeFile[] {
  return (['hooks', 'endpoints'] as const).flatMap((kind) =>
    codeIn(join(dir, codeFolders[kind])).map((name) => ({ kind, path: `${codeFolders[kind]}/${name}` })),
  );
}

/** The names of the files of code in a folder; `recursive`: also of those in folders below,
 *  `parts/dial.ts`. */
export function codeIn(folder: string, { recursive = false } = {}): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    if (!entry.isDirectory()) return isCode(entry.name) ? [entry.name] : [];
    return recursive ? codeIn(join(folder, entry.name), { recursive }).map((name) => `${entry.name}/${name}`) : [];
  });
}

const isCode = (name: string) => /\.(?:ts|mts|js|mjs)$/.test(name) && !/\.(?:d|test|spec)\.[cm]?[tj]s$/.test(name) && !name.startsWith('.');

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
