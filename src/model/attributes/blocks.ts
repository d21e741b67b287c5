/** blocks: the nodes of Strapi's rich text editor. A value that is not a list is stored as null, as
 *  in Strapi. Source, also of the messages: Strapi 5, `entity-validator/blocks-validator`. */
import { type AttributeType, accepted, refused } from './attribute-type.ts';
import {
  BlockPosition,
  type BlockReader,
  byType,
  checkedText,
  listOf,
  nullableNumber,
  nullableObject,
  nullableText,
  object,
  oneOfNumbers,
  oneOfTexts,
  optionalBoolean,
  requiredNumber,
  requiredText,
  toList,
} from './block-readers.ts';
import { wrongType } from './cast.ts';
import { jsonAttribute, writeBounded } from './json-value.ts';
import { nestsTooDeeply } from './lossless.ts';

const textNode = object({
  type: oneOfTexts('text'),
  text: checkedText((text) => text !== undefined, 'Text must be defined with at least an empty string'),
  bold: optionalBoolean,
  italic: optionalBoolean,
  underline: optionalBoolean,
  strikethrough: optionalBoolean,
  code: optionalBoolean,
});

const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

function isLink(text = ''): boolean {
  const url = text.startsWith('/') ? `https://strapi.io${text}` : text;
  return URL.canParse(url) && linkProtocols.has(new URL(url).protocol);
}

const linkNode = object({
  type: oneOfTexts('link'),
  url: checkedText(isLink, 'Please specify a valid link.'),
  children: listOf(textNode),
});

const inlineNode = byType({ text: textNode, link: linkNode }, 'Inline node must be Text or Link');

const paragraphNode = object({
  type: oneOfTexts('paragraph'),
  children: listOf(inlineNode, 'Paragraph node children must have at least one Text or Link node'),
});

const headingNode = object({
  type: oneOfTexts('heading'),
  level: oneOfNumbers(1, 2, 3, 4, 5, 6),
  children: listOf(inlineNode, 'Heading node children must have at least one Text or Link node'),
});

const quoteNode = object({
  type: oneOfTexts('quote'),
  children: listOf(inlineNode, 'Quote node children must have at least one Text or Link node'),
});

const codeNode = object({
  type: oneOfTexts('code'),
  language: nullableText,
  // Strapi's message says "Quote" here too.
  children: listOf(textNode, 'Quote node children must have at least one Text or Link node'),
});

const listItemNode = object({ type: oneOfTexts('list-item'), children: listOf(inlineNode) });

/** A list may contain lists. */
const nestedList: BlockReader = (value, position) => listNode(value, position);

const listNode = object({
  type: oneOfTexts('list'),
  format: oneOfTexts('ordered', 'unordered'),
  children: listOf(
    byType({ list: nestedList, 'list-item': listItemNode }, 'Inline node must be list-item or list'),
    'List node children must have at least one ListItem or ListNode',
  ),
});

const imageNode = object({
  type: oneOfTexts('image'),
  image: object({
    name: requiredText,
    alternativeText: nullableText,
    url: requiredText,
    caption: nullableText,
    // Strapi requires both, but a file may have none: an SVG, for instance.
    width: nullableNumber,
    height: nullableNumber,
    formats: nullableObject,
    hash: requiredText,
    ext: requiredText,
    mime: requiredText,
    size: requiredNumber,
    previewUrl: nullableText,
    provider: requiredText,
    createdAt: requiredText,
    updatedAt: requiredText,
  }),
  children: listOf(inlineNode),
});

const blockNodes = listOf(
  byType(
    {
      paragraph: paragraphNode,
      heading: headingNode,
      quote: quoteNode,
      list: listNode,
      image: imageNode,
      code: codeNode,
    },
    'Block node is of invalid type',
  ),
);

export const blocksAttribute: AttributeType = {
  ...jsonAttribute,
  readBody(value, { required }, { strict, exact }) {
    const list = toList(value);
    if (list === null) return (required && strict) || exact ? refused(wrongType('array', null, value)) : accepted(null);
    if (nestsTooDeeply(list)) return writeBounded(list);
    const position = new BlockPosition();
    const nodes = blockNodes(list, position);
    if (position.problems.length === 0) return writeBounded(nodes);
    return { ...refused(...position.problems), ...(position.isFull ? { unread: true } : {}) };
  },
};
