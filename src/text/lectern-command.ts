/** Commands of Lectern in messages. */
import { existsSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';

/** A command to copy into the shell that ran this one. `dir`: the project folder, absolute or
 *  relative to the current folder. */
export function lecternCommand(command: string, dir = '.'): string {
  const called = `${program(process.env)} ${command}`;
  const inner = relative('', dir);
  if (inner === '') return called;
  const folder = inner.startsWith('..') ? dir : inner;
  return `${called} --dir ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
}

/** `lectern` where the shell finds it, otherwise `npx lectern`. npm and its like add
 *  `node_modules/.bin` to the PATH of what they run, where the shell does not look. */
function program({ PATH = '', npm_config_user_agent: packageManager }: NodeJS.ProcessEnv): string {
  const isSearched = (folder: string) => folder !== '' && (packageManager === undefined || !/node_modules[/\\]\.bin$/.test(folder));
  const isFound = PATH.split(delimiter).some((folder) => isSearched(folder) && existsSync(join(folder, 'lectern')));
  return isFound ? 'lectern' : 'npx lectern';
}
