/** The editor's document → Strapi's blocks. Blocks that come back as other JSON than they went in
 *  differ in two ways alone, which are those of Strapi's own editor:
 *
 *  1. Neighbours with the same keys join: texts, and links.
 *  2. An empty text stands where a block, or one side of a link, would have no text; nowhere else. */
import type { Node } from '@tiptap/pm/model';
import type { JsonObject } from '../../../../text/json.ts';
import { emptyText, isTextMark, isTextNode } from './block.ts';

/** The blocks that nodes were made from, or became. Nodes do not change, so an entry is valid as
 *  long as its node is in the document, and blocks without a change stay the same objects. */
export type KnownBlocks = WeakMap<Node, unknown>;

export function toBlocks(document: Node, known: KnownBlocks): readonly unknown[] {
  return document.children.map((node) => nodeToBlock(node, known));
}

function nodeToBlock(node: Node, known: KnownBlocks): unknown {
  if (known.has(node)) return known.get(node);
  const block = newBlock(node, known);
  known.set(node, block);
  return block;
}

function newBlock(node: Node, known: KnownBlocks): unknown {
  const { keys, level, format, value, image, children } = node.attrs;
  switch (node.type.name) {
    case 'keptBlock':
      return value;
    case 'image':
      return { type: 'image', ...keys, image, children };
    case 'heading':
      return { type: 'heading', ...keys, level, children: inline(node) };
    case 'codeBlock':
      return { type: 'code', ...keys, children: inline(node) };
    case 'listItem':
      return { type: 'list-item', ...keys, children: inline(node) };
    case 'list':
    case 'sublist':
      return { type: 'list', ...keys, format, children: node.children.map((child) => nodeToBlock(child, known)) };
    default:
      return { type: node.type.name, ...keys, children: inline(node) };
  }
}

function inline(parent: Node): readonly unknown[] {
  const result: unknown[] = [];
  let link: Link | undefined;
  for (const node of parent.children) {
    const mark = node.marks.find(({ type }) => type.name === 'link');
    if (mark !== undefined && link?.mark.eq(mark)) {
      link.children.push(text(node));
      continue;
    }
    // Two links in a row, or a link without a text before or behind it.
    if ((mark !== undefined && !isTextNode(result.at(-1))) || (link !== undefined && !isPlainText(node))) addEmpty(result);
    link = mark === undefined ? undefined : { mark, children: [text(node)] };
    if (link === undefined) result.push(node.isText ? text(node) : node.attrs.value);
    else result.push({ type: 'link', ...link.mark.attrs.keys, url: link.mark.attrs.url, children: link.children });
  }
  if (result.length === 0 || link !== undefined) addEmpty(result);
  return result;
}

const isPlainText = (node: Node): boolean => node.isText && node.marks.every(({ type }) => type.name !== 'link');

function addEmpty(result: unknown[]): void {
  if (!isTextNode(result.at(-1))) result.push(emptyText);
}

interface Link {
  readonly mark: Node['marks'][number];
  readonly children: JsonObject[];
}

function text({ text, marks }: Node): JsonObject {
  const others: JsonObject = marks.find(({ type }) => type.name === 'otherKeys')?.attrs.keys ?? {};
  const names = marks.map(({ type }) => type.name).filter(isTextMark);
  return { type: 'text', text: text ?? '', ...others, ...Object.fromEntries(names.map((name) => [name, true])) };
}
