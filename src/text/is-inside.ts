import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` is `folder` or is somewhere below it. Follows no links. */
export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
