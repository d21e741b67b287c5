/** Names the missing folder or permission of an embedded database, as drivers do not. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { embeddedFile } from '../dialects/embedded-file.ts';
import { processUser } from '../errors/system-error.ts';
import type { Config } from './config.ts';

/** Whether the start may create a missing database. In a Strapi project a missing file means a
 *  wrong path: the project would be empty, and Strapi would start on Lectern's file. */
export const mayCreateDatabase = ({ migrate, strapiProject }: Pick<Config, 'migrate' | 'strapiProject'>) =>
  migrate === 'auto' && !strapiProject;

/** Returns the problems, or an empty list. `create`: whether a missing file may be created. */
export function databaseFileProblems(
  { database, strapiProject }: Pick<Config, 'database' | 'strapiProject'>,
  create: boolean,
): readonly string[] {
  const filename = embeddedFile(database);
  if (filename === undefined) return [];
  const { unusedServer } = database;
  const stats = statsOf(filename);
  if (stats?.isDirectory()) return [`The database ${filename} is a folder; DATABASE_FILENAME must name a file`];
  if (stats !== undefined)
    return isAccessible(filename, constants.R_OK) ? [] : [`The database ${filename} may not be read by ${processUser()}`];
  if (unusedServer !== undefined) {
    return [
      `${unusedServer} is set, but DATABASE_CLIENT is not, so SQLite is used, and there is no database ${filename}. Set DATABASE_CLIENT=postgres to use that server`,
    ];
  }
  if (!create && strapiProject) {
    return [
      `There is no database ${filename}. This is a Strapi project, and Strapi creates its database: set DATABASE_FILENAME to the path of the database, or start Strapi once`,
    ];
  }
  if (!create) {
    return [`There is no database ${filename}, and migrate is "never": set DATABASE_FILENAME to an existing one, or migrate to "auto"`];
  }
  const folder = nearestFolder(filename);
  if (!isAccessible(folder, constants.X_OK))
    return [`The folder ${folder} may not be opened by ${processUser()}: the database ${filename} may be in it`];
  return isAccessible(folder, constants.W_OK | constants.X_OK)
    ? []
    : [
        `There is no database ${filename}, and it cannot be created: ${processUser()} may not write in ${folder}. Set DATABASE_FILENAME to another path`,
      ];
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Undefined if there is no such file, or if a folder above it must not be entered. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || statsOf(parent)?.isDirectory() ? parent : nearestFolder(parent);
}
