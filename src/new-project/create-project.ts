/** Creates a project: its files, its database and a first API token. */

import { chmodSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Profile } from '../config/profile.ts';
import type { Database } from '../dialects/database.ts';
import { embeddedFile } from '../dialects/embedded-file.ts';
import { withDatabase } from '../dialects/open-database.ts';
import { StartError } from '../errors/start-error.ts';
import { codeOf, isDiskFull, isForbidden, messageOf } from '../errors/system-error.ts';
import { createApiTokens } from '../identity/api-token-store.ts';
import { offeredNames, prepareDatabase } from '../migrations/prepare-database.ts';
import { loadProjectModel } from '../model/load/load-project-model.ts';
import { findDeclaration } from '../permissions/find-declaration.ts';
import { settlePermissions } from '../permissions/settle-permissions.ts';
import { readAttribute } from '../schema-files/attribute-notation.ts';
import { planComponent, planType, pluralOf } from '../schema-files/new-schema.ts';
import { presentSchemas } from '../schema-files/present-schemas.ts';
import { writeSchemaFiles } from '../schema-files/write-schema-files.ts';
import { type DatabaseChoice, type DatabaseServer, databaseServer } from './database-choice.ts';
import { MadeFiles } from './made-files.ts';
import { dotEnv, packageName, projectFiles } from './project-texts.ts';
import { type Template, type TemplateName, templates } from './templates.ts';

export interface NewProject {
  readonly folder: string;
  readonly template: TemplateName;
  readonly profile: Profile;
  /** What `package.json` depends on. */
  readonly dependency: string;
  readonly database: DatabaseChoice;
}

export interface CreatedProject {
  /** The secret of an API token with all rights; undefined if the database is not ready. */
  readonly token: string | undefined;
  /** Undefined for a file of the project. */
  readonly server: DatabaseServer | undefined;
  /** Why the database has got no tables and no token. */
  readonly obstacle: Obstacle | undefined;
  readonly contentTypes: readonly { readonly singularName: string; readonly pluralName: string }[];
  readonly components: number;
}

/** `is`: whether the database does not respond, or has tables of others. */
export interface Obstacle {
  readonly is: 'away' | 'used';
  readonly reason: string;
}

/** A repository that was made beforehand is no content. */
const allowedEntries: ReadonlySet<string> = new Set(['.git']);

/** Returns what stands in the way of a new project in this folder, or undefined. */
export function targetProblem(path: string): string | undefined {
  const dir = resolve(path);
  try {
    const entries = readdirSync(dir).filter((name) => !allowedEntries.has(name));
    if (entries.length === 0) return undefined;
    const shown = entries.slice(0, 3).join(', ') + (entries.length > 3 ? ', …' : '');
    return `${dir} is not empty (${shown}): name a new folder, or an empty one.`;
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
        return undefined;
      case 'ENOTDIR':
        return `${dir} is a file, or lies below one: name a folder.`;
      default:
        return `${dir} cannot be read: ${messageOf(error)}`;
    }
  }
}

/** Throws a `StartError` if the project cannot be created. After a failure, also if the process is
 *  ended, nothing is left of its files. A database server that is not ready is no failure. */
export async function createProject(project: NewProject): Promise<CreatedProject> {
  const problem = targetProblem(project.folder);
  if (problem !== undefined) throw new StartError([problem]);
  const dir = resolve(project.folder);
  const made = new MadeFiles();
  const remove = () => made.remove();
  process.once('exit', remove);
  try {
    made.folder(dir);
    const template: Template = templates[project.template];
    const server = databaseServer(project.database, packageName(basename(dir)).replaceAll('-', '_'));
    writeFiles(dir, project, server, made);
    // Variables of the shell must not lead to another database.
    const loaded = loadConfig({ dir, environment: {}, overrides: {} });
    if (!loaded.ok) throw new StartError(loaded.errors);
    await writeSchemas(loaded.config, template, made);
    return await describe(loaded.config, server, await fillDatabase(loaded.config, made));
  } catch (error) {
    remove();
    throw explained(error, dir);
  } finally {
    process.off('exit', remove);
  }
}

