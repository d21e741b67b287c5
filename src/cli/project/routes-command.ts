import { loadProjectRoutes } from '../../http/routes/load-project-routes.ts';
import { type Handling, handlingOf, type Route } from '../../http/routes/routes.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { inColumns } from '../../text/align-columns.ts';
import { loadCode } from './load-code.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';

const notes: Readonly<Record<Handling, string>> = { served: '', refused: '  (501: custom code)', forwarded: '  (forwarded)' };

/** `lectern routes`: prints a line for each route. Reads the schema files and the
 *  endpoints of the project, but not the database. */
export async function routes(options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  const model = await loadProjectModel(config);
  const { endpoints } = await loadCode(config, model);
  const { routes: all } = loadProjectRoutes(config, model, endpoints);
  const lines = all.map((route) => [
    route.method,
    route.path,
    'type' in route.serves ? route.serves.type.uid : isOwn(route) ? '(the project)' : '(built in)',
    `${route.action}${notes[handlingOf(route)]}`,
  ]);
  process.stdout.write(inColumns([['METHOD', 'PATH', 'TYPE', 'RIGHT'], ...lines]));
  return 0;
}

const isOwn = ({ serves, action }: Route): boolean => serves.kind === 'code' || action.startsWith('api::');
