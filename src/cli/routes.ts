import { describeRoutes } from '../http/routes.ts';
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
  process.stdout.write(table([['METHOD', 'PATH', 'TYPE', 'RIGHT'], ...lines]));
  return 0;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
