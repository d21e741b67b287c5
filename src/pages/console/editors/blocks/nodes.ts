/** The nodes of the editor's document. Those that are Strapi's have their other keys in the
 *  attribute `keys`; `keptBlock` and `keptInline` are nodes that the editor does not know. */
import { Node } from '@tiptap/core';
import { isObject } from '../../../../text/json.ts';
import { isPictureUrl } from '../shared/safe-url.ts';
import { keptName } from './kept-name.ts';

const keys = { keys: { default: {}, rendered: false } };
/** Texts may contain line breaks, which browsers would else collapse. */
const whitespace = 'pre';

const document = Node.create({ name: 'doc', topNode: true, content: 'block+' });
const text = Node.create({ name: 'text', group: 'inline' });

const hasBlocks = (element: HTMLElement): boolean =>
  element.querySelector('p, div, h1, h2, h3, h4, h5, h6, ul, ol, pre, table, blockquote') !== null;

const paragraph = Node.create({
  name: 'paragraph',
  // The block that is made where one is needed.
  priority: 1000,
  group: 'block',
  content: 'inline*',
  whitespace,
  addAttributes: () => keys,
  // A table becomes a paragraph for each cell.
  parseHTML: () => [{ tag: 'p' }, { tag: 'td, th', getAttrs: (element) => (hasBlocks(element) ? false : null) }],
  renderHTML: () => ['p', { dir: 'auto' }, 0],
});

const heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  whitespace,
  defining: true,
  addAttributes: () => ({ ...keys, level: { default: 1, rendered: false } }),
  parseHTML: () => [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
  renderHTML: ({ node }) => [`h${node.attrs.level}`, { dir: 'auto' }, 0],
});

const quote = Node.create({
  name: 'quote',
  group: 'block',
  content: 'inline*',
  whitespace,
  defining: true,
  addAttributes: () => keys,
  // A quote of several paragraphs becomes several quotes.
  parseHTML: () => [
    { tag: 'blockquote p', priority: 60 },
    { tag: 'blockquote', getAttrs: (element) => (hasBlocks(element) ? false : null) },
  ],
  renderHTML: () => ['blockquote', { dir: 'auto' }, 0],
});

const codeBlock = Node.create({
  name: 'codeBlock',
  group: 'block',
  content: 'inline*',
  marks: 'bold italic underline strikethrough code otherKeys',
  code: true,
  defining: true,
  addAttributes: () => keys,
  parseHTML: () => [
    {
      tag: 'pre',
      preserveWhitespace: 'full',
      getAttrs: (element) => {
        const language = /\blang(?:uage)?-([\w+#-]+)/.exec(`${element.className} ${element.querySelector('code')?.className ?? ''}`)?.[1];
        return language === undefined ? null : { keys: { language } };
      },
    },
  ],
  renderHTML: ({ node }) => {
    const { language } = node.attrs.keys;
    return ['pre', { dir: 'ltr', ...(typeof language === 'string' ? { 'data-language': language } : {}) }, ['code', 0]];
  },
});

const listAttributes = () => ({ ...keys, format: { default: 'unordered', rendered: false } });
const listContent = '(listItem | sublist)+';
const listTag = (format: unknown): 'ol' | 'ul' => (format === 'ordered' ? 'ol' : 'ul');

const list = Node.create({
  name: 'list',
  group: 'block',
  content: listContent,
  addAttributes: listAttributes,
  parseHTML: () => [
    { tag: 'ul', attrs: { format: 'unordered' } },
    { tag: 'ol', attrs: { format: 'ordered' } },
  ],
  renderHTML: ({ node }) => [listTag(node.attrs.format), 0],
});

/** A list in a list, which stands beside the items. HTML wants it in an item of its own. */
const sublist = Node.create({
  name: 'sublist',
  content: listContent,
  addAttributes: listAttributes,
  parseHTML: () => [
    { tag: 'li.nested', skip: true as const, priority: 70 },
    { tag: ':is(ul, ol) ul', attrs: { format: 'unordered' }, priority: 60 },
    { tag: ':is(ul, ol) ol', attrs: { format: 'ordered' }, priority: 60 },
  ],
  renderHTML: ({ node }) => ['li', { class: 'nested' }, [listTag(node.attrs.format), 0]],
});

const listItem = Node.create({
  name: 'listItem',
  content: 'inline*',
  whitespace,
  defining: true,
  addAttributes: () => keys,
  parseHTML: () => [
    { tag: 'li' },
    // Items of Word are paragraphs, which begin with their bullet.
    { tag: 'p[class^="MsoListParagraph"]', priority: 60 },
    { tag: 'span[data-style*="mso-list"]', ignore: true, priority: 60 },
    { tag: 'li :is(p, div)', skip: true as const, priority: 60 },
  ],
  renderHTML: () => ['li', { dir: 'auto' }, 0],
});

/** Made by the button alone: an image of the media library, with its file. */
const image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    ...keys,
    image: { default: {}, rendered: false },
    children: { default: [{ type: 'text', text: '' }], rendered: false },
  }),
  renderHTML: ({ node }) => {
    const { url, alternativeText, caption, name, width, height } = node.attrs.image;
    const source = pictureUrl(node.attrs.image) ?? url;
    const size = typeof width === 'number' && typeof height === 'number' ? { width: String(width), height: String(height) } : {};
    const alternative = typeof alternativeText === 'string' ? alternativeText : '';
    const below = typeof caption === 'string' && caption !== '' ? caption : String(name ?? '');
    return [
      'figure',
      ['img', { alt: alternative, draggable: 'false', loading: 'lazy', ...size, ...(isPictureUrl(source) ? { src: source } : {}) }],
      ['figcaption', { dir: 'auto' }, below],
    ];
  },
});

/** The URL of a format that is large enough for the editor. */
function pictureUrl({ formats }: { readonly formats?: unknown }): string | undefined {
  if (!isObject(formats)) return undefined;
  const found = [formats.medium, formats.large].find((format) => isObject(format) && typeof format.url === 'string');
  return isObject(found) ? String(found.url) : undefined;
}

interface KeptOptions {
  /** What is shown instead of a node of this type. */
  readonly describe: (type: string) => string;
}

const keptBlock = Node.create<KeptOptions>({
  name: 'keptBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addOptions: () => ({ describe: (type) => type }),
  addAttributes: () => ({ value: { default: null, rendered: false } }),
  renderHTML({ node }) {
    return ['div', { class: 'blocks-kept' }, this.options.describe(keptName(node.attrs.value))];
  },
});

const keptInline = Node.create<KeptOptions>({
  name: 'keptInline',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addOptions: () => ({ describe: (type) => type }),
  addAttributes: () => ({ value: { default: null, rendered: false } }),
  renderHTML({ node }) {
    return ['span', { class: 'blocks-kept' }, this.options.describe(keptName(node.attrs.value))];
  },
});

interface NodeWords {
  readonly keptBlock: KeptOptions['describe'];
  readonly keptInline: KeptOptions['describe'];
}

export const nodesIn = (words: NodeWords) => [
  document,
  text,
  paragraph,
  heading,
  quote,
  codeBlock,
  list,
  sublist,
  listItem,
  image,
  keptBlock.configure({ describe: words.keptBlock }),
  keptInline.configure({ describe: words.keptInline }),
];
