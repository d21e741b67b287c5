/** Databases, backups and archives have hashes of passwords: none is written to a served folder. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { isInside } from '../text/is-inside.ts';

/** Why a file must not be written; undefined if it may be. Its folder has to exist. Strapi serves
 *  all of the public folder, not only its uploads. It may be a link. */
export async function servedFolderProblem({ publicDir }: Pick<Config, 'publicDir'>, file: string): Promise<string | undefined> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  // A link leads to the file that is written, if there is one.
  const written = [join(folder, basename(file)), await realpath(file).catch(() => file)];
  for (const name of [publicDir, join(publicDir, 'uploads')]) {
    const served = await realpath(name).catch(() => undefined);
    if (served !== undefined && written.some((path) => isInside(served, path))) return `${folder} is served publicly; name another folder.`;
  }
  return undefined;
}
