/** Loads the files of hooks and endpoints, TypeScript as it is. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createJiti } from 'jiti';
import type { DefinedEndpoint, DefinedHooks } from './define.ts';
import { textOf } from './failure.ts';
import { kind } from './kind.ts';
import type { CodeFile, CodeSetup, EndpointManifest, HookManifest, Manifest } from './protocol.ts';
import type { BeforeAction, Method } from './types.ts';
import { jsonSchemaOf, schemaProblem } from './value-schemas.ts';

export interface LoadedFiles {
  readonly manifest: Manifest;
  /** `lectern/hooks/article.ts:3:1: …`. */
  readonly problems: readonly string[];
  readonly hooks: ReadonlyMap<string, DefinedHooks>;
  readonly endpoints: ReadonlyMap<string, readonly DefinedEndpoint[]>;
}

const actions: readonly BeforeAction[] = ['create', 'update', 'publish', 'unpublish', 'discard', 'delete'];
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const keysOfHooks = ['before', 'compute', 'committed', 'populate', 'asSystem', 'timeLimit'];
const keysOfEndpoint = ['method', 'path', 'right', 'description', 'query', 'body', 'response', 'timeLimit', 'handler'];
/** Milliseconds. */
const longest = { before: 10_000, others: 300_000 };

export async function loadFiles({ dir, module, files }: CodeSetup): Promise<LoadedFiles> {
  const jiti = createJiti(join(dir, 'lectern', 'code'), {
    alias: { lectern: module },
    // The folder of a served project may be read-only.
    fsCache: false,
    interopDefault: false,
  });
  const problems: string[] = [];
  const hooks = new Map<string, DefinedHooks>();
  const endpoints = new Map<string, readonly DefinedEndpoint[]>();
  for (const file of files) {
    try {
      const exported: unknown = await jiti.import(join(dir, file.path), { default: true });
      if (file.kind === 'hooks') hooks.set(file.path, hooksIn(exported));
      else endpoints.set(file.path, await endpointsIn(exported));
    } catch (error) {
      problems.push(problemOf(error, file, dir));
    }
  }
  const described = [...endpoints].map(async ([file, list]) =>
    Promise.all(list.map((endpoint, index) => endpointManifest({ file, index, dir }, endpoint))),
  );
  const manifest = {
    hooks: [...hooks].map(([file, defined]) => hookManifest(file, defined)),
    endpoints: (await Promise.all(described)).flat(),
  };
  return { manifest, problems, hooks, endpoints };
}

/** A mistake in what a file exports. */
class Mistake extends Error {}

/** The position of the error and its message. */
function problemOf(error: unknown, { path }: CodeFile, dir: string): string {
  if (error instanceof Mistake) return `${path}: ${error.message}`;
  const text = textOf(error).replaceAll(`${dir}/`, '').replaceAll('file://', '');
  const [first = '', ...lines] = text.split('\n');
  const message = (error instanceof Error ? error.message : first).replaceAll(`${dir}/`, '').split('\n')[0]?.trim() ?? '';
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined && !missing.startsWith('.') && !missing.startsWith('/'))
    return `${path}: the package ${missing} is not installed in the project`;
  const place = message.includes(path)
    ? undefined
    : lines.map((line) => /(lectern\/[^\s():]+:\d+:\d+)/.exec(line)?.[1]).find((found) => found !== undefined);
  return `${place ?? path}: ${message}`;
}

