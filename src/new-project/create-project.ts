/** Creates a project: its files, its database and a first API token. */

import { chmodSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Profile } from '../config/profile.ts';
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
import { MadeFiles } from './made-files.ts';
import { dotEnv, projectFiles } from './project-texts.ts';
import { type Template, type TemplateName, templates } from './templates.ts';

export interface NewProject {
  readonly folder: string;
  readonly template: TemplateName;
  readonly profile: Profile;
  /** What `package.json` depends on. */
  readonly dependency: string;
}

export interface CreatedProject {
  /** The secret of an API token with all rights. */
  readonly token: string;
  readonly contentTypes: readonly { readonly singularName: string; readonly pluralName: string }[];
  readonly components: number;
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
 *  ended, nothing is left of it. */
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
    writeFiles(dir, project, made);
    // Variables of the shell must not lead to another database.
    const loaded = loadConfig({ dir, environment: {}, overrides: {} });
    if (!loaded.ok) throw new StartError(loaded.errors);
    await writeSchemas(loaded.config, template, made);
    return await createDatabase(loaded.config, made);
  } catch (error) {
    remove();
    throw explained(error, dir);
  } finally {
    process.off('exit', remove);
  }
}

function writeFiles(dir: string, { profile, dependency, template }: NewProject, made: MadeFiles): void {
  const texts = projectFiles({ name: basename(dir), profile, template: templates[template], dependency });
  for (const [file, text] of Object.entries(texts)) made.write(join(dir, file), text);
  made.write(join(dir, '.env'), dotEnv(), 0o600);
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

async function createDatabase(config: Config, made: MadeFiles): Promise<CreatedProject> {
  const model = await loadProjectModel(config);
  const declared = findDeclaration(config.dir, model);
  made.folder(dirname(config.database.filename));
  for (const suffix of ['', '-wal', '-shm', '-journal']) made.note(`${config.database.filename}${suffix}`);
  return withDatabase(config.database, { create: true, statementTime: 0 }, async (database) => {
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
    const contentTypes = [...model.contentTypes.values()].filter(({ routed }) => routed);
    return { token: secret, contentTypes, components: model.components.size };
  });
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
