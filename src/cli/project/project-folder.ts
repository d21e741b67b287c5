/** Checks whether a folder is a project; the message helps to find the right folder. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { configFileName } from '../../config/read-settings.ts';
import { nearest } from '../../text/nearest.ts';

const shape = [
  'A project is a folder laid out like a Strapi 5 project:',
  '  src/api/<name>/content-types/<name>/schema.json   its content types',
  '  src/components/<category>/<name>.json             its components',
  '  .env                                              its settings and secrets',
].join('\n');

/** The problem with the folder, or undefined. */
export function projectFolderProblem(path: string): string | undefined {
  const dir = resolve(path);
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (stats === undefined) {
    const sibling = nearest(basename(dir), subfolders(dirname(dir)));
    return `There is no folder ${dir}.${sibling === undefined ? '' : ` Did you mean ${join(dirname(dir), sibling)}?`}`;
  }
  if (!stats.isDirectory()) return `${dir} is a file; --dir takes the folder of a project.`;
  if (isProject(dir)) return undefined;
  const other = [...ancestors(dir), ...subfolders(dir).map((name) => join(dir, name))].find(isProject);
  const hint =
    other === undefined
      ? 'To create one: lectern init <folder>. To see an example: lectern demo'
      : `There is a project in ${other}: --dir ${relative(process.cwd(), other) || '.'}`;
  return `${dir} is not a project: it has no folder src/api.\n${shape}\n${hint}`;
}

const isProject = (dir: string) => existsSync(join(dir, 'src', 'api')) || existsSync(join(dir, configFileName));

function subfolders(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function ancestors(dir: string): readonly string[] {
  const parent = dirname(dir);
  return parent === dir ? [] : [parent, ...ancestors(parent)];
}
