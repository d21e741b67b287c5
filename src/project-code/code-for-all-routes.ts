/** Finds the project's code that affects all routes. It is only listed: no route is refused because of it. */
import { areGeneratedMiddlewares } from './generated.ts';
import type { Finding } from './project-code.ts';
import { isSource, readModule } from './read-module.ts';
import type { SourceFiles } from './source-files.ts';
import { child, lineOf, nameOf, nodesAt, parseSource, type SyntaxNode, unwrap, walk } from './syntax.ts';
import { called, entryOf, textIn, type Value } from './value.ts';

export function findEverywhere(files: SourceFiles): readonly Finding[] {
  return [...globalMiddlewares(files), ...registered(files), ...perApi(files)];
}

function globalMiddlewares(files: SourceFiles): readonly Finding[] {
  const found = sourceNamed(files, 'config', 'middlewares');
  const source = found === undefined ? undefined : files.read(found);
  if (found === undefined || (source?.ok === true && areGeneratedMiddlewares(source.text))) return [];
  const { file, value } = readModule(files, found);
  const items = called(value);
  if (items.kind !== 'list') return [{ what: 'global middlewares that cannot be read', file, line: items.line }];
  return items.items.flatMap((item): Finding[] => {
    const name = nameOfMiddleware(item);
    return name?.startsWith('strapi::') ? [] : [{ what: `the global middleware ${name ?? 'that cannot be read'}`, file, line: item.line }];
  });
}

const nameOfMiddleware = (item: Value): string | undefined =>
  textIn(item) ?? textIn(entryOf(item, 'name')) ?? textIn(entryOf(item, 'resolve'));

/** Calls in `src/index` that intercept requests or documents. */
const hooks: Readonly<Record<string, string>> = {
  'documents.use': 'a middleware of the document service',
  'lifecycles.subscribe': 'a subscriber to changes of the database',
  'server.use': 'a middleware of the HTTP server',
  'app.use': 'a middleware of the HTTP server',
  'server.routes': 'routes that src/index adds',
};
const replaceable: ReadonlySet<string> = new Set(['controller', 'controllers', 'service', 'services', 'routes', 'policies', 'middlewares']);
const replacing: ReadonlySet<string> = new Set(['extend', 'set', 'add', 'assign', 'push', 'unshift']);

/** An index without any of these words registers nothing, so it is not parsed. */
const mayHook = /\b(?:use|subscribe|routes|router|policies|middlewares|controllers?|services?)\b/;

function registered(files: SourceFiles): readonly Finding[] {
  const file = sourceNamed(files, 'src', 'index');
  const source = file === undefined ? undefined : files.read(file);
  if (file === undefined || source?.ok !== true) return [];
  if (!mayHook.test(source.text)) return [];
  const root = parseSource(source.text);
  if (root === undefined) return [{ what: 'an index that cannot be read', file, line: 1 }];
  const findings: Finding[] = [];
  walk(root, (node) => {
    const what = node.type === 'CallExpression' ? whatCalled(node) : node.type === 'AssignmentExpression' ? whatAssigned(node) : undefined;
    if (what !== undefined) findings.push({ what, file, line: lineOf(node) });
    return undefined;
  });
  return findings;
}

const replaced = 'controllers, services or routes that src/index changes';

function whatCalled(node: SyntaxNode): string | undefined {
  const names = namesOf(child(node, 'callee'));
  const [method = '', outer = ''] = names;
  const hook = `${outer}.${method}`;
  if (Object.hasOwn(hooks, hook)) return hooks[hook];
  if (names.indexOf('router') > 0) return hooks['server.routes'];
  if (method === 'set' && isUnchangedCore(nodesAt(node, 'arguments')[1])) return undefined;
  // `Object.assign(strapi.controllers.x, …)`
  const changed = method === 'assign' ? namesOf(nodesAt(node, 'arguments')[0]) : names;
  return replacing.has(method) && changed.some((name) => replaceable.has(name)) ? replaced : undefined;
}

/** `factories.createCoreController(uid)`: without a second argument, there is no code of the project in it. */
function isUnchangedCore(value: SyntaxNode | undefined): boolean {
  const call = value === undefined ? undefined : unwrap(value);
  if (call?.type !== 'CallExpression' || nodesAt(call, 'arguments').length !== 1) return false;
  const [factory = '', from, ...outer] = namesOf(child(call, 'callee'));
  return /^createCore(?:Controller|Service|Router)$/.test(factory) && from === 'factories' && outer.length === 0;
}

/** `strapi.controller('api::book.book').find = …` */
function whatAssigned(node: SyntaxNode): string | undefined {
  const names = namesOf(child(node, 'left'));
  return names.length > 1 && names.some((name) => replaceable.has(name)) ? replaced : undefined;
}

/** `strapi.get('controllers').extend` → `extend`, `controllers`, `get`, `strapi`. */
function namesOf(node: SyntaxNode | undefined): readonly string[] {
  const names: string[] = [];
  for (let inner = node === undefined ? undefined : unwrap(node); inner !== undefined; ) {
    const isCall = inner.type === 'CallExpression';
    const [given] = isCall ? nodesAt(inner, 'arguments') : [child(inner, 'property') ?? inner];
    const name = nameOf(given) ?? given?.value;
    if (typeof name === 'string') names.push(name);
    const next: SyntaxNode | undefined = child(inner, isCall ? 'callee' : 'object');
    inner = next === undefined ? undefined : unwrap(next);
  }
  return names;
}

function perApi(files: SourceFiles): readonly Finding[] {
  return files.folders('src/api').flatMap((api): Finding[] => {
    const lifecycles = files.folders(`src/api/${api}/content-types`).flatMap((type) => {
      const file = sourceNamed(files, `src/api/${api}/content-types/${type}`, 'lifecycles');
      return file === undefined ? [] : [{ what: 'lifecycle hooks', file, line: 1 }];
    });
    const index = sourceNamed(files, `src/api/${api}`, 'index');
    return index === undefined ? lifecycles : [...lifecycles, { what: 'an index of its own', file: index, line: 1 }];
  });
}

function sourceNamed(files: SourceFiles, folder: string, name: string): string | undefined {
  const found = files.files(folder).find((file) => isSource(file) && file.replace(/\.[^.]*$/, '') === name);
  return found === undefined ? undefined : `${folder}/${found}`;
}
