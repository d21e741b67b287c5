import { loadProjectRoutes } from '../../http/routes/load-project-routes.ts';
import { type Handling, handlingOf, type Route } from '../../http/routes/routes.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { inColumns } from '../../text/align-columns.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { projectManifest } from './project-manifest.ts';

const notes: Readonly<Record<Handling, string>> = { served: '', refused: '  (501: custom code)', forwarded: '  (forwarded)' };

/** `lectern routes`: prints a line for each route. Reads the schema files and loads the endpoints,
 *  but does not read the database. */
export async function routes(options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  const model = await loadProjectModel(config);
  const { endpoints } = await projectManifest(config.dir, model);
  const { routes: all } = loadProjectRoutes(config, model, endpoints);
  const lines = all.map((route) => [route.method, route.path, whatItServes(route), `${route.action}${notes[handlingOf(route)]}`]);
  process.stdout.write(inColumns([['METHOD', 'PATH', 'TYPE', 'RIGHT'], ...lines]));
  return 0;
}

function whatItServes({ serves, action }: Route): string {
  if (serves.kind === 'code') return serves.endpoint.file;
  if ('type' in serves) return serves.type.uid;
  return action.startsWith('api::') ? '(the project)' : '(built in)';
}
