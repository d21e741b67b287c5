/** Finds a middleware's value for `populate`, which the setting `populate` can replace. */
import { behaviourOf } from './behaviour.ts';
import { changedDirectly } from './changed-names.ts';
import { Evaluation } from './evaluate.ts';
import type { Piece } from './open-code.ts';
import { chainOf, child, childrenOf, findNode, isFunction, nodesAt, type SyntaxNode } from './syntax.ts';
import type { Value } from './value.ts';

export interface PopulateCode {
  /** The value as JSON would have it; undefined if it is computed, or several are set. */
  readonly value: unknown;
  /** Whether the code does nothing else that is recognised. */
  readonly isAll: boolean;
}

/** Undefined for code that does not set `populate`. */
export function populateIn({ root, node }: Piece): PopulateCode | undefined {
  const found: { readonly node: SyntaxNode; readonly functions: readonly SyntaxNode[] }[] = [];
  // No recursion: a chain of operators may be nested as deeply as it is long.
  const open: { readonly node: SyntaxNode; readonly functions: readonly SyntaxNode[] }[] = [{ node, functions: [] }];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const wanted = each.node.type === 'AssignmentExpression' ? assignedPopulate(each.node) : undefined;
    if (wanted !== undefined) found.push({ node: wanted, functions: each.functions });
    const functions = isFunction(each.node) ? [...each.functions, each.node] : each.functions;
    for (const below of childrenOf(each.node)) open.push({ node: below, functions });
  }
  const [only] = found;
  if (only === undefined) return undefined;
  const evaluation = new Evaluation(root, undefined, changedDirectly(root));
  const value = found.length === 1 ? jsonOf(evaluation.expressionWithin(only.node, only.functions)) : undefined;
  const behaviour = behaviourOf(node);
  return {
    value,
    isAll:
      behaviour.every((phrase) => phrase === 'sets populate' || phrase === 'changes the query') &&
      callsOnlyNext(node) &&
      !hasOtherConditions(node),
  };
}

/** `ctx.query.populate = …`, `context.params.populate = …`, `ctx.query = { …, populate: … }`. */
function assignedPopulate(node: SyntaxNode): SyntaxNode | undefined {
  const left = child(node, 'left');
  const right = child(node, 'right');
  const chain = chainOf(left);
  const last = chain.at(-1);
  if (last === 'populate' && ['query', 'params'].includes(chain.at(-2) ?? '')) return right;
  if (right?.type !== 'ObjectExpression' || (last !== 'query' && last !== 'params')) return undefined;
  const property = nodesAt(right, 'properties').find((each) => chainOf(child(each, 'key') ?? each)[0] === 'populate');
  return child(property, 'value');
}

const harmless = /^(?:next|strapi\.log\.\w+|console\.\w+|includes|startsWith)$/;

function callsOnlyNext(root: SyntaxNode): boolean {
  const calls = findNode(root, (node) => {
    const chain = node.type === 'CallExpression' ? chainOf(child(node, 'callee')) : ['next'];
    return !harmless.test(chain.join('.')) && !harmless.test(chain.at(-1) ?? 'includes');
  });
  return calls === undefined;
}

/** What a middleware may test without being more than a default for `populate`. */
const testable = /^(?:uid|model|action|populate|query|params|includes|has)$/;

function hasOtherConditions(root: SyntaxNode): boolean {
  const isOther = (node: SyntaxNode) => node.type === 'MemberExpression' && !testable.test(chainOf(node).at(-1) ?? 'includes');
  const found = findNode(root, (node) => {
    const test = node.type === 'IfStatement' || node.type === 'ConditionalExpression' ? child(node, 'test') : undefined;
    return test !== undefined && findNode(test, isOther) !== undefined;
  });
  return found !== undefined;
}

/** The JSON of a value without anything computed. */
function jsonOf(value: Value): unknown {
  switch (value.kind) {
    case 'plain':
      return value.value;
    case 'list': {
      const items = value.items.map(jsonOf);
      return items.includes(undefined) ? undefined : items;
    }
    case 'object': {
      const entries = [...value.entries].map(([key, each]) => [key, jsonOf(each)] as const);
      return value.open || entries.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}
