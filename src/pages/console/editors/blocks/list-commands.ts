/** Commands on lists. In Strapi's blocks a list in a list stands beside the items, so that the
 *  commands of ProseMirror's own list schema do not fit. */
import { Fragment, type Node, type NodeRange, Slice } from '@tiptap/pm/model';
import type { Command, EditorState, Transaction } from '@tiptap/pm/state';
import { canJoin, liftTarget, ReplaceAroundStep } from '@tiptap/pm/transform';
import type { ListFormat } from './block.ts';

const isList = ({ type }: Node): boolean => type.name === 'list' || type.name === 'sublist';

/** The list around the start of the selection that is nearest to it. */
export function listAround({ selection: { $from } }: EditorState): { readonly node: Node; readonly position: number } | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (isList(node)) return { node, position: $from.before(depth) };
  }
  return undefined;
}

/** Makes items of the selected blocks; of the items of such a list, paragraphs. */
export const toggleList =
  (format: ListFormat): Command =>
  (state, dispatch) => {
    const around = listAround(state);
    if (around?.node.attrs.format === format) return unlist(state, dispatch);
    const { tr } = state;
    if (around !== undefined) tr.setNodeAttribute(around.position, 'format', format);
    else wrapInList(tr, format);
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };

/** Puts each selected block with text into a list, and joins these lists with their neighbours. */
function wrapInList(tr: Transaction, format: ListFormat): void {
  const { list, listItem } = tr.doc.type.schema.nodes;
  if (list === undefined || listItem === undefined) return;
  const found: { readonly position: number; readonly node: Node }[] = [];
  tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, position) => {
    if (node.isTextblock) found.push({ position, node });
    return false;
  });
  for (const { position, node } of found.toReversed()) {
    const item = listItem.create({ keys: node.type.name === 'paragraph' ? node.attrs.keys : {} });
    surround(tr, position, position + node.nodeSize, 1, Fragment.from(list.create({ format }, item)), 2);
  }
  // Each block has become larger by two. From the end, as a join moves what is after it.
  const starts = found.map(({ position }, index) => position + 2 * index);
  const last = starts.at(-1);
  if (last === undefined) return;
  joinLists(tr, last + (tr.doc.nodeAt(last)?.nodeSize ?? 0));
  for (const start of starts.toReversed()) joinLists(tr, start);
}

/** Joins the lists before and after a position between two blocks, if they are of one kind. */
function joinLists(tr: Transaction, position: number): void {
  const { nodeBefore, nodeAfter } = tr.doc.resolve(position);
  if (nodeBefore === null || nodeAfter === null || !isList(nodeBefore)) return;
  if (nodeBefore.sameMarkup(nodeAfter) && canJoin(tr.doc, position)) tr.join(position);
}

/** Replaces the tokens around the content of what is between two positions. */
function surround(tr: Transaction, from: number, to: number, depth: number, wrapping: Fragment, insert: number): void {
  tr.step(new ReplaceAroundStep(from, to, from + depth, to - depth, new Slice(wrapping, 0, 0), insert, true));
}

/** The range of the selected items in their list. */
function itemRange({ selection: { $from, $to } }: EditorState): NodeRange | null {
  return $from.blockRange($to, isList);
}

/** Puts the selected items into a list in their list. */
export const nestItems: Command = (state, dispatch) => {
  const range = itemRange(state);
  const { sublist } = state.schema.nodes;
  if (range === null || range.startIndex === 0 || sublist === undefined) return false;
  const { tr } = state;
  const { format, keys } = range.parent.attrs;
  // Strapi counts the levels of lists in lists in this key.
  const indentLevel = (typeof keys.indentLevel === 'number' ? keys.indentLevel : 0) + 1;
  tr.wrap(range, [{ type: sublist, attrs: { format, keys: { indentLevel } } }]);
  joinLists(tr, tr.mapping.map(range.end));
  joinLists(tr, range.start);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Takes the selected items out of their list in a list, or out of any list. */
export const unnestItems: Command = (state, dispatch) => {
  const range = itemRange(state);
  if (range === null) return false;
  if (range.parent.type.name === 'list') return unlist(state, dispatch);
  const target = liftTarget(range);
  if (target === null) return false;
  dispatch?.(state.tr.lift(range, target).scrollIntoView());
  return true;
};

/** Makes paragraphs of the selected items. */
const unlist: Command = (state, dispatch) => {
  const { tr } = state;
  if (!unlistSelected(tr)) return false;
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Whether there were items in the selection. */
export function unlistSelected(tr: Transaction): boolean {
  const positions: number[] = [];
  tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, position) => {
    if (node.type.name === 'listItem') positions.push(position);
  });
  for (const position of positions.reverse()) unlistItem(tr, position);
  return positions.length > 0;
}

function unlistItem(tr: Transaction, start: number): void {
  for (let position = start; ; ) {
    const $item = tr.doc.resolve(position + 1);
    const range = $item.blockRange($item, isList);
    if (range === null) return;
    if (range.parent.type.name === 'list') {
      unwrap(tr, range);
      return;
    }
    const target = liftTarget(range);
    if (target === null) return;
    const steps = tr.steps.length;
    tr.lift(range, target);
    position = tr.mapping.slice(steps).map(position + 1) - 1;
  }
}

/** The only item of the range becomes a paragraph between the two parts of its list. */
function unwrap(tr: Transaction, range: NodeRange): void {
  const { paragraph } = tr.doc.type.schema.nodes;
  const item = range.parent.child(range.startIndex);
  let { start } = range;
  if (range.endIndex < range.parent.childCount) tr.split(range.end);
  if (range.startIndex > 0) {
    tr.split(start);
    start += 2;
  }
  if (paragraph === undefined) return;
  surround(tr, start - 1, start + item.nodeSize + 1, 2, Fragment.from(paragraph.create({ keys: item.attrs.keys })), 1);
}
