/** Commands on blocks, links and images, without a view. */
import type { Node } from '@tiptap/pm/model';
import { type Command, type EditorState, NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state';
import { isObject, type JsonObject } from '../../../../text/json.ts';
import type { MediaFile } from '../../media/media-file.ts';
import { isLinkUrl } from '../shared/links.ts';
import { emptyText } from './block.ts';
import { listAround, unlistSelected } from './list-commands.ts';

export type BlockKind = 'paragraph' | 'quote' | 'codeBlock' | `heading${1 | 2 | 3 | 4 | 5 | 6}`;

/** The kind of the block at the start of the selection; undefined for lists, images, and others. */
export function blockKind({ selection: { $from } }: EditorState): BlockKind | undefined {
  const { type, attrs } = $from.parent;
  if (type.name === 'heading') return `heading${attrs.level as 1}`;
  return type.name === 'paragraph' || type.name === 'quote' || type.name === 'codeBlock' ? type.name : undefined;
}

/** Makes blocks of this kind of the selected blocks with text. Items leave their lists. */
export const setKind =
  (kind: BlockKind): Command =>
  (state, dispatch) => {
    const level = /^heading(\d)$/.exec(kind)?.[1];
    const type = state.schema.nodes[level === undefined ? kind : 'heading'];
    if (type === undefined) return false;
    const { tr } = state;
    unlistSelected(tr);
    tr.setBlockType(tr.selection.from, tr.selection.to, type, ({ attrs: { keys } }) => ({
      keys: keys ?? {},
      ...(level === undefined ? {} : { level: Number(level) }),
    }));
    if (!tr.docChanged) return false;
    dispatch?.(tr.scrollIntoView());
    return true;
  };

export const codeLanguage = (state: EditorState): string => {
  const { parent } = state.selection.$from;
  return parent.type.name === 'codeBlock' && typeof parent.attrs.keys.language === 'string' ? parent.attrs.keys.language : '';
};

export const setCodeLanguage =
  (language: string): Command =>
  ({ selection: { $from }, tr }, dispatch) => {
    if ($from.parent.type.name !== 'codeBlock') return false;
    dispatch?.(tr.setNodeAttribute($from.before(), 'keys', { ...$from.parent.attrs.keys, language: language === '' ? null : language }));
    return true;
  };

export interface LinkAt {
  readonly url: string;
  readonly from: number;
  readonly to: number;
}

/** The link around the start of the selection, or directly before it. */
export function linkAt({ selection: { $from, empty } }: EditorState): LinkAt | undefined {
  const at = $from.parent.childAfter($from.parentOffset);
  const found = linkOf(at.node) === undefined && empty ? $from.parent.childBefore($from.parentOffset) : at;
  const mark = linkOf(found.node);
  if (mark === undefined) return undefined;
  const { parent } = $from;
  const isIn = (index: number) => index >= 0 && index < parent.childCount && mark.isInSet(parent.child(index).marks);
  let [first, last] = [found.index, found.index];
  while (isIn(first - 1)) first -= 1;
  while (isIn(last + 1)) last += 1;
  const sizes = parent.children.map(({ nodeSize }) => nodeSize);
  const sum = (to: number) => $from.start() + sizes.slice(0, to).reduce((total, size) => total + size, 0);
  return { url: String(mark.attrs.url), from: sum(first), to: sum(last + 1) };
}

const linkOf = (node: Node | null) => node?.marks.find(({ type }) => type.name === 'link');

/** Links the selected text, or changes the link at the selection, or inserts `text` as a link.
 *  Keys of a changed link stay. */
export const setLink =
  (url: string, text: string): Command =>
  (state, dispatch) => {
    const { link } = state.schema.marks;
    const { empty, $from, from, to } = state.selection;
    const around = linkAt(state);
    if (link === undefined || !isLinkUrl(url) || !$from.parent.inlineContent || !$from.parent.type.allowsMarkType(link)) return false;
    const { tr } = state;
    if (around !== undefined && (empty || (around.from <= from && to <= around.to))) {
      const keys = linkOf($from.parent.childAfter(around.from - $from.start()).node)?.attrs.keys ?? {};
      tr.removeMark(around.from, around.to, link).addMark(around.from, around.to, link.create({ url, keys }));
    } else if (empty) {
      tr.replaceSelectionWith(state.schema.text(text === '' ? url : text, [...$from.marks(), link.create({ url })]), false);
      tr.removeStoredMark(link);
    } else {
      tr.addMark(from, to, link.create({ url })).removeStoredMark(link);
    }
    dispatch?.(tr.scrollIntoView());
    return true;
  };

export const removeLink: Command = (state, dispatch) => {
  const around = linkAt(state);
  const { link } = state.schema.marks;
  const { from, to } = state.selection;
  if (around === undefined || link === undefined) return false;
  dispatch?.(state.tr.removeMark(Math.min(from, around.from), Math.max(to, around.to), link));
  return true;
};

/** What Strapi's editor stores of a file. */
const imageKeys = [
  'name',
  'alternativeText',
  'url',
  'caption',
  'width',
  'height',
  'formats',
  'hash',
  'ext',
  'mime',
  'size',
  'previewUrl',
  'provider',
  'provider_metadata',
  'createdAt',
  'updatedAt',
];

function imageOf(file: MediaFile): JsonObject {
  const members: JsonObject = { ...file };
  return Object.fromEntries(imageKeys.flatMap((key) => (members[key] === undefined ? [] : [[key, members[key]]])));
}

/** Inserts an image below the block with the cursor, or instead of an empty one. */
export const insertImage =
  (file: MediaFile): Command =>
  (state, dispatch) => {
    const type = state.schema.nodes.image;
    // A restricted right may leave out anything.
    if (type === undefined || file.url === undefined) return false;
    const node = type.create({ image: imageOf(file), children: [emptyText] });
    const { tr } = state;
    const { $from, $to } = state.selection;
    const block = $from.depth > 0 ? $from.node(1) : null;
    const isEmpty = block?.type.name === 'paragraph' && block.content.size === 0;
    const position = $to.depth > 0 ? $to.after(1) : state.selection.to;
    if (isEmpty) tr.replaceWith($from.before(1), $from.after(1), node);
    else tr.insert(position, node);
    const behind = (isEmpty ? $from.before(1) : position) + node.nodeSize;
    if (behind >= tr.doc.content.size) tr.insert(behind, state.schema.nodes.paragraph?.create() ?? []);
    tr.setSelection(Selection.near(tr.doc.resolve(behind), 1));
    dispatch?.(tr.scrollIntoView());
    return true;
  };

/** The block, directly in the document, in which the selection starts. */
function blockAt({
  doc,
  selection: { $from },
}: EditorState): { readonly index: number; readonly start: number; readonly node: Node } | undefined {
  const index = $from.index(0);
  return index < doc.childCount ? { index, start: $from.posAtIndex(index, 0), node: doc.child(index) } : undefined;
}

export const moveBlock =
  (direction: 'up' | 'down'): Command =>
  (state, dispatch) => {
    const block = blockAt(state);
    const other = block === undefined ? -1 : block.index + (direction === 'up' ? -1 : 1);
    if (block === undefined || other < 0 || other >= state.doc.childCount) return false;
    const { tr, selection } = state;
    const { nodeSize } = state.doc.child(other);
    const move = direction === 'up' ? -nodeSize : nodeSize;
    tr.delete(block.start, block.start + block.node.nodeSize).insert(block.start + move, block.node);
    tr.setSelection(moved(tr, selection, move, block.start + move + block.node.nodeSize));
    dispatch?.(tr.scrollIntoView());
    return true;
  };

function moved(tr: Transaction, selection: Selection, move: number, end: number): Selection {
  if (selection instanceof NodeSelection) return NodeSelection.create(tr.doc, selection.from + move);
  const at = (position: number) => tr.doc.resolve(Math.min(position + move, end - 1));
  return selection instanceof TextSelection
    ? TextSelection.between(at(selection.anchor), at(selection.head))
    : Selection.near(at(selection.from));
}

/** Deletes the whole block with the cursor. */
export const deleteBlock: Command = (state, dispatch) => {
  const block = blockAt(state);
  if (block === undefined) return false;
  const { tr, doc, schema } = state;
  const end = block.start + block.node.nodeSize;
  if (doc.childCount === 1) tr.replaceWith(block.start, end, schema.nodes.paragraph?.create() ?? []);
  else tr.delete(block.start, end);
  tr.setSelection(Selection.near(tr.doc.resolve(Math.min(block.start, tr.doc.content.size)), 1));
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Backspace at the start of a block with a kind makes it a paragraph; of an item, leaves the list. */
export const resetAtStart: Command = (state, dispatch) => {
  const { empty, $from } = state.selection;
  if (!empty || $from.parentOffset > 0 || listAround(state) !== undefined) return false;
  const kind = blockKind(state);
  return kind !== undefined && kind !== 'paragraph' && setKind('paragraph')(state, dispatch);
};

/** Whether the document is what an empty value is shown as. */
export function isEmptyDocument(doc: Node): boolean {
  const first = doc.firstChild;
  const keys: unknown = first?.attrs.keys;
  return (
    doc.childCount === 1 && first?.type.name === 'paragraph' && first.content.size === 0 && isObject(keys) && Object.keys(keys).length === 0
  );
}
