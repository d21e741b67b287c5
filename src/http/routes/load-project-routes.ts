import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { readProjectCode } from '../../project-code/read-project-code.ts';
import { type ProjectRoutes, projectRoutes } from './project-routes.ts';

/** The routes of a project, with what its own code changes about them. Throws a `StartError` for decisions about routes that are not there. */
export function loadProjectRoutes(config: Pick<Config, 'dir' | 'routes'>, model: ContentModel): ProjectRoutes {
  const found = projectRoutes(model, readProjectCode(config.dir), config.routes);
  if (found.problems.length > 0) throw new StartError(found.problems);
  return found;
}
