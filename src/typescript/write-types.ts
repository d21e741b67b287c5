/** The file with the types of a project on the disk. */

import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { outputFolderProblem } from '../config/output-folder.ts';
import { StartError } from '../errors/start-error.ts';
import { codeOf } from '../errors/system-error.ts';
import { firstLine } from './typescript-of-model.ts';

/** Whether the file has this text. Version control may have changed the ends of its lines. */
export const isUpToDate = (path: string, text: string): boolean => textOf(path)?.replaceAll('\r\n', '\n') === text;

/** Writes the file if its text differs, to trigger no watches for nothing; returns whether it did.
 *  Throws a `StartError` if the file is not one of `lectern types`, or cannot be written. */
export async function writeTypes(path: string, text: string, projectDir = '.'): Promise<boolean> {
  const present = textOf(path);
  if (present === text) return false;
  if (present !== undefined && present.trim() !== '' && !present.startsWith(firstLine))
    throw new StartError([`${path} was not written by \`lectern types\`, so it is not overwritten. Name another file, or remove it`]);
  const problem = outputFolderProblem(path, projectDir);
  if (problem !== undefined) throw new StartError([problem]);
  // Whoever reads the file meanwhile finds the former text or the whole new one.
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new StartError([`${path} cannot be written: ${(error as Error).message}`]);
  }
  return true;
}

/** Undefined if there is no such file. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new StartError([`${path} cannot be read: ${(error as Error).message}`]);
  }
}
