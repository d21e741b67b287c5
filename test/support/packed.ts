/** The package as `npm pack` makes it, installed in a folder that has nothing else but the packages that it names as dependencies. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const manifest: { version: string; dependencies: Record<string, string>; optionalDependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

export const dependencies = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)];

export interface Installed {
  /** The folder with `node_modules`; the caller removes it. */
  readonly folder: string;
  /** The folder of the package. */
  readonly installed: string;
  /** The files of the package. */
  readonly files: readonly string[];
  /** The packed file's size in bytes. */
  readonly size: number;
}

export async function installPacked(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-packed-'));
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder], { cwd: root });
  const [{ filename, files: listed, size }] = JSON.parse(packed.stdout);
  const files: string[] = listed.map(({ path }: { path: string }) => path);
  await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
  const installed = join(folder, 'node_modules/lectern');
  mkdirSync(dirname(installed));
  cpSync(join(folder, 'package'), installed, { recursive: true });
  for (const name of dependencies) {
    const source = join(root, 'node_modules', name);
    // The driver for other versions of Node is not installed.
    if (existsSync(source)) link(source, join(folder, 'node_modules', name));
  }
  // What `bin/install-driver.js` installs, which compiles it where it cannot be fetched.
  if (Number(process.versions.napi) < 10)
    link(join(root, 'node20/node_modules/better-sqlite3'), join(installed, 'node20/node_modules/better-sqlite3'));
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync('../lectern/bin/lectern.js', join(folder, 'node_modules/.bin/lectern'));
  return { folder, installed, files, size };
}

function link(source: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(source, path);
}
