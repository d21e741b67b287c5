import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../errors/system-error.ts';

/** The files and folders made in a folder, so that a failure removes only them: another program may
 *  write there as well. */
export class MadeFiles {
  readonly #files: string[] = [];
  /** Folders, parents first. */
  readonly #folders: string[] = [];

  /** Creates the folder, with its parents, unless it is there. */
  folder(path: string): void {
    const first = mkdirSync(path, { recursive: true });
    if (first === undefined) return;
    const made: string[] = [];
    for (let each = path; each.length >= first.length; each = dirname(each)) made.unshift(each);
    this.#folders.push(...made);
  }

  /** Writes a file that must not be there yet. Throws the error of the file system. */
  write(path: string, text: string, mode?: number): void {
    this.folder(dirname(path));
    try {
      writeFileSync(path, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    } catch (error) {
      // A full disk leaves half of the file behind.
      if (codeOf(error) !== 'EEXIST') this.note(path);
      throw error;
    }
    this.note(path);
  }

  /** Notes a file that is made elsewhere. */
  note(path: string): void {
    this.#files.push(path);
  }

  remove(): void {
    for (const file of this.#files) rmSync(file, { force: true });
    for (const folder of this.#folders.toReversed()) {
      try {
        rmdirSync(folder);
      } catch {
        // It holds a file that somebody else made.
      }
    }
  }
}
