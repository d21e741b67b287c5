/** Warnings of `start` and `check` about project code that is not run. */
import type { Finding } from '../../project-code/project-code.ts';
import type { ProjectRoutes } from './project-routes.ts';
import type { Route } from './routes.ts';

const mostLines = 40;
const mostFindings = 3;

/** Lines of warnings; empty for a project without such code. */
export function describeProjectRoutes({ routes, servedWithout, removed, everywhere }: ProjectRoutes): string {
  return [
    block(
      'the project has custom code for these routes, which Lectern does not run. They respond with 501 unless `routes` in lectern.config.json serves them, such as "routes": {"<action>": "serve" | "refuse"}',
      linesOf(routes.filter((route) => route.findings !== undefined)),
    ),
    block('`routes` in the configuration serves these routes without their custom code', linesOf(servedWithout)),
    block('the route files of the project leave these routes out', linesOf(removed)),
    block('this code of the project is not run', bounded(everywhere.map((finding) => `${finding.what} (${positionOf(finding)})`))),
  ].join('');
}

const block = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `Warning: ${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`;

/** One line for each action. */
function linesOf(routes: readonly Route[]): readonly string[] {
  const byAction = new Map<string, Route[]>();
  for (const route of routes) byAction.set(route.action, [...(byAction.get(route.action) ?? []), route]);
  return bounded(
    [...byAction].map(([action, [first, ...more]]) => {
      const where = first === undefined ? '' : `  ${first.method} ${first.path}${more.length === 0 ? '' : ` and ${more.length} more`}`;
      const why = [...new Set((first?.findings ?? []).map((finding) => `${finding.what} (${positionOf(finding)})`))];
      return `${action}${where}${why.length === 0 ? '' : `  ${bounded(why, mostFindings).join(', ')}`}`;
    }),
  );
}

const positionOf = ({ file, line }: Finding) => `${file}:${line}`;

const bounded = (lines: readonly string[], most = mostLines): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
