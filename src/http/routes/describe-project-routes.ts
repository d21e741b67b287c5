/** What `start` and `check` say about project code that is not run. `lectern doctor` lists it. */
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import type { ProjectRoutes } from './project-routes.ts';
import { handlingOf } from './routes.ts';

/** Lines about what is forwarded, and about code that is not run; empty if there is neither. */
export function describeProjectRoutes(found: ProjectRoutes, dir: string): string {
  return `${forwardingLine(found)}${codeLine(found, dir)}`;
}

function forwardingLine({ routes, upstream }: ProjectRoutes): string {
  if (upstream === undefined) return '';
  const count = routes.filter((route) => handlingOf(route) === 'forwarded').length;
  return `Forwarding to ${upstream}: ${counted(count, 'route')} of the API (\`${lecternCommand('routes')}\` names them), and every request that no route matches\n`;
}

function codeLine({ routes, servedWithout, everywhere }: ProjectRoutes, dir: string): string {
  const actions = (some: ProjectRoutes['routes']) => new Set(some.map(({ action }) => action)).size;
  const refused = actions(routes.filter((route) => handlingOf(route) === 'refused'));
  const served = actions(servedWithout);
  const facts = [
    ...(refused === 0 ? [] : [`${counted(refused, 'action')} ${refused === 1 ? 'responds' : 'respond'} with 501`]),
    ...(served === 0 ? [] : [`${counted(served, 'action')} ${served === 1 ? 'is' : 'are'} served without it, by decision`]),
    ...(everywhere.length === 0
      ? []
      : [
          `${counted(everywhere.length, 'middleware, hook or task', 'middlewares, hooks and tasks')} ${everywhere.length === 1 ? 'is' : 'are'} left out`,
        ]),
  ];
  if (facts.length === 0) return '';
  return `Warning: code of the project is not run: ${facts.join(', ')}. \`${lecternCommand('doctor', dir)}\` lists it, and what to decide.\n`;
}
