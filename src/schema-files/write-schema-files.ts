/** Writes planned schema files, and takes them back unless the loader of the model accepts them. */
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../errors/start-error.ts';
import { loadProjectModel, type ModelConfig } from '../model/load/load-project-model.ts';
import type { FileChange } from './new-schema.ts';

/** Throws a `StartError`, after which the files are as they were. */
export async function writeSchemaFiles(config: ModelConfig, changes: readonly FileChange[]): Promise<void> {
  const undo: (() => void)[] = [];
  try {
    for (const change of changes) write(config.dir, change, undo);
    await loadProjectModel(config);
  } catch (error) {
    for (const step of undo.reverse()) {
      try {
        step();
      } catch {
        // The first error says what failed, and the other steps still have to run.
      }
    }
    throw error;
  }
}

function write(dir: string, { file, before, after }: FileChange, undo: (() => void)[]): void {
  const path = join(dir, file);
  makeFolder(dirname(path), undo);
  // A new file must not replace one that appeared meanwhile.
  const flag = before === undefined ? 'wx' : 'w';
  try {
    // The step comes first, since a full disk leaves half of the file behind.
    if (before !== undefined) undo.push(() => writeFileSync(path, before));
    writeFileSync(path, after, { flag });
    if (before === undefined) undo.push(() => rmSync(path, { force: true }));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (before === undefined && error.code !== 'EEXIST') undo.push(() => rmSync(path, { force: true }));
    throw new StartError([`${file} cannot be written (${error.message}); nothing was changed`]);
  }
}

/** Creates the folder, and notes each folder that was missing. */
function makeFolder(folder: string, undo: (() => void)[]): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  const made: string[] = [];
  for (let each = folder; each.length >= first.length; each = dirname(each)) made.unshift(each);
  for (const each of made) undo.push(() => rmdirSync(each));
}
