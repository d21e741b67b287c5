import { type Route, routes as routesOf } from '../http/routes.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { loadProjectModel } from './load-project-model.ts';

/** `lectern routes`: one line a route, in columns. Needs the schema files alone, not the database. */
export async function routes(options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  const found = routesOf(loadProjectModel(config));
  process.stdout.write(table([['METHOD', 'PATH', 'TYPE', 'RIGHT'], ...found.map(cells)]));
  return 0;
}

const cells = ({ method, path, action, serves }: Route): readonly string[] => [method, path, typeOf(serves), action];

function typeOf(serves: Route['serves']): string {
  switch (serves.kind) {
    case 'content':
      return serves.type.uid;
    case 'endpoint':
      return '(built in)';
    case 'later':
      return '(not yet served)';
  }
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
