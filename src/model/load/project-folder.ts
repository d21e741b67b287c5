import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a project. Each folder is listed once. Paths are relative, with `/`. */
export class ProjectFolder {
  readonly #dir: string;
  readonly #listed = new Map<string, readonly Dirent[] | undefined>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The entries of a folder, sorted by name so that messages and tables have the same order on
   *  every machine; undefined if there is no such folder. */
  entries(path: string): readonly Dirent[] | undefined {
    if (!this.#listed.has(path)) this.#listed.set(path, list(join(this.#dir, path)));
    return this.#listed.get(path);
  }

  /** The names of folders, and of links, which may lead to folders. */
  folders(path: string): readonly string[] {
    return (this.entries(path) ?? []).filter((entry) => !entry.isFile()).map((entry) => entry.name);
  }

  /** The paths of JSON files. */
  jsonFiles(path: string): readonly string[] {
    const files = (this.entries(path) ?? []).filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json'));
    return files.map((entry) => `${path}/${entry.name}`);
  }

  /** Throws as `readFileSync` does. */
  read(file: string): string {
    return readFileSync(join(this.#dir, file), 'utf8');
  }

  /** The text of a file of at most `limit` bytes; undefined for others, and for what is no file. */
  readShort(file: string, limit: number): string | undefined {
    try {
      const found = statSync(join(this.#dir, file));
      return found.isFile() && found.size <= limit ? this.read(file) : undefined;
    } catch {
      return undefined;
    }
  }
}

function list(dir: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}
