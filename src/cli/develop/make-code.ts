/** `lectern make hook`, `make endpoint`: write the beginning of a file in `lectern/`. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../../errors/start-error.ts';
import { loadProjectRoutes } from '../../http/routes/load-project-routes.ts';
import { overlapOf } from '../../http/routes/route-overlap.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { actionOfRight } from '../../own-code/own-rights.ts';
import type { Method } from '../../own-code/types.ts';
import { permissionsFileName } from '../../permissions/find-declaration.ts';
import { partsOf } from '../../rights/grantable-actions.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { didYouMean } from '../../text/nearest.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';
import { endpointTemplate, hookTemplate } from './code-templates.ts';

/** `name`: the uid of a content type, or its singular or plural name. */
export async function makeHook(name: string, options: ProjectOptions): Promise<number> {
  const { config } = loadProject(options);
  const type = typeNamed(name, await loadProjectModel(config));
  const file = `lectern/hooks/${type.singularName}.ts`;
  write(config.dir, file, hookTemplate(type));
  process.stdout.write(`Made ${file}\nWrite its functions; docs/hooks.md has examples. ${whatNext(options.dir)}\n`);
  return exitCodes.done;
}

/** Types of Strapi's admin panel are found only by their uid. */
function typeNamed(name: string, { contentTypes }: ContentModel): ContentType {
  const types = [...contentTypes.values()].filter(({ uid }) => !uid.startsWith('admin::'));
  const exact = contentTypes.get(name);
  if (exact !== undefined) return exact;
  const [found, ...more] = types.filter(({ singularName, pluralName }) => singularName === name || pluralName === name);
  if (found === undefined) {
    const known = types.flatMap(({ uid, singularName, pluralName }) => [uid, singularName, pluralName]);
    throw new StartError([`There is no content type ${name}.${didYouMean(name, known)}`]);
  }
  if (more.length > 0)
    throw new StartError([
      `Several content types are called ${name}; write the uid of one: ${[found, ...more].map(({ uid }) => uid).join(', ')}`,
    ]);
  return found;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export async function makeEndpoint(writtenMethod: string, writtenPath: string, options: ProjectOptions): Promise<number> {
  const method = methods.find((each) => each === writtenMethod.toUpperCase());
  const problems = [
    ...(method === undefined ? [`The method is one of ${methods.join(', ')}, not ${JSON.stringify(writtenMethod)}`] : []),
    ...(/^(?:\/:?[\w.~-]+)+$/.test(writtenPath)
      ? []
      : [`A path begins with / and has segments such as orders or :id: /orders/:id/refund, not ${JSON.stringify(writtenPath)}`]),
  ];
  if (method === undefined || problems.length > 0) throw new StartError(problems, exitCodes.usage);
  const { config } = loadProject(options);
  const { prefix } = config.api;
  // Paths of endpoints have no prefix, but one that is copied from a URL has it.
  const path = writtenPath.startsWith(`${prefix}/`) ? writtenPath.slice(prefix.length) : writtenPath;
  const model = await loadProjectModel(config);
  const { file, right } = namesFor(method, path, config.dir);
  const isReplacing = loadProjectRoutes(config, model).routes.some(
    (route) => route.method === method && route.findings !== undefined && overlapOf(`${prefix}${path}`, route.path) === 'same',
  );
  // Throws if it would hide another route. The right is known only when the file is there.
  loadProjectRoutes(config, model, [{ ...undescribed, file, index: 0, method, path, right: 'public' }]);
  write(config.dir, file, endpointTemplate({ method, path, right }, model, prefix));
  process.stdout.write(
    [
      `Made ${file}: ${method} ${prefix}${path}`,
      ...(isReplacing ? ['It replaces a route of the project that responds with 501.'] : []),
      `Write its handler; docs/endpoints.md has examples. ${whatNext(options.dir)}`,
      `Full-access tokens may use it. ${howToGrant(actionOfRight(right), config.dir, options.dir)}`,
      '',
    ].join('\n'),
  );
  return exitCodes.done;
}

function howToGrant(action: string, dir: string, shown: string): string {
  const { typeKey, name } = partsOf(action);
  return existsSync(join(dir, permissionsFileName))
    ? `${permissionsFileName} gives the right to a role: ${JSON.stringify(typeKey)}: [${JSON.stringify(name)}]`
    : `\`${lecternCommand(`role allow authenticated ${typeKey} ${name}`, shown)}\` gives the right to users.`;
}

const undescribed = { description: undefined, timeLimit: undefined, query: undefined, body: undefined, response: undefined };

/** `POST /orders/:id/refund` → `lectern/endpoints/orders-refund.ts`, right `orders.refund`. */
function namesFor(method: Method, path: string, dir: string): { readonly file: string; readonly right: string } {
  const parts = path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => part.replaceAll(/[^\w-]/g, '-'));
  const [first = 'root', ...rest] = parts;
  const owner = /^[a-z]/i.test(first) ? first : `path-${first}`;
  const action = rest.join('-');
  const name = [first, ...rest].join('-');
  const files = [name, `${method.toLowerCase()}-${name}`].map((each) => `lectern/endpoints/${each}.ts`);
  const file = files.find((each) => !isTaken(dir, each));
  if (file === undefined)
    throw new StartError([`${files.join(' and ')} exist: a file may export a list of endpoints, so add this one there`]);
  return { file, right: `${owner}.${/^[a-z]/i.test(action) ? action : verbs[method]}` };
}

const verbs: Readonly<Record<Method, string>> = { GET: 'read', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' };

/** Whether there is such a file, in TypeScript or JavaScript. */
const isTaken = (dir: string, file: string): boolean =>
  ['.ts', '.mts', '.js', '.mjs'].some((extension) => existsSync(join(dir, file.replace(/\.ts$/, extension))));

function write(dir: string, file: string, text: string): void {
  if (isTaken(dir, file)) throw new StartError([`${file} exists, in TypeScript or JavaScript; nothing was changed`]);
  const path = join(dir, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new StartError([`${file} cannot be written: ${(error as Error).message}`]);
  }
}

const whatNext = (dir: string): string =>
  `\`${lecternCommand('check', dir)}\` finds mistakes. \`lectern dev\` reloads by itself; \`lectern start\` loads it at the next start.`;