function hooksIn(exported: unknown): DefinedHooks {
  if (!isDefined(exported, 'hooks'))
    throw new Mistake("has no hooks as its default export: export default defineHooks('api::article.article', { … })");
  const { uid, ...others } = exported as DefinedHooks;
  const { before = {}, committed = {}, compute = {}, populate = [], timeLimit } = others;
  refuseOthers(others, keysOfHooks, '');
  if (typeof uid !== 'string') throw new Mistake('the uid of the content type is missing');
  refuseOthers(before, actions, 'before.');
  refuseOthers(committed, actions, 'committed.');
  for (const [name, each] of [...Object.entries(before), ...Object.entries(committed)])
    if (typeof each !== 'function') throw new Mistake(`${name} has to be a function`);
  for (const [name, rule] of Object.entries(compute)) {
    const isRule = typeof rule === 'object' && rule !== null && Array.isArray(rule.from) && typeof rule.values === 'function';
    if (typeof rule !== 'function' && !isRule)
      throw new Mistake(`compute.${name} has to be a function, or a rule such as excerpt({ from: 'body' })`);
  }
  if (!Array.isArray(populate) || !populate.every((name) => typeof name === 'string'))
    throw new Mistake('populate has to be a list of names of attributes');
  const isBefore = Object.keys({ ...before, ...compute }).length > 0;
  checkTime(timeLimit, isBefore ? longest.before : longest.others);
  return exported as DefinedHooks;
}

async function endpointsIn(exported: unknown): Promise<readonly DefinedEndpoint[]> {
  const list: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (list.length === 0 || !list.every((each) => isDefined(each, 'endpoint')))
    throw new Mistake(
      "has no endpoint as its default export: export default defineEndpoint({ method: 'GET', path: '/search', right: 'public', handler })",
    );
  for (const endpoint of list as DefinedEndpoint[]) {
    const { method, path, right, handler, timeLimit, query, body } = endpoint;
    refuseOthers(endpoint, keysOfEndpoint, '');
    if (!methods.includes(method)) throw new Mistake(`method has to be one of ${methods.join(', ')}`);
    if (typeof path !== 'string' || !/^(?:\/:?[\w.~-]+)+$/.test(path))
      throw new Mistake('path has to begin with / and have segments such as orders or :id: /orders/:id/refund');
    if (typeof right !== 'string' || right === '')
      throw new Mistake(
        'right is missing: "public", a right of its own such as "orders.refund", or that of a content route such as "api::article.article.find"',
      );
    if (typeof handler !== 'function') throw new Mistake('handler has to be a function');
    checkTime(timeLimit, longest.others);
    for (const [name, schema] of Object.entries({ query, body })) {
      const problem = await schemaProblem(schema, name === 'query');
      if (problem !== undefined) throw new Mistake(`${name}: ${problem}`);
    }
  }
  return list as DefinedEndpoint[];
}

const isDefined = (value: unknown, of: 'hooks' | 'endpoint'): value is object =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[kind] === of;

function refuseOthers(object: object, known: readonly string[], prefix: string): void {
  const other = Object.keys(object).find((key) => !known.includes(key));
  if (other !== undefined) throw new Mistake(`${prefix}${other} is an unknown key; there are ${known.join(', ')}`);
}

function checkTime(timeLimit: unknown, most: number): void {
  const isRight = timeLimit === undefined || (typeof timeLimit === 'number' && timeLimit >= 1 && timeLimit <= most);
  if (!isRight) throw new Mistake(`timeLimit has to be a number of milliseconds up to ${most}`);
}

function hookManifest(
  file: string,
  { uid, before = {}, committed = {}, compute = {}, populate = [], asSystem = false, timeLimit }: DefinedHooks,
): HookManifest {
  return {
    ...{ file, uid, timeLimit },
    before: actions.filter((action) => before[action] !== undefined),
    committed: actions.filter((event) => committed[event] !== undefined),
    compute: Object.entries(compute).map(([name, rule]) => ({
      name,
      from: typeof rule === 'function' ? undefined : rule.from,
      writes: typeof rule === 'function' ? [] : (rule.writes ?? []),
    })),
    populate: [...populate],
    asSystem: asSystem === true,
  };
}

async function endpointManifest(
  { file, index, dir }: { readonly file: string; readonly index: number; readonly dir: string },
  { method, path, right, description, timeLimit, query, body, response }: DefinedEndpoint,
): Promise<EndpointManifest> {
  const require = createRequire(join(dir, file));
  const [ofQuery, ofBody, ofResponse] = await Promise.all([query, body, response].map((schema) => jsonSchemaOf(schema, require)));
  return { file, index, method, path, right, description, timeLimit, query: ofQuery, body: ofBody, response: ofResponse };
}
