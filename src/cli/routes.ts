import { describeRoutes } from '../http/routes.ts';
import { inColumns } from './columns.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { loadProjectModel } from './load-project-model.ts';

/** `lectern routes`: one line a route, in columns. Needs the schema files alone, not the database. */
export async function routes(options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  const lines = describeRoutes(loadProjectModel(config)).map(({ method, path, type, action }) => [
    method,
    path,
    type ?? '(built in)',
    action,
  ]);
  process.stdout.write(inColumns([['METHOD', 'PATH', 'TYPE', 'RIGHT'], ...lines]));
  return 0;
}
