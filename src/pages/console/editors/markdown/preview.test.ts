/** What Markdown becomes. Elements are looked at as Preact has them, so there is no HTML to escape. */
import { markdownLanguage } from '@codemirror/lang-markdown';
import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { isOwnPicture } from '../shared/safe-url.ts';
import { previewOf } from './preview.tsx';

const page = 'https://site.example/console';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** All elements, in their order, and texts. */
function drawn(text: string): { readonly elements: readonly Element[]; readonly text: string } {
  const elements: Element[] = [];
  let written = '';
  const walk = (node: ComponentChildren): void => {
    if (Array.isArray(node)) for (const each of node) walk(each);
    else if (typeof node === 'string' || typeof node === 'number') written += node;
    else if (isValidElement(node)) draw(node as VNode<Record<string, unknown>>);
  };
  const draw = ({ type, props }: VNode<Record<string, unknown>>): void => {
    const { children, ...attributes } = props;
    if (typeof type === 'function') {
      walk((type as (props: unknown) => ComponentChildren)(props));
      return;
    }
    elements.push({ tag: type, attributes });
    walk(children as ComponentChildren);
  };
  walk(previewOf(markdownLanguage.parser.parse(text), text, (url) => isOwnPicture(url, page, ['https://files.example'])));
  return { elements, text: written };
}

const tags = (text: string): string =>
  drawn(text)
    .elements.map(({ tag }) => tag)
    .join(' ');

describe('what is shown', () => {
  it.each([
    ['# a\n\nb *c* **d** ~~e~~ `f`', 'h1 p em strong del code'],
    ['- a\n- [x] b\n\n1. c', 'ul li li ol li'],
    ['- a\n\n  b\n- c', 'ul li p p li p'],
    ['&amp; &copy; &nope;', 'p'],
    ['> a\n\n---\n\n```js\nx\n```', 'blockquote p hr pre code'],
    ['| a | b |\n| - | - |\n| 1 | 2 |', 'div table tbody tr td td tr td td'],
    ['[a](https://b.c) [d][e] https://f.g\n\n[e]: /h', 'p a a a'],
    ['![a](/b.png) ![c](https://files.example/d.png)', 'p img img'],
    ['a\\\nb  \nc', 'p br br'],
    ['title\n=====\n\n    code\n\n<div>x</div>', 'h1 pre code pre'],
    ['| a | b | c |\n| - | - | - |\n| 1 |  | 3 |', 'div table tbody tr td td td tr td td td'],
    ['[not a link] and [x][nothing]', 'p'],
  ])('%j', (text, expected) => expect(tags(text)).toBe(expected));
});

describe('what cannot do harm', () => {
  const allowed = new Set(['href', 'src', 'alt', 'title', 'class', 'dir', 'start', 'loading', 'target', 'rel']);
  const payloads = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <svg onload=alert(1)> b',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](<java\tscript:alert(1)>)',
    '[x](&#106;avascript:alert(1))',
    '[x](&#x6A;avascript&colon;alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](vbscript:msgbox(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](blob:https://site.example/1)',
    '[x](file:///etc/passwd)',
    '<javascript:alert(1)>',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '[__proto__]\n\n[__proto__]: javascript:alert(1)',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '![x][y]\n\n[y]: data:image/svg+xml,1',
    '![x](https://elsewhere.example/pixel.gif)',
    '![x](//elsewhere.example/pixel.gif)',
    '![x](\\\\elsewhere.example/pixel.gif)',
    '![x" onerror="alert(1)](/a.png)',
    '[x](https://a.b" onclick="alert(1))',
    '[x](https://a.b "t\\" onmouseover=\\"alert(1)")',
    '`<script>`\n\n```html\n<script>alert(1)</script>\n```',
    '# <b onclick=alert(1)>x</b>',
    '| <img src=x onerror=alert(1)> |\n| - |\n| [x](javascript:1) |',
    '[^x]: <script>alert(1)</script>\n\na[^x]',
    '<style>*{display:none}</style>',
    '<form action=https://evil.example><input></form>',
    '<!-- --><base href=https://evil.example>',
  ];
  it.each(payloads)('%s', (text) => {
    for (const { tag, attributes } of drawn(text).elements) {
      expect(['script', 'svg', 'iframe', 'style', 'form', 'input', 'base', 'object', 'embed']).not.toContain(tag);
      expect(Object.keys(attributes).filter((name) => !allowed.has(name))).toEqual([]);
      if (attributes.href !== undefined) expect(new URL(String(attributes.href), page).protocol).toMatch(/^(?:https?|mailto|tel):$/);
      if (attributes.src !== undefined)
        expect(['https://site.example', 'https://files.example']).toContain(new URL(String(attributes.src), page).origin);
    }
  });
  it.each([
    ['a <b>c</b>', 'a <b>c</b>'],
    ['&amp;&lt; &copy; &#65; \\* &nope; &#0;', '&< © A * &nope; \ufffd'],
    ['[a *b*](/x) [c] **d**', 'a b [c] d'],
    ['> a\n> b', 'a\n b'],
    ['- ```\n  x\n    y\n  ```', 'x\n  y'],
    ['- [x] done\n- [ ] not', '☑ done☐ not'],
    ['## a ##', ' a '],
  ])('the text of %j', (text, expected) => expect(drawn(text).text).toBe(expected));
  it('HTML is text', () => expect(drawn('a <b>c</b>').text).toBe('a <b>c</b>'));
  it.each(['>'.repeat(5000), '- '.repeat(2000), `${'['.repeat(5000)}a`, '*a '.repeat(5000), '<'.repeat(20_000), '![['.repeat(5000)])(
    'text made to be slow: %.6s',
    (text) => {
      const start = performance.now();
      drawn(text);
      expect(performance.now() - start).toBeLessThan(5000);
    },
  );
});
