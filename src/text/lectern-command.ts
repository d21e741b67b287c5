/** Commands of Lectern in messages. */
import { relative } from 'node:path';

/** A command to copy into the shell that ran this one. `dir`: the project folder, absolute or
 *  relative to the current folder. */
export function lecternCommand(command: string, dir = '.'): string {
  const inner = relative('', dir);
  if (inner === '') return `lectern ${command}`;
  const folder = inner.startsWith('..') ? dir : inner;
  return `lectern ${command} --dir ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
}
