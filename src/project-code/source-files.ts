/** Reads source files of a project, within bounds: a project's folder may hold anything. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Real projects stay far below these limits. */
const maxFiles = 10_000;
const maxBytes = 64 * 1024 * 1024;
const maxBytesOfFile = 2 * 1024 * 1024;
const maxEntries = 10_000;
const maxFolders = 10_000;

export type SourceText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

export interface SourceFiles {
  /** Files in a folder, relative to the project, in order; empty if there is no such folder. */
  files(folder: string): readonly string[];
  folders(folder: string): readonly string[];
  read(file: string): SourceText;
  /** All files below a folder, if `enters` is true of each folder on the way. Links to folders are
   *  followed within the project, once. `complete` is false if a folder could not be listed, or
   *  there are too many. */
  below(folder: string, enters: (folder: string) => boolean): { readonly files: readonly string[]; readonly complete: boolean };
}

export function openSourceFiles(dir: string): SourceFiles {
  let filesLeft = maxFiles;
  let bytesLeft = maxBytes;
  const root = attempt(() => realpathSync.native(dir)) ?? dir;

  function names(folder: string, fits: (entry: Dirent) => boolean): readonly string[] {
    const entries = attempt(() => readdirSync(join(dir, folder), { withFileTypes: true })) ?? [];
    return entries
      .filter((entry) => !entry.name.startsWith('.') && fits(entry))
      .map((entry) => entry.name)
      .sort()
      .slice(0, maxEntries);
  }

  function read(file: string): SourceText {
    if (filesLeft <= 0 || bytesLeft <= 0) return { ok: false, problem: 'there are too many source files to read' };
    filesLeft -= 1;
    try {
      const real = realpathSync.native(join(dir, file));
      if (!real.startsWith(root + sep)) return { ok: false, problem: 'the file is a link that leads out of the project' };
      const stats = statSync(real);
      if (!stats.isFile()) return { ok: false, problem: 'it is not a file' };
      if (stats.size > maxBytesOfFile) return { ok: false, problem: 'the file is too large to read' };
      bytesLeft -= stats.size;
      return { ok: true, text: readFileSync(real, 'utf8') };
    } catch {
      return { ok: false, problem: 'the file cannot be read' };
    }
  }

  function below(start: string, enters: (folder: string) => boolean): { files: string[]; complete: boolean } {
    const found: string[] = [];
    const seen = new Set<string>();
    const open = [start];
    let complete = true;
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const real = attempt(() => realpathSync.native(join(dir, folder)));
      const isFolder = real !== undefined && attempt(() => statSync(real).isDirectory()) === true;
      if (!isFolder || seen.has(real)) continue;
      if (!real.startsWith(root + sep) || seen.size === maxFolders || found.length >= maxFiles) {
        complete = false;
        continue;
      }
      seen.add(real);
      const inside = folder;
      const isFolderHere = (name: string) => attempt(() => statSync(join(dir, inside, name)).isDirectory()) === true;
      found.push(
        ...names(inside, (entry) => entry.isFile() || (entry.isSymbolicLink() && !isFolderHere(entry.name))).map(
          (name) => `${inside}/${name}`,
        ),
      );
      const folders = names(inside, (entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolderHere(entry.name)));
      open.push(
        ...folders
          .map((name) => `${inside}/${name}`)
          .filter(enters)
          .reverse(),
      );
    }
    return { files: found.sort(), complete };
  }

  return {
    below,
    // A symbolic link may be a file or a folder; which one shows when it is read.
    files: (folder) => names(folder, (entry) => entry.isFile() || entry.isSymbolicLink()),
    folders: (folder) => names(folder, (entry) => entry.isDirectory() || entry.isSymbolicLink()),
    read,
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
