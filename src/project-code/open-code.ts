/** Finds the code behind a finding: the function at a line, the file of a policy, the definition of an imported name. */
import { posix } from 'node:path';
import { isSource } from './read-module.ts';
import type { SourceFiles } from './source-files.ts';
import { child, isFunction, lineOf, nameOf, nodesAt, parseSource, type SyntaxNode, unwrap, walk } from './syntax.ts';

/** A piece of code in the file whose syntax tree is `root`. */
export interface Piece {
  readonly file: string;
  readonly root: SyntaxNode;
  readonly node: SyntaxNode;
}

export interface Code {
  /** A whole file; undefined if there is none, or it cannot be read. */
  file(path: string): Piece | undefined;
  /** The file that a policy or middleware `name` means in the API `api` (`article`): `global::is-owner`, `api::article.is-owner`, `is-owner`. */
  named(kind: 'policies' | 'middlewares', name: string, api: string | undefined): Piece | undefined;
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
    const folder = posix.dirname(path);
    const name = posix.basename(path).replace(/\.[cm]?[jt]s$/, '');
    const inFolder = (where: string, wanted: string) => {
      const found = files.files(where).find((each) => isSource(each) && each.replace(/\.[^.]*$/, '') === wanted);
      return found === undefined ? undefined : `${where}/${found}`;
    };
    return inFolder(folder, name) ?? inFolder(path, 'index');
  }

  function named(kind: 'policies' | 'middlewares', name: string, api: string | undefined): Piece | undefined {
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
    const whole = file(path);
    if (whole === undefined) return undefined;
    let found: SyntaxNode | undefined;
    walk(whole.root, (node) => {
      if (found !== undefined) return false;
      if (node !== whole.root && lineOf(node) === line) found = node;
      return found === undefined ? undefined : false;
    });
    return { ...whole, node: found ?? whole.root };
  }

  function functionOf(expression: SyntaxNode, within: Piece, importsLeft = maxImports): Piece {
    const node = unwrap(expression);
    if (isFunction(node)) return { ...within, node };
    // `use(middleware())` and `use(require('./x')(strapi))`: what the function returns is part of it.
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
    const whole = path === undefined || importsLeft === 0 ? undefined : file(path);
    if (whole === undefined) return within;
    const further = reexportOf(whole.root, name);
    if (further !== undefined && declarationOf(whole.root, name) === undefined) return imported(further, name, whole, importsLeft - 1);
    return { ...whole, node: declarationOf(whole.root, name) ?? whole.root };
  }

  return { file, named, at, functionOf };
}

/** The module that a name is imported or required from. */
function importOf(root: SyntaxNode, name: string | undefined): string | undefined {
  let found: string | undefined;
  walk(root, (node) => {
    if (found !== undefined || name === undefined) return false;
    if (node.type === 'ImportDeclaration') {
      const source = child(node, 'source')?.value;
      const isIt = nodesAt(node, 'specifiers').some((each) => nameOf(child(each, 'local')) === name);
      if (isIt && typeof source === 'string') found = source;
      return false;
    }
    if (node.type !== 'VariableDeclarator') return undefined;
    const id = child(node, 'id');
    const init = child(node, 'init');
    const given =
      init?.type === 'CallExpression' && nameOf(child(init, 'callee')) === 'require' ? nodesAt(init, 'arguments')[0] : undefined;
    const binds =
      nameOf(id) === name || (id !== undefined && nodesAt(id, 'properties').some((each) => nameOf(child(each, 'value')) === name));
    if (binds && typeof given?.value === 'string') found = given.value;
    return undefined;
  });
  return found;
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
  let found: SyntaxNode | undefined;
  walk(root, (node) => {
    if (found !== undefined || name === undefined) return false;
    const isNamed = node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration' || node.type === 'MethodDefinition';
    const key = isNamed ? nameOf(child(node, node.type === 'MethodDefinition' ? 'key' : 'id')) : undefined;
    if (key === name) found = node.type === 'VariableDeclarator' ? child(node, 'init') : node;
    return undefined;
  });
  return found;
}
