/** Finds the file in which a project declares its rights. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readProjectFile } from '../config/project-file.ts';
import { configFileName } from '../config/read-settings.ts';
import { StartError } from '../errors/start-error.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { GrantableType } from '../rights/grantable-actions.ts';
import { type Declaration, readDeclaration } from './declaration.ts';

export const permissionsFileName = 'permissions.json';

export interface FoundDeclaration {
  /** `permissions.json`, or the key of the configuration; for messages. */
  readonly source: string;
  readonly declaration: Declaration;
}

/** Whether the file decides the rights of a role to a type or controller, so that the next start
 *  would undo other changes. */
export function decidesRights({ declaration }: FoundDeclaration, role: string, { key, type }: GrantableType): boolean {
  const declared = declaration.roles.get(role);
  return declared !== undefined && (type !== undefined || declared.controllers.has(key));
}

/** Undefined if the project has none. Throws a `StartError` with all its mistakes. */
export function findDeclaration(dir: string, model: ContentModel): FoundDeclaration | undefined {
  const config = readProjectFile(dir, configFileName);
  if (!config.ok) throw new StartError([config.problem]);
  const inConfig = Object.hasOwn(config.object, 'permissions');
  if (!existsSync(join(dir, permissionsFileName))) {
    return inConfig ? read(`${configFileName}: permissions`, config.object.permissions, model) : undefined;
  }
  if (inConfig)
    throw new StartError([`Rights are declared twice: by ${permissionsFileName}, and by permissions in ${configFileName}. Keep one.`]);
  const file = readProjectFile(dir, permissionsFileName);
  if (!file.ok) throw new StartError([file.problem]);
  return read(permissionsFileName, file.object, model);
}

function read(source: string, document: unknown, model: ContentModel): FoundDeclaration {
  const result = readDeclaration(document, model);
  if (!result.ok) throw new StartError(result.problems.map((problem) => `${source}: ${problem}`));
  return { source, declaration: result.declaration };
}
