import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isObject, parseJson } from '../text/json.ts';

/** What a new project's `package.json` depends on: with it, `npm install` installs the package that
 *  made the project, be it a checkout, a tarball or a version of the registry.
 *  `own`: the folder of that package. */
export function packageDependency(dir: string, own: string, version: string): string {
  const file = (path: string) => `file:${relative(real(dir), path).replaceAll(sep, '/')}`;
  const modules = dirname(resolve(own));
  if (basename(modules) !== 'node_modules') return file(resolve(own));
  const resolved = resolvedIn(modules, basename(own));
  if (resolved?.startsWith('file:') === true) {
    const path = resolve(dirname(modules), resolved.slice('file:'.length));
    if (existsSync(path)) return file(path);
  } else if (resolved !== undefined) {
    // The registry, under whatever name it is reached.
    return /\/-\/[^/]+\.tgz$/.test(resolved) ? `^${version}` : resolved;
  }
  return file(resolve(own));
}

/** Where npm took a package from. Other package managers do not note it there. */
function resolvedIn(modules: string, name: string): string | undefined {
  const lock = join(modules, '.package-lock.json');
  const parsed = existsSync(lock) ? parseJson(readFileSync(lock, 'utf8')) : undefined;
  const packages = parsed?.ok === true && isObject(parsed.value) ? parsed.value.packages : undefined;
  const entry = isObject(packages) ? packages[`node_modules/${name}`] : undefined;
  return isObject(entry) && typeof entry.resolved === 'string' ? entry.resolved : undefined;
}

/** The same with links of folders followed, as far as the path is there: Node follows them for the
 *  package as well. */
function real(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(real(parent), basename(whole));
}
