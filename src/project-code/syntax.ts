/** Source text → syntax tree. Loads the parser only for the first file. */
import { createRequire } from 'node:module';

/** A node of ESTree; TypeScript's own nodes have typescript-eslint's names. */
export interface SyntaxNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

type Parse = (text: string, options: object) => SyntaxNode;
interface Acorn {
  readonly Parser: { extend(plugin: unknown): { readonly parse: Parse } };
}
interface AcornTypescript {
  tsPlugin(): unknown;
}

const require = createRequire(import.meta.url);
let parser: Parse | undefined;

function loadParser(): Parse {
  const acorn: Acorn = require('acorn');
  const { tsPlugin }: AcornTypescript = require('@sveltejs/acorn-typescript');
  const Extended = acorn.Parser.extend(tsPlugin());
  return (text, options) => Extended.parse(text, options);
}

/** Parses a JavaScript or TypeScript module; undefined for other texts, and too deep nesting. */
export function parseSource(text: string): SyntaxNode | undefined {
  parser ??= loadParser();
  for (const sourceType of ['module', 'script']) {
    try {
      return parser(text, { ecmaVersion: 'latest', sourceType, locations: true, allowReturnOutsideFunction: true, allowHashBang: true });
    } catch {
      // A file in sloppy mode is a script, not a module; the caller handles a file that is neither.
    }
  }
  return undefined;
}

export const lineOf = (node: SyntaxNode): number => node.loc.start.line;

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'loc' in value;

export function child(node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  const value = node?.[key];
  return isNode(value) ? value : undefined;
}

export function nodesAt(node: SyntaxNode | undefined, key: string): readonly SyntaxNode[] {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function nameOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined;
}

export const isFunction = (node: SyntaxNode): boolean =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration';

/** Calls `visit` for a node and everything below it. Where `visit` returns false, the nodes below
 *  are skipped; where it returns a node, only that one is visited of them. */
export function walk(root: SyntaxNode, visit: (node: SyntaxNode) => unknown): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const only = visit(node);
    if (isNode(only)) open.push(only);
    else if (only !== false) open.push(...childrenOf(node));
  }
}

/** The first node, in the order of `walk`, that fits. */
export function findNode(root: SyntaxNode, fits: (node: SyntaxNode) => boolean): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  walk(root, (node) => {
    if (found === undefined && fits(node)) found = node;
    return found === undefined;
  });
  return found;
}

/** The nodes directly below one. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));
}

const wrappers = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'ParenthesizedExpression',
  'ChainExpression',
]);

/** Removes casts and parentheses around an expression: they do not change its value. */
export function unwrap<Node extends SyntaxNode | undefined>(node: Node): Node {
  let inner: SyntaxNode | undefined = node;
  while (inner !== undefined && wrappers.has(inner.type)) inner = child(inner, 'expression');
  return inner as Node;
}

/** The name at the start of an expression: `a` in `a.b().c`. */
export function baseName(node: SyntaxNode | undefined): string | undefined {
  let inner = unwrap(node);
  while (inner?.type === 'MemberExpression' || inner?.type === 'CallExpression')
    inner = unwrap(child(inner, inner.type === 'MemberExpression' ? 'object' : 'callee'));
  return nameOf(inner);
}

/** `a.b['c']` → `['a', 'b', 'c']`; empty where a part is computed or called. */
export function pathOf(node: SyntaxNode | undefined): readonly string[] {
  const parts: string[] = [];
  for (let inner = unwrap(node); inner !== undefined; inner = unwrap(child(inner, 'object'))) {
    const name = nameOf(inner);
    if (name !== undefined) return [...parts, name].reverse();
    const property = child(inner, 'property');
    const key = inner.computed === true ? property?.value : nameOf(property);
    if (inner.type !== 'MemberExpression' || typeof key !== 'string') return [];
    parts.push(key);
  }
  return [];
}

/** Every name that an expression uses or a pattern binds, except for names of properties. */
export function namesIn(root: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  walk(root, (node) => {
    const name = nameOf(node);
    if (name !== undefined) names.add(name);
    if (node.computed === true) return undefined;
    const only = node.type === 'MemberExpression' ? 'object' : node.type === 'Property' ? 'value' : undefined;
    return only === undefined ? undefined : child(node, only);
  });
  return names;
}

/** The parts of `strapi.documents('api::a.a').findMany`: names, and texts in brackets or as a
 *  call's first argument; a computed part is `?`. `super` and `this` are parts, too. Empty for an
 *  expression that begins with anything else. */
export function chainOf(node: SyntaxNode | undefined): readonly string[] {
  const names: string[] = [];
  for (let inner = unwrap(node); inner !== undefined; ) {
    const name = nameOf(inner) ?? (inner.type === 'Super' ? 'super' : inner.type === 'ThisExpression' ? 'this' : undefined);
    if (name !== undefined) return [...names, name].reverse();
    let next: SyntaxNode | undefined;
    if (inner.type === 'AwaitExpression') next = child(inner, 'argument');
    else if (inner.type === 'CallExpression') {
      const [argument] = nodesAt(inner, 'arguments');
      if (typeof argument?.value === 'string') names.push(argument.value);
      next = child(inner, 'callee');
    } else if (inner.type === 'MemberExpression') {
      const property = child(inner, 'property');
      names.push((inner.computed === true ? undefined : nameOf(property)) ?? (typeof property?.value === 'string' ? property.value : '?'));
      next = child(inner, 'object');
    }
    inner = unwrap(next);
  }
  return [];
}
