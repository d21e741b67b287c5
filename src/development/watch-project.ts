/** Watches the files of a project that a server reads at its start. */
import { extname, relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import { configFileName } from '../config/read-settings.ts';
import { permissionsFileName } from '../permissions/find-declaration.ts';

/** Milliseconds from the last change to the report: editors and version control write several
 *  files, or one in parts. */
const quiet = 100;

const files: ReadonlySet<string> = new Set(['.env', configFileName, permissionsFileName, 'package.json']);
const folders: ReadonlySet<string> = new Set(['src', 'config']);
/** Schema files, and code of a Strapi project, which decides about routes and settings. */
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
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(dir, { ignoreInitial: true, ignored: (path) => isIgnored(relative(dir, path)) });
  watcher.on('all', (event, path) => {
    const file = relative(dir, path);
    // A folder that goes takes its files along, each of which is reported.
    if (event === 'addDir' || event === 'unlinkDir' || !(files.has(file) || extensions.has(extname(file)))) return;
    collected.add(file.replaceAll(sep, '/'));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...collected].sort();
      collected.clear();
      changed(paths);
    }, quiet);
  });
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

/** Whether a path, relative to the project, is none of its inputs. */
function isIgnored(path: string): boolean {
  if (path === '' || files.has(path)) return false;
  const [top = '', ...rest] = path.split(sep);
  return !folders.has(top) || rest.some((name) => name === 'node_modules' || name.startsWith('.'));
}
