/** Finds the project's code that affects several routes. It is listed, and no route is refused. */
import { normaliseName } from '../text/snake-case.ts';
import { areGeneratedMiddlewares } from './generated.ts';
import type { CodeForAll } from './project-code.ts';
import { configFiles, isSource, readModule, sourceNamed } from './read-module.ts';
import type { SourceFiles } from './source-files.ts';
import { child, lineOf, nameOf, nodesAt, parseSource, type SyntaxNode, unwrap, walk } from './syntax.ts';
import { called, entryOf, isAbsent, textIn, type Value } from './value.ts';

export function findEverywhere(files: SourceFiles): readonly CodeForAll[] {
  return [...globalMiddlewares(files), ...registered(files), ...perApi(files), ...cronTasks(files)];
}

function globalMiddlewares(files: SourceFiles): readonly CodeForAll[] {
  return configFiles(files, 'middlewares').flatMap((found): readonly CodeForAll[] => {
    const source = files.read(found);
    if (source.ok && areGeneratedMiddlewares(source.text)) return [];
    const { file, value } = readModule(files, found);
    const items = called(value);
    if (items.kind !== 'list') return [{ kind: 'unreadable', what: 'global middlewares that cannot be read', file, line: items.line }];
    return items.items.flatMap((item): CodeForAll[] => {
      const name = nameOfMiddleware(item);
      if (name === undefined) return [{ kind: 'unreadable', what: 'the global middleware that cannot be read', file, line: item.line }];
      return name.startsWith('strapi::')
        ? []
        : [{ kind: 'globalMiddleware', what: `the global middleware ${name}`, name, file, line: item.line }];
    });
  });
}

const nameOfMiddleware = (item: Value): string | undefined =>
  textIn(item) ?? textIn(entryOf(item, 'name')) ?? textIn(entryOf(item, 'resolve'));

/** Tasks of `config/cron-tasks`, if `config/server` enables them; others by the call for them. */
function cronTasks(files: SourceFiles): readonly CodeForAll[] {
  const server = configFiles(files, 'server').map((file) => entryOf(entryOf(called(readModule(files, file).value), 'cron'), 'enabled'));
  if (server.every((value) => isAbsent(value) || (value.kind === 'plain' && value.value === false))) return [];
  return configFiles(files, 'cron-tasks').flatMap((path): readonly CodeForAll[] => {
    const { file, value } = readModule(files, path);
    const tasks = called(value);
    if (tasks.kind !== 'object' || tasks.open)
      return [{ kind: 'unreadable', what: 'cron tasks that cannot be read', file, line: tasks.line }];
    return [...tasks.entries].map(([name, { line }]) => ({ kind: 'cron', what: `the cron task ${name}`, name, file, line }));
  });
}

/** Calls that register code for requests, documents or times. */
const hooks: Readonly<Record<string, Pick<CodeForAll, 'kind' | 'what'>>> = {
  'documents.use': { kind: 'documentMiddleware', what: 'a middleware of the document service' },
  'lifecycles.subscribe': { kind: 'subscriber', what: 'a subscriber to changes of the database' },
  'server.use': { kind: 'serverMiddleware', what: 'a middleware of the HTTP server' },
  'app.use': { kind: 'serverMiddleware', what: 'a middleware of the HTTP server' },
  'server.routes': { kind: 'addedRoutes', what: 'routes that code adds' },
  'cron.add': { kind: 'cron', what: 'cron tasks that code adds' },
};
const replaceable: ReadonlySet<string> = new Set(['controller', 'controllers', 'service', 'services', 'routes', 'policies', 'middlewares']);
const replacing: ReadonlySet<string> = new Set(['extend', 'set', 'add', 'assign', 'push', 'unshift']);

/** An index without any of these words registers nothing, so it is not parsed. */
const mayHook = /\b(?:use|subscribe|routes|router|policies|middlewares|controllers?|services?|cron)\b/;
/** Other files are found by the calls themselves. */
const hasHook = /\b(?:documents|server|app)\s*\??\.\s*use\b|\.\s*subscribe\b|\bserver\s*\??\.\s*rout|\bcron\s*\??\.\s*add\b/;

/** Folders of `src` whose code is part of the panel, is not code, or is described as a whole. */
const isOther = (folder: string) =>
  /(?:^|\/)(?:node_modules|dist|build)$|^src\/(?:admin|plugins|components)$|^src\/api\/[^/]+\/documentation$/.test(folder);

