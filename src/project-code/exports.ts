/** Finds what a module exports: one expression, or one for each name. */
import { baseName, child, nameOf, nodesAt, pathOf, type SyntaxNode, walk } from './syntax.ts';

export type Exported =
  | { readonly kind: 'single'; readonly node: SyntaxNode }
  | { readonly kind: 'named'; readonly nodes: ReadonlyMap<string, SyntaxNode> };

/** The module's exports; undefined if there are none, or if they depend on running code (two
 *  assignments, or one in a branch). */
export function exportOf(root: SyntaxNode): Exported | undefined {
  const single: SyntaxNode[] = [];
  const named = new Map<string, SyntaxNode>();
  let understood = 0;
  for (const statement of nodesAt(root, 'body')) {
    if (statement.type === 'ExportDefaultDeclaration') {
      const declaration = child(statement, 'declaration');
      if (declaration !== undefined) single.push(declaration);
    } else if (statement.type === 'TSExportAssignment') {
      const expression = child(statement, 'expression');
      if (expression !== undefined) single.push(expression);
    } else if (statement.type === 'ExportNamedDeclaration' && child(statement, 'source') === undefined) {
      for (const specifier of nodesAt(statement, 'specifiers')) {
        const local = child(specifier, 'local');
        if (nameOf(child(specifier, 'exported')) === 'default' && local !== undefined) single.push(local);
      }
    } else if (statement.type === 'ExpressionStatement') {
      const assigned = commonExport(child(statement, 'expression'));
      if (assigned === undefined) continue;
      understood += 1;
      if (assigned.name === undefined || assigned.name === 'default') single.push(assigned.value);
      else named.set(assigned.name, assigned.value);
    }
  }
  if (usesOfExports(root) !== understood) return undefined;
  const [node, ...more] = single;
  if (node !== undefined) return more.length === 0 && named.size === 0 ? { kind: 'single', node } : undefined;
  return named.size === understood && understood > 0 ? { kind: 'named', nodes: named } : undefined;
}

/** The name and value of a statement `module.exports = …` (no name) or `exports.name = …`. */
function commonExport(expression: SyntaxNode | undefined): { readonly name: string | undefined; readonly value: SyntaxNode } | undefined {
  const value = child(expression, 'right');
  if (expression?.type !== 'AssignmentExpression' || expression.operator !== '=' || value === undefined) return undefined;
  const path = pathOf(child(expression, 'left')).join('.');
  if (path === 'module.exports') return { name: undefined, value };
  const name = /^(?:module\.)?exports\.(\w+)$/.exec(path)?.[1];
  return name === undefined ? undefined : { name, value };
}

/** Counts the uses of `module` and `exports`, without the `__esModule` mark of compilers. */
function usesOfExports(root: SyntaxNode): number {
  let uses = 0;
  const count = (node: SyntaxNode | undefined) => {
    const base = baseName(node);
    if (base === 'module' || base === 'exports') uses += 1;
  };
  walk(root, (node) => {
    if (node.type === 'AssignmentExpression') count(child(node, 'left'));
    else if (node.type === 'CallExpression') {
      const callee = child(node, 'callee');
      if (callee?.type === 'MemberExpression') count(child(callee, 'object'));
      const args = nodesAt(node, 'arguments');
      if (args[1]?.value !== '__esModule') for (const each of args) count(each);
    } else if (node.type === 'VariableDeclarator') count(child(node, 'init'));
  });
  return uses;
}
