/** Settings of earlier versions. A project that has one still starts, and
 *  a warning says what to do. */
import type { JsonObject } from '../text/json.ts';
import type { Environment } from './environment.ts';
import { configFileName, placeInFile } from './read-settings.ts';
import { ownVariable } from './settings.ts';

/** What to do, by key: the end of the warning, and a cell of `docs/configuration.md`. */
const remedies: Readonly<Record<string, string>> = {
  'cache.rowBytes': 'Remove it: there is no cache of rows any more, only one of responses (cache.bytes)',
  'database.tableVersions': 'Remove it; `lectern migrate apply` removes the triggers that it has left in the database',
};

export const removedSettings = Object.entries(remedies).map(([path, remedy]) => ({ path, variable: ownVariable(path), remedy }));

/** Returns a warning for each removed setting that the environment or the file has. */
export const describeRemoved = (environment: Environment, file: JsonObject): readonly string[] =>
  removedSettings.flatMap(({ path, variable, remedy }) => {
    const found = environment.get(variable);
    const sources = [
      ...(found === undefined ? [] : [`${variable}${found.origin}`]),
      ...(placeInFile(file, path) === undefined ? [] : [`${configFileName}: ${path}`]),
    ];
    return sources.map((source) => `${source} has no effect any more. ${remedy}`);
  });
