/** Finds the types and actions that a document service middleware compares its context with. */
import { changedDirectly } from './changed-names.ts';
import { Evaluation } from './evaluate.ts';
import { declarationOf, type Piece } from './open-code.ts';
import { chainOf, child, nameOf, nodesAt, type SyntaxNode, walk } from './syntax.ts';
import { textIn, type Value } from './value.ts';

export interface Conditions {
  /** Empty if it tests none that can be read: then it may apply to every type. */
  readonly uids: readonly string[];
  readonly actions: readonly string[];
}

export function conditionsIn({ root, node }: Piece): Conditions {
  const evaluation = new Evaluation(root, undefined, changedDirectly(root));
  const uids = new Set<string>();
  const actions = new Set<string>();
  const compare = (operand: SyntaxNode | undefined, value: Value | undefined) => {
    const last = chainOf(operand).at(-1);
    const found = last === 'uid' || last === 'model' ? uids : last === 'action' ? actions : undefined;
    if (found === undefined || value === undefined) return;
    for (const each of textsIn(value)) found.add(each);
  };
  const evaluated = (each: SyntaxNode | undefined) => (each === undefined ? undefined : evaluation.expression(each));
  walk(node, (each) => {
    if (each.type === 'BinaryExpression') {
      compare(child(each, 'left'), evaluated(child(each, 'right')));
      compare(child(each, 'right'), evaluated(child(each, 'left')));
    } else if (each.type === 'SwitchStatement') {
      for (const branch of nodesAt(each, 'cases')) compare(child(each, 'discriminant'), evaluated(child(branch, 'test')));
    } else if (each.type === 'CallExpression') {
      const callee = child(each, 'callee');
      const method = chainOf(child(callee, 'property') ?? callee).at(-1);
      if (method === 'includes' || method === 'has')
        compare(nodesAt(each, 'arguments')[0], evaluated(listBehind(root, child(callee ?? each, 'object'))));
    }
  });
  return { uids: [...uids], actions: [...actions] };
}

/** Texts of a list, a set that is made of one, or a text. */
export function textsIn(value: Value): readonly string[] {
  if (value.kind === 'list') return value.items.flatMap(textsIn);
  const text = textIn(value);
  return text === undefined ? [] : [text];
}

/** `new Set([…])`, or a name that is declared so → the list. */
function listBehind(root: SyntaxNode, node: SyntaxNode | undefined): SyntaxNode | undefined {
  const declared = node?.type === 'Identifier' ? declarationOf(root, nameOf(node)) : node;
  return declared?.type === 'NewExpression' ? nodesAt(declared, 'arguments')[0] : node;
}