function writeFiles(dir: string, { profile, dependency, template }: NewProject, server: DatabaseServer | undefined, made: MadeFiles): void {
  const texts = projectFiles({ name: basename(dir), profile, template: templates[template], dependency, server });
  for (const [file, text] of Object.entries(texts)) made.write(join(dir, file), text);
  made.write(join(dir, '.env'), dotEnv(server), 0o600);
  // The mask of the process may have taken away the owner's rights as well.
  chmodSync(join(dir, '.env'), 0o600);
}

async function writeSchemas(config: Config, { schemas }: Template, made: MadeFiles): Promise<void> {
  for (const schema of schemas) {
    const attributes = schema.attributes.split(' ').map((written) => {
      const read = readAttribute(written);
      if (!read.ok) throw new Error(read.problem);
      return read.attribute;
    });
    const present = presentSchemas(config.dir, await loadProjectModel(config));
    const planned =
      'component' in schema
        ? planComponent({ uid: schema.component, attributes }, present)
        : planType(
            {
              singularName: schema.type,
              pluralName: pluralOf(schema.type),
              single: false,
              draftAndPublish: schema.draftAndPublish === true,
              localized: false,
              attributes,
            },
            present,
          );
    if (!planned.ok) throw new Error(planned.problems.join('\n'));
    for (const { file, before } of planned.changes) {
      if (before !== undefined) continue;
      made.folder(dirname(join(config.dir, file)));
      made.note(join(config.dir, file));
    }
    await writeSchemaFiles(config, planned.changes);
  }
}

type Filled = Pick<CreatedProject, 'token' | 'obstacle'>;

async function describe(config: Config, server: DatabaseServer | undefined, filled: Filled): Promise<CreatedProject> {
  const { contentTypes, components } = await loadProjectModel(config);
  return { ...filled, server, contentTypes: [...contentTypes.values()].filter(({ routed }) => routed), components: components.size };
}

async function fillDatabase(config: Config, made: MadeFiles): Promise<Filled> {
  const file = embeddedFile(config.database);
  if (file === undefined) {
    try {
      return await fillServer(config);
    } catch (error) {
      return { token: undefined, obstacle: { is: 'away', reason: messageOf(error) } };
    }
  }
  made.folder(dirname(file));
  for (const suffix of ['', '-wal', '-shm', '-journal']) made.note(`${file}${suffix}`);
  return withDatabase(config.database, { create: true, statementTime: 0 }, (database) => fill(database, config));
}

/** Tables of others stay alone until somebody starts the project on purpose. */
const fillServer = (config: Config): Promise<Filled> =>
  withDatabase(config.database, { create: false, statementTime: 0 }, async (database) => {
    const names = (await database.tables()).map(({ name }) => name);
    if (names.length === 0) return fill(database, config);
    const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
    return { token: undefined, obstacle: { is: 'used', reason: `it has tables already (${shown}), so nothing was written to it` } };
  });

/** Makes the tables, the rights of `permissions.json` and a token. */
async function fill(database: Database, config: Config): Promise<Filled> {
  const model = await loadProjectModel(config);
  const declared = findDeclaration(config.dir, model);
  const prepared = await prepareDatabase(database, model, { migrate: 'auto' });
  if (!prepared.ok) throw new StartError(prepared.problems);
  await settlePermissions({ database, model, config, origin: prepared.origin, offered: () => offeredNames(database, model) }, declared);
  const tokens = createApiTokens(database, await database.tables(), config.secrets);
  const { secret } = await tokens.create({
    name: 'First token',
    description: 'Made by lectern init',
    type: 'full-access',
    actions: [],
    expiresAt: null,
  });
  return { token: secret, obstacle: undefined };
}

/** Errors of the file system with the folder and the remedy. */
function explained(error: unknown, dir: string): unknown {
  const code = codeOf(error) ?? '';
  const refused = (reason: string) => new StartError([`The project cannot be made in ${dir}: ${reason}`]);
  if (isForbidden(error)) return refused('this process may not write there. Name another folder.');
  // SQLite has a code for each operation that failed: SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE.
  if (isDiskFull(error) || code.startsWith('SQLITE_IOERR'))
    return refused('the disk is full, or limits the size of files. Nothing was left behind.');
  return code === 'ENOTDIR' || code === 'EEXIST' ? refused(`a file is in the way (${messageOf(error)}).`) : error;
}
