/** The folder of a file that a command writes (`--out`). */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isInside } from '../text/is-inside.ts';

/** Why the folder of `file` may not be created; undefined if it is there or may be. In the working
 *  folder and the project a missing folder is a new one, elsewhere it is more likely a mistake. */
export function outputFolderProblem(file: string, projectDir: string): string | undefined {
  const folder = dirname(resolve(file));
  const mayCreate = [process.cwd(), resolve(projectDir)].some((dir) => isInside(dir, folder));
  return mayCreate || existsSync(folder) ? undefined : `There is no folder ${folder}.`;
}
