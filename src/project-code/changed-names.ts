/** Finds the names in a file whose value may have changed since their declaration. Scopes are
 *  ignored: a value wrongly considered changed counts as unknown, which is safe. */
import { baseName, child, isFunction, nameOf, namesIn, nodesAt, type SyntaxNode, walk } from './syntax.ts';

export interface ChangedNames {
  /** Names that a later assignment replaces. */
  readonly reassigned: ReadonlySet<string>;
  /** Names of objects that may be modified: by assignment, by a method, or as an argument. */
  readonly mutated: ReadonlySet<string>;
}

/** Names may be defined by other names, up to this depth; beyond it, all count as changed. */
const maxRounds = 20;

/** Functions that only read their arguments. */
const harmless =
  /^(createCore(Router|Controller|Service)|require|env|int|float|bool|json|array|oneOf|Number|parseInt|parseFloat|Boolean|String|split|trim)$/;

export const changedNames = (root: SyntaxNode): ChangedNames => findChanged(root, maxRounds);

/** The same without names that are changed through other names only: `ctx.query.populate = shared`
 *  does not count as a change of `shared`. For proposals that a person reads. */
export const changedDirectly = (root: SyntaxNode): ChangedNames => findChanged(root, 0);

function findChanged(root: SyntaxNode, rounds: number): ChangedNames {
  const reassigned = new Set<string>();
  const mutated = new Set<string>();
  /** The names that an expression is assigned to, with the names that the expression uses. */
  const sources: (readonly [bound: ReadonlySet<string>, from: ReadonlySet<string>])[] = [];
  const bind = (bound: SyntaxNode | undefined, from: SyntaxNode | undefined) => {
    if (bound !== undefined && from !== undefined) sources.push([namesIn(bound), namesIn(from)]);
  };
  const mutate = (node: SyntaxNode | undefined) => {
    const name = baseName(node);
    if (name !== undefined) mutated.add(name);
  };
  walk(root, (node) => {
    switch (node.type) {
      case 'AssignmentExpression': {
        const left = child(node, 'left');
        const name = nameOf(left);
        if (name !== undefined) reassigned.add(name);
        else if (left?.type === 'MemberExpression') mutate(left);
        else if (left !== undefined) for (const each of namesIn(left)) reassigned.add(each);
        bind(left, child(node, 'right'));
        break;
      }
      case 'UpdateExpression':
      case 'UnaryExpression':
        if (node.type === 'UpdateExpression' || node.operator === 'delete') mutate(child(node, 'argument'));
        break;
      case 'CallExpression':
      case 'NewExpression': {
        const callee = child(node, 'callee');
        const called = callee?.type === 'MemberExpression' ? nameOf(child(callee, 'property')) : nameOf(callee);
        if (called !== undefined && harmless.test(called)) break;
        if (callee?.type === 'MemberExpression') mutate(child(callee, 'object'));
        for (const argument of nodesAt(node, 'arguments')) {
          // What a function does with the names that it uses is found inside of it.
          if (rounds === 0 && isFunction(argument)) continue;
          for (const name of namesIn(argument)) mutated.add(name);
        }
        break;
      }
      case 'VariableDeclarator':
        bind(child(node, 'id'), child(node, 'init'));
        break;
      case 'ForOfStatement':
      case 'ForInStatement':
        bind(child(node, 'left'), child(node, 'right'));
        break;
      default:
        if (isFunction(node)) bind(child(node, 'id'), child(node, 'body'));
    }
  });
  for (let size = -1, round = 0; rounds > 0 && size !== mutated.size; round += 1) {
    size = mutated.size;
    for (const [bound, from] of sources) if (round === rounds || meets(bound, mutated)) for (const name of from) mutated.add(name);
  }
  return { reassigned, mutated };
}

const meets = (some: ReadonlySet<string>, others: ReadonlySet<string>) => {
  for (const each of some) if (others.has(each)) return true;
  return false;
};
