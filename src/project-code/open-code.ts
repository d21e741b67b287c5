/** Finds a finding's code: a function at a line, a policy's file, an imported name's definition. */
import { posix } from 'node:path';
import { isSource, sourceNamed } from './read-module.ts';
import type { SourceFiles } from './source-files.ts';
import { child, findNode, isFunction, lineOf, nameOf, nodesAt, parseSource, type SyntaxNode, unwrap } from './syntax.ts';

/** A piece of code in the file whose syntax tree is `root`. */
export interface Piece {
  readonly file: string;
  readonly root: SyntaxNode;
  readonly node: SyntaxNode;
}

type NamedKind = 'policies' | 'middlewares' | 'controllers';

export interface Code {
  /** A whole file; undefined if there is none, or it cannot be read. */
  file(path: string): Piece | undefined;
  /** The file that a policy, middleware or controller `name` means in the API `api` (`article`):
   *  `global::is-owner`, `api::article.is-owner`, `is-owner`. */
  named(kind: NamedKind, name: string, api: string | undefined): Piece | undefined;
  /** The outermost expression, property or declaration that begins at the line. */
  at(path: string, line: number): Piece | undefined;
  /** The function that an expression is, names, imports or calls to get one. */
  functionOf(expression: SyntaxNode, within: Piece): Piece;
}

/** An import of an import of an import …; they may form a circle. */
const maxImports = 5;

export function openCode(files: SourceFiles): Code {
  const pieces = new Map<string, Piece | undefined>();

  function file(path: string): Piece | undefined {
    if (pieces.has(path)) return pieces.get(path);
    const source = files.read(path);
    const root = source.ok && isSource(path) && !path.endsWith('.json') ? parseSource(source.text) : undefined;
    const piece = root === undefined ? undefined : { file: path, root, node: root };
    pieces.set(path, piece);
    return piece;
  }

  /** `./a/b` → `a/b.ts` or `a/b/index.ts`. */
  function sourceFile(path: string): string | undefined {
    if (path.startsWith('..')) return undefined;
    const name = posix.basename(path).replace(/\.[cm]?[jt]s$/, '');
    return sourceNamed(files, posix.dirname(path), name) ?? sourceNamed(files, path, 'index');
  }

  function named(kind: NamedKind, name: string, api: string | undefined): Piece | undefined {
    const [, scope, owner, last = ''] = /^(?:(\w+)::)?(?:([\w-]+)\.)?([\w-]+)$/.exec(name) ?? [];
    const ofApi = (each: string | undefined) => (each === undefined ? [] : [`src/api/${each}/${kind}/${last}`]);
    const places =
      scope === 'global'
        ? [`src/${kind}/${last}`]
        : scope === 'api'
          ? ofApi(owner)
          : scope === 'plugin' && owner !== undefined
            ? [`src/plugins/${owner}/server/src/${kind}/${last}`, `src/plugins/${owner}/server/${kind}/${last}`]
            : [...ofApi(owner ?? api), `src/${kind}/${last}`];
    const found = places.map(sourceFile).find((each) => each !== undefined);
    return found === undefined ? undefined : file(found);
  }

  function at(path: string, line: number): Piece | undefined {
    const module = file(path);
    if (module === undefined) return undefined;
    const found = findNode(module.root, (node) => node !== module.root && lineOf(node) === line);
    return { ...module, node: found ?? module.root };
  }

  function functionOf(expression: SyntaxNode, within: Piece, importsLeft = maxImports): Piece {
    const node = unwrap(expression);
    if (isFunction(node)) return { ...within, node };
    // `use(middleware())` and `use(require('./x')(strapi))`: the returned function is part of it.
    const callee = node.type === 'CallExpression' ? child(node, 'callee') : undefined;
    const [module] = nodesAt(node, 'arguments');
    const isRequire = nameOf(callee) === 'require' && typeof module?.value === 'string';
    if (callee !== undefined && !isRequire) return functionOf(callee, within, importsLeft);
    if (isRequire) return imported(String(module?.value), undefined, within, importsLeft);
    const base = node.type === 'MemberExpression' ? child(node, 'object') : node;
    const name = nameOf(node.type === 'MemberExpression' ? child(node, 'property') : node);
    const from = importOf(within.root, nameOf(base));
    if (from !== undefined) return imported(from, name, within, importsLeft);
    const local = declarationOf(within.root, name);
    return { ...within, node: local ?? node };
  }

  function imported(from: string, name: string | undefined, within: Piece, importsLeft: number): Piece {
    const path = from.startsWith('.') ? sourceFile(posix.join(posix.dirname(within.file), from)) : undefined;
    const module = path === undefined || importsLeft === 0 ? undefined : file(path);
    if (module === undefined) return within;
    const further = reexportOf(module.root, name);
    if (further !== undefined && declarationOf(module.root, name) === undefined) return imported(further, name, module, importsLeft - 1);
    return { ...module, node: declarationOf(module.root, name) ?? module.root };
  }

  return { file, named, at, functionOf };
}

/** The module that a name is imported or required from. */
function importOf(root: SyntaxNode, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const sourceOf = (node: SyntaxNode) =>
    node.type === 'ImportDeclaration' ? child(node, 'source') : nodesAt(child(node, 'init'), 'arguments')[0];
  const found = findNode(root, (node) => {
    if (node.type === 'ImportDeclaration') return nodesAt(node, 'specifiers').some((each) => nameOf(child(each, 'local')) === name);
    const isRequire = node.type === 'VariableDeclarator' && nameOf(child(child(node, 'init'), 'callee')) === 'require';
    if (!isRequire || typeof sourceOf(node)?.value !== 'string') return false;
    const id = child(node, 'id');
    return nameOf(id) === name || nodesAt(id, 'properties').some((each) => nameOf(child(each, 'value')) === name);
  });
  const source = found === undefined ? undefined : sourceOf(found)?.value;
  return typeof source === 'string' ? source : undefined;
}

/** `export { name } from './x'` and `export * from './x'`. */
function reexportOf(root: SyntaxNode, name: string | undefined): string | undefined {
  for (const node of nodesAt(root, 'body')) {
    const source = child(node, 'source')?.value;
    if (typeof source !== 'string') continue;
    const isIt = nodesAt(node, 'specifiers').some((each) => nameOf(child(each, 'exported')) === name);
    if (isIt || node.type === 'ExportAllDeclaration') return source;
  }
  return undefined;
}

/** The function or value that a module declares under a name. */
export function declarationOf(root: SyntaxNode, name: string | undefined): SyntaxNode | undefined {
  if (name === undefined) return undefined;
  const found = findNode(root, (node) => {
    if (node.type === 'VariableDeclarator') return nameOf(child(node, 'id')) === name && child(node, 'init') !== undefined;
    if (node.type === 'FunctionDeclaration') return nameOf(child(node, 'id')) === name;
    return node.type === 'MethodDefinition' && nameOf(child(node, 'key')) === name;
  });
  return found?.type === 'VariableDeclarator' ? child(found, 'init') : found;
}
