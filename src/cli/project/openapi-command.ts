/** `lectern openapi`: writes the OpenAPI document. Reads the database only with `--as`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { outputFolderProblem } from '../../config/output-folder.ts';
import { StartError } from '../../errors/start-error.ts';
import { loadProjectRoutes } from '../../http/routes/load-project-routes.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { openApiDocument } from '../../openapi/openapi-document.ts';
import { anyOf } from '../../rights/any-of.ts';
import { fullRights, type Rights, rightsByTokenType } from '../../rights/rights.ts';
import { rightsOfRoleType } from './caller-rights.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { withProject } from './open-project.ts';
import { projectManifest } from './project-manifest.ts';

interface OpenApiOptions extends ProjectOptions {
  /** Types of roles and API tokens: the document has what any of them may use; without it, all. */
  readonly as?: readonly string[];
  readonly out?: string;
}

export async function openapi(options: OpenApiOptions): Promise<number> {
  const { as = [], out } = options;
  const write = async (config: Config, model: ContentModel, rights: Rights, isPublic: boolean) => {
    const { endpoints } = await projectManifest(config.dir, model);
    const { routes } = loadProjectRoutes(config, model, endpoints);
    const text = `${JSON.stringify(openApiDocument({ config, model, routes, rights, isPublic }), undefined, 2)}\n`;
    if (out === undefined) process.stdout.write(text);
    else writeDocument(out, text, config.dir);
    return 0;
  };
  const roles = as.filter((name) => !rightsByTokenType.has(name));
  const tokens = as.flatMap((name) => rightsByTokenType.get(name) ?? []);
  if (roles.length === 0) {
    const { config } = loadProject(options);
    return write(config, await loadProjectModel(config), as.length === 0 ? fullRights : anyOf(tokens), false);
  }
  return withProject(options, async (project) => {
    const found = await Promise.all(roles.map((type) => rightsOfRoleType(type, project)));
    return write(
      project.config,
      project.model,
      anyOf([...tokens, ...found]),
      as.every((name) => name === 'public'),
    );
  });
}

/** As `lectern types` does, it makes the folders that are missing. */
function writeDocument(path: string, text: string, projectDir: string): void {
  const problem = outputFolderProblem(path, projectDir);
  if (problem !== undefined) throw new StartError([problem]);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new StartError([`${path} cannot be written: ${(error as Error).message}`]);
  }
}
