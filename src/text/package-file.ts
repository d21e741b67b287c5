import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file or folder of this package, from the bundle in `dist/` as from the source. */
export function packageFile(name: string): string {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return fileURLToPath(new URL(name, folder));
}
