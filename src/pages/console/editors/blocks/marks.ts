/** The marks of the editor's document: the formats of texts, links, and keys that it does not know. */
import { Mark, markInputRule, mergeAttributes } from '@tiptap/core';
import { isLinkUrl } from '../shared/links.ts';
import type { TextMark } from './block.ts';

interface Format {
  /** The first one is what the format is shown as. */
  readonly tags: readonly [string, ...string[]];
  /** Of pasted HTML: what its style says (`clipboard.ts`). */
  readonly style?: RegExp;
  readonly shortcut: string;
  /** Markdown of the format, as it is typed. */
  readonly typed?: RegExp;
}

const formats: Readonly<Record<TextMark, Format>> = {
  bold: {
    tags: ['strong', 'b'],
    style: /font-weight:\s*(?:bold|[6-9]00)/i,
    shortcut: 'Mod-b',
    typed: /(?:^|\s)(\*\*(?!\s+\*\*)([^*]+)\*\*(?!\s+\*\*))$/,
  },
  italic: {
    tags: ['em', 'i'],
    style: /font-style:\s*italic/i,
    shortcut: 'Mod-i',
    typed: /(?:^|\s)(_(?!\s+_)([^_]+)_(?!\s+_))$/,
  },
  underline: { tags: ['u'], style: /text-decoration[\w-]*:[^;]*underline/i, shortcut: 'Mod-u' },
  strikethrough: {
    tags: ['s', 'del', 'strike'],
    style: /text-decoration[\w-]*:[^;]*line-through/i,
    shortcut: 'Mod-Shift-s',
    typed: /(?:^|\s)(~~(?!\s+~~)([^~]+)~~(?!\s+~~))$/,
  },
  code: { tags: ['code'], shortcut: 'Mod-e', typed: /(?:^|\s)(`(?!\s+`)([^`]+)`(?!\s+`))$/ },
};

export const formatShortcuts: Readonly<Record<TextMark, string>> = {
  bold: formats.bold.shortcut,
  italic: formats.italic.shortcut,
  underline: formats.underline.shortcut,
  strikethrough: formats.strikethrough.shortcut,
  code: formats.code.shortcut,
};

const formatMarks = Object.entries(formats).map(([name, { tags, style, shortcut, typed }]) =>
  Mark.create({
    name,
    inclusive: name !== 'code',
    parseHTML: () => [
      ...tags.map((tag) => ({ tag, getAttrs: isFormat })),
      // Others may follow: an element may have several styles.
      ...(style === undefined ? [] : [{ tag: '[data-style]', consuming: false, getAttrs: hasStyle(style) }]),
    ],
    renderHTML: ({ HTMLAttributes }) => [tags[0], HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return { [shortcut]: () => this.editor.commands.toggleMark(this.name) };
    },
    addInputRules() {
      return typed === undefined ? [] : [markInputRule({ find: typed, type: this.type })];
    },
  }),
);

/** Google Docs wraps what it copies into a `b` that is not bold; code blocks are `code` in `pre`. */
const isFormat = ({ dataset, parentElement }: HTMLElement): false | null =>
  /font-weight:\s*normal/i.test(dataset.style ?? '') || parentElement?.tagName === 'PRE' ? false : null;

const hasStyle =
  (style: RegExp) =>
  (element: HTMLElement): false | null =>
    style.test(element.dataset.style ?? '') ? null : false;

const link = Mark.create({
  name: 'link',
  // Outside of all others, as blocks have texts in links.
  priority: 1000,
  inclusive: false,
  addAttributes: () => ({ url: { default: '', rendered: false }, keys: { default: {}, rendered: false } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const url = element.getAttribute('href') ?? '';
        return isLinkUrl(url) ? { url } : false;
      },
    },
  ],
  // A stored URL may be one that runs a script.
  renderHTML: ({ mark, HTMLAttributes }) => [
    'a',
    mergeAttributes(HTMLAttributes, {
      title: mark.attrs.url,
      ...(isLinkUrl(mark.attrs.url) ? { href: mark.attrs.url, rel: 'noopener noreferrer' } : {}),
    }),
    0,
  ],
});

/** Keys of a text that the editor does not know, and formats that are false. */
const otherKeys = Mark.create({
  name: 'otherKeys',
  addAttributes: () => ({ keys: { default: {}, rendered: false } }),
  renderHTML: () => ['span', 0],
});

export const marks = [link, ...formatMarks, otherKeys];
