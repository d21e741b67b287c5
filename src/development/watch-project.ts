/** Watches the files of a project that a server reads at its start. */
import { type Dirent, readdirSync } from 'node:fs';
import { extname, join, relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import { configFileName } from '../config/read-settings.ts';
import { permissionsFileName } from '../permissions/find-declaration.ts';

/** Milliseconds from the last change to the report: editors and version control write several
 *  files, or one in parts. */
const quiet = 100;

const files: ReadonlySet<string> = new Set(['.env', configFileName, permissionsFileName, 'package.json']);
const folders: ReadonlySet<string> = new Set(['src', 'config', 'lectern']);
/** Schema files, hooks and endpoints, and code of a Strapi project, which decides about routes and
 *  settings. */
const extensions: ReadonlySet<string> = new Set(['.json', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts']);

export interface ProjectWatch {
  /** Resolves when every later change is noticed. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Calls `changed` with the paths of changed files, relative to the project. */
export function watchProject(path: string, changed: (paths: readonly string[]) => void): ProjectWatch {
  const dir = resolve(path);
  const collected = new Set<string>();
  const newFolders = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(dir, { ignoreInitial: true, ignored: (path) => isIgnored(relative(dir, path)) });
  watcher.on('all', (event, path) => {
    const file = relative(dir, path);
    if (event === 'addDir') newFolders.add(path);
    // A folder that goes takes its files along, each of which is reported.
    else if (event === 'unlinkDir' || !isInput(file)) return;
    else collected.add(file.replaceAll(sep, '/'));
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const folder of newFolders) lookInto(folder);
      newFolders.clear();
      const paths = [...collected].sort();
      collected.clear();
      if (paths.length > 0) changed(paths);
    }, quiet);
  });
  /** The watcher does not notice what is made in a new folder after it has read the folder and before
   *  it watches it. */
  const lookInto = (folder: string) => {
    const watched = new Set(Object.keys(watcher.getWatched()));
    for (const entry of entriesOf(folder)) {
      const path = join(entry.parentPath, entry.name);
      const file = relative(dir, path);
      if (isIgnored(file)) continue;
      if (entry.isDirectory() && !watched.has(path)) watcher.add(path);
      if (entry.isFile() && isInput(file)) collected.add(file.replaceAll(sep, '/'));
    }
  };
  // A folder that may not be read is not watched; the reload names what cannot be read.
  watcher.on('error', () => undefined);
  return {
    ready: new Promise((done) => {
      watcher.once('ready', () => done());
    }),
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** Everything below a folder; nothing if it cannot be read or is gone again. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

const isInput = (file: string): boolean => files.has(file) || extensions.has(extname(file));

/** Whether a path, relative to the project, is none of its inputs. */
function isIgnored(path: string): boolean {
  if (path === '' || files.has(path)) return false;
  const [top = '', ...rest] = path.split(sep);
  return !folders.has(top) || rest.some((name) => name === 'node_modules' || name.startsWith('.'));
}
