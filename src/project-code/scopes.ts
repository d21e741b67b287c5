/** Declared names of a module or function, each with its expression or module. */
import { child, nameOf, nodesAt, type SyntaxNode } from './syntax.ts';
import type { ImportSource } from './value.ts';

type Binding =
  | { readonly kind: 'expression'; readonly node: SyntaxNode; readonly path: readonly string[]; readonly scope: Scope }
  | ({ readonly kind: 'source' } & ImportSource)
  | { readonly kind: 'unknown' };

export interface Scope {
  readonly bindings: Map<string, Binding>;
  readonly outer: Scope | undefined;
}

export function declare(statement: SyntaxNode, scope: Scope): void {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      const declaration = child(statement, 'declaration');
      if (declaration !== undefined) declare(declaration, scope);
      break;
    }
    case 'VariableDeclaration':
      for (const each of nodesAt(statement, 'declarations')) {
        const id = child(each, 'id');
        const init = child(each, 'init');
        if (id === undefined) continue;
        if (init === undefined) bind(scope, nameOf(id), { kind: 'unknown' });
        else bindPattern(scope, id, (path) => ({ kind: 'expression', node: init, path, scope }));
      }
      break;
    case 'FunctionDeclaration':
      bind(scope, nameOf(child(statement, 'id')), { kind: 'expression', node: statement, path: [], scope });
      break;
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
      bind(scope, nameOf(child(statement, 'id')), { kind: 'unknown' });
      break;
    case 'ImportDeclaration':
      bindImports(statement, scope);
      break;
    case 'TSImportEqualsDeclaration': {
      const from = child(child(statement, 'moduleReference'), 'expression')?.value;
      bind(scope, nameOf(child(statement, 'id')), typeof from === 'string' ? { kind: 'source', from, path: [] } : { kind: 'unknown' });
    }
  }
}

function bindImports(statement: SyntaxNode, scope: Scope): void {
  const from = child(statement, 'source')?.value;
  for (const each of nodesAt(statement, 'specifiers')) {
    const imported = nameOf(child(each, 'imported')) ?? 'default';
    const path = each.type === 'ImportNamespaceSpecifier' ? [] : [imported];
    const binding: Binding = typeof from === 'string' ? { kind: 'source', from, path } : { kind: 'unknown' };
    bind(scope, nameOf(child(each, 'local')), binding);
  }
}

export function bindPattern(
  scope: Scope,
  pattern: SyntaxNode,
  binding: (path: readonly string[]) => Binding,
  path: readonly string[] = [],
): void {
  if (pattern.type === 'Identifier') {
    bind(scope, nameOf(pattern), binding(path));
  } else if (pattern.type === 'ObjectPattern') {
    for (const property of nodesAt(pattern, 'properties')) {
      const value = child(property, 'value');
      const key = property.computed === true ? undefined : keyOf(property);
      if (value !== undefined && key !== undefined) bindPattern(scope, value, binding, [...path, key]);
    }
  }
  // Names in other patterns stay unbound, so their values are unknown.
}

/** The value of a name that is declared twice is unknown. */
function bind(scope: Scope, name: string | undefined, binding: Binding): void {
  if (name !== undefined) scope.bindings.set(name, scope.bindings.has(name) ? { kind: 'unknown' } : binding);
}

export const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export function keyOf(property: SyntaxNode): string | undefined {
  const key = child(property, 'key');
  return nameOf(key) ?? (key !== undefined && isPlain(key.value) ? String(key.value) : undefined);
}
