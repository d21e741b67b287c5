/** Checks whether a folder is a project; the message helps to find the right folder. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { configFileName } from '../../config/read-settings.ts';
import { isForbidden, processUser } from '../../errors/system-error.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
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
  const stats = statOf(dir);
  if (stats === 'forbidden') return forbidden(dir);
  if (stats === undefined) {
    const sibling = nearest(basename(dir), subfolders(dirname(dir)));
    return `There is no folder ${dir}.${sibling === undefined ? '' : ` Did you mean ${join(dirname(dir), sibling)}?`}`;
  }
  if (!stats.isDirectory()) return `${dir} is a file; --dir takes the folder of a project.`;
  if (isProject(dir)) return undefined;
  if (marksOf(dir).includes('forbidden')) return forbidden(dir);
  return `${dir} is not a project: it has no folder src/api.\n${shape}\n${hint(dir)}`;
}

const forbidden = (dir: string): string => `${dir} may not be read by ${processUser()}.`;

/** The message names at most this many projects. */
const maxNamed = 5;

function hint(dir: string): string {
  const around = ancestors(dir).find(isProject);
  const below = () => subfolders(dir).map((name) => join(dir, name));
  const projects = around === undefined ? below().filter(isProject) : [around];
  const [first] = projects;
  const options = projects.slice(0, maxNamed).map((project) => `--dir ${relative(process.cwd(), project) || '.'}`);
  const more = projects.length - options.length;
  if (first === undefined) return `To create one: ${lecternCommand('init <folder>')}. To see an example: ${lecternCommand('demo')}`;
  if (projects.length === 1) return `There is a project in ${first}: ${options.join()}`;
  return `There are ${projects.length} projects in ${dir}: ${options.join(', ')}${more === 0 ? '' : `, and ${more} more`}`;
}

const isProject = (dir: string): boolean => marksOf(dir).some((mark) => mark !== undefined && mark !== 'forbidden');

/** A project has at least one of these. */
const marksOf = (dir: string) => [join(dir, 'src', 'api'), join(dir, configFileName)].map(statOf);

/** Undefined if there is nothing, `forbidden` if a folder on the way may not be entered. */
function statOf(path: string): Stats | 'forbidden' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return isForbidden(error) ? 'forbidden' : undefined;
  }
}

function subfolders(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

function ancestors(dir: string): readonly string[] {
  const parent = dirname(dir);
  return parent === dir ? [] : [parent, ...ancestors(parent)];
}
