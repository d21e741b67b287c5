/** Strapi's blocks → the editor's document, in ProseMirror's JSON. Whatever the editor does not know
 *  is in it as well: keys in an attribute `keys`, and nodes as `keptBlock` and `keptInline`, which
 *  have the whole node in an attribute `value`. `to-blocks.ts` is the way back. */
import { isObject, type JsonObject } from '../../../../text/json.ts';
import { isListFormat, isTextMark, isTextNode, type TextNode, without } from './block.ts';

/** A node as `Node.fromJSON` reads it. */
export interface DocumentNode {
  readonly type: string;
  readonly attrs?: JsonObject;
  readonly content?: readonly DocumentNode[];
  readonly marks?: readonly { readonly type: string; readonly attrs?: JsonObject }[];
  readonly text?: string;
}

/** Lists that nest deeper are kept as they are: they would exhaust the stack. */
const maxDepth = 50;

export function toDocument(blocks: readonly unknown[] | null): DocumentNode {
  const content = (blocks ?? []).map(blockToNode);
  return { type: 'doc', content: content.length === 0 ? [{ type: 'paragraph' }] : content };
}

function blockToNode(block: unknown): DocumentNode {
  return (isObject(block) ? knownBlock(block) : undefined) ?? { type: 'keptBlock', attrs: { value: block } };
}

function knownBlock(block: JsonObject): DocumentNode | undefined {
  switch (block.type) {
    case 'paragraph':
    case 'quote':
      return textBlock(block, block.type, 'type', 'children');
    case 'heading': {
      const { level } = block;
      return typeof level === 'number' && [1, 2, 3, 4, 5, 6].includes(level)
        ? textBlock(block, 'heading', 'type', 'children', 'level')
        : undefined;
    }
    case 'code':
      return isArrayOf(block.children, isTextNode) ? textBlock(block, 'codeBlock', 'type', 'children') : undefined;
    case 'list':
      return listNode(block, 0);
    case 'image':
      return imageNode(block);
    default:
      return undefined;
  }
}

/** `known` are the keys that the node has in other ways. */
function textBlock(block: JsonObject, type: string, ...known: readonly string[]): DocumentNode | undefined {
  if (!Array.isArray(block.children)) return undefined;
  const level = type === 'heading' ? { level: block.level } : {};
  return { type, attrs: { ...level, keys: without(block, ...known) }, content: block.children.flatMap(inlineNodes) };
}

function inlineNodes(child: unknown): DocumentNode[] {
  if (isTextNode(child)) return textNode(child, []);
  if (isObject(child) && child.type === 'link' && typeof child.url === 'string' && isArrayOf(child.children, isTextNode)) {
    const link = { type: 'link', attrs: { url: child.url, keys: without(child, 'type', 'url', 'children') } };
    const content = child.children.flatMap((text) => textNode(text, [link]));
    if (content.length > 0) return content;
  }
  return [{ type: 'keptInline', attrs: { value: child } }];
}

/** An empty text is no node: `to-blocks.ts` adds it where Strapi wants one. */
function textNode(node: TextNode, marks: NonNullable<DocumentNode['marks']>): DocumentNode[] {
  if (node.text === '') return [];
  const keys = without(node, 'type', 'text');
  const names = Object.keys(keys).filter((key) => isTextMark(key) && keys[key] === true);
  const others = without(keys, ...names);
  return [
    {
      type: 'text',
      text: node.text,
      marks: [
        ...marks,
        ...names.map((type) => ({ type })),
        ...(Object.keys(others).length === 0 ? [] : [{ type: 'otherKeys', attrs: { keys: others } }]),
      ],
    },
  ];
}

/** In Strapi, a list in a list stands beside the items. */
function listNode(block: JsonObject, depth: number): DocumentNode | undefined {
  const { format, children } = block;
  if (depth >= maxDepth || !isListFormat(format) || !Array.isArray(children) || children.length === 0) return undefined;
  const content: DocumentNode[] = [];
  for (const child of children) {
    const node = isObject(child) ? listChild(child, depth) : undefined;
    if (node === undefined) return undefined;
    content.push(node);
  }
  return { type: depth === 0 ? 'list' : 'sublist', attrs: { format, keys: without(block, 'type', 'format', 'children') }, content };
}

function listChild(child: JsonObject, depth: number): DocumentNode | undefined {
  if (child.type === 'list-item') return textBlock(child, 'listItem', 'type', 'children');
  return child.type === 'list' ? listNode(child, depth + 1) : undefined;
}

function imageNode(block: JsonObject): DocumentNode | undefined {
  const { image, children } = block;
  if (!isObject(image) || typeof image.url !== 'string' || !Array.isArray(children)) return undefined;
  return { type: 'image', attrs: { image, children, keys: without(block, 'type', 'image', 'children') } };
}

const isArrayOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(isItem);
