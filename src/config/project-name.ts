import { basename } from 'node:path';
import { readProjectFile } from './project-file.ts';

/** What a project calls itself in `package.json`, or the name of its folder. */
export function projectName(dir: string): string {
  const file = readProjectFile(dir, 'package.json');
  const name = file.ok ? file.object.name : undefined;
  return typeof name === 'string' && name !== '' ? name : basename(dir);
}