function registered(files: SourceFiles): readonly CodeForAll[] {
  const index = sourceNamed(files, 'src', 'index');
  const all = files.below('src', (folder) => !isOther(folder));
  const found = all.files
    .filter((file) => isSource(file) && !file.endsWith('.json'))
    .flatMap((file) => registeredIn(files, file, file === index));
  if (all.complete) return found;
  return [
    ...found,
    { kind: 'unreadable', what: 'more folders or files than are read, or a link that leads out of the project', file: 'src', line: 1 },
  ];
}

function registeredIn(files: SourceFiles, file: string, isIndex: boolean): readonly CodeForAll[] {
  const source = files.read(file);
  if (!source.ok) return [{ kind: 'unreadable', what: `a file that is not read: ${source.problem}`, file, line: 1 }];
  if (!(isIndex ? mayHook : hasHook).test(source.text)) return [];
  const root = parseSource(source.text);
  if (root === undefined)
    return [{ kind: 'unreadable', what: isIndex ? 'an index that cannot be read' : 'a file that cannot be read', file, line: 1 }];
  const findings: CodeForAll[] = [];
  walk(root, (node) => {
    const hook = node.type === 'CallExpression' ? hookOf(node) : undefined;
    if (hook !== undefined) findings.push({ ...hook, file, line: lineOf(node) });
    else if (isIndex && replaces(node)) findings.push({ kind: 'replacedCode', what: replaced, file, line: lineOf(node) });
  });
  return findings.sort((a, b) => a.line - b.line);
}

const replaced = 'controllers, services or routes that src/index changes';

function hookOf(node: SyntaxNode): Pick<CodeForAll, 'kind' | 'what'> | undefined {
  const names = namesOf(child(node, 'callee'));
  const [method = '', outer = ''] = names;
  const hook = `${outer}.${method}`;
  if (Object.hasOwn(hooks, hook)) return hooks[hook];
  return names.indexOf('router') > 0 && names.includes('server') ? hooks['server.routes'] : undefined;
}

const replaces = (node: SyntaxNode): boolean =>
  node.type === 'CallExpression' ? replacesByCall(node) : node.type === 'AssignmentExpression' && replacesByAssignment(node);

function replacesByCall(node: SyntaxNode): boolean {
  const names = namesOf(child(node, 'callee'));
  const [method = ''] = names;
  if (method === 'set' && isUnchangedCore(nodesAt(node, 'arguments')[1])) return false;
  // `Object.assign(strapi.controllers.x, …)`
  const changed = method === 'assign' ? namesOf(nodesAt(node, 'arguments')[0]) : names;
  return replacing.has(method) && changed.some((name) => replaceable.has(name));
}

/** `factories.createCoreController(uid)` has no code of the project without a second argument. */
function isUnchangedCore(value: SyntaxNode | undefined): boolean {
  const call = unwrap(value);
  if (call?.type !== 'CallExpression' || nodesAt(call, 'arguments').length !== 1) return false;
  const [factory = '', from, ...outer] = namesOf(child(call, 'callee'));
  return /^createCore(?:Controller|Service|Router)$/.test(factory) && from === 'factories' && outer.length === 0;
}

/** `strapi.controller('api::book.book').find = …` */
function replacesByAssignment(node: SyntaxNode): boolean {
  const names = namesOf(child(node, 'left'));
  return names.length > 1 && names.some((name) => replaceable.has(name));
}

/** `strapi.get('controllers').extend` → `extend`, `controllers`, `get`, `strapi`. */
function namesOf(node: SyntaxNode | undefined): readonly string[] {
  const names: string[] = [];
  for (let inner = unwrap(node); inner !== undefined; ) {
    const isCall = inner.type === 'CallExpression';
    const [part] = isCall ? nodesAt(inner, 'arguments') : [child(inner, 'property') ?? inner];
    const name = nameOf(part) ?? part?.value;
    if (typeof name === 'string') names.push(name);
    inner = unwrap(child(inner, isCall ? 'callee' : 'object'));
  }
  return names;
}

function perApi(files: SourceFiles): readonly CodeForAll[] {
  return files.folders('src/api').flatMap((api): CodeForAll[] => {
    const lifecycles = files.folders(`src/api/${api}/content-types`).flatMap((type): CodeForAll[] => {
      const file = sourceNamed(files, `src/api/${api}/content-types/${type}`, 'lifecycles');
      const name = `api::${normaliseName(api)}.${normaliseName(type)}`;
      return file === undefined ? [] : [{ kind: 'lifecycles', what: 'lifecycle hooks', name, file, line: 1 }];
    });
    const index = sourceNamed(files, `src/api/${api}`, 'index');
    return index === undefined ? lifecycles : [...lifecycles, { kind: 'apiIndex', what: 'an index of its own', file: index, line: 1 }];
  });
}
