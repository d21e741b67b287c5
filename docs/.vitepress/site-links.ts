import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { root, sitePath } from './pages.ts';

type CoreRule = Parameters<MarkdownRenderer['core']['ruler']['push']>[1];
type Token = Parameters<CoreRule>[0]['tokens'][number];

/** Links between files become links between pages. A link to a file without a page keeps its text alone. `pages` are from the root. */
export function linksOf(pages: readonly string[]): CoreRule {
  return ({ tokens, env }) => {
    const folder = posix.dirname(posix.relative(root, env.realPath ?? env.path));
    for (const { children } of tokens) {
      let removed = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') removed = !becomesPage(token, folder, pages);
        if (removed && (token.type === 'link_open' || token.type === 'link_close')) hide(token);
      }
    }
  };
}

/** Sets the page of a link to a file. False if the file has none. */
function becomesPage(link: Token, folder: string, pages: readonly string[]): boolean {
  const [path = '', anchor] = (link.attrGet('href') ?? '').split('#');
  if (path === '' || /^[a-z]+:/i.test(path)) return true;
  const file = posix.join(folder, decodeURI(path));
  link.attrSet('href', `/${sitePath(file)}.md${anchor === undefined ? '' : `#${anchor}`}`);
  return pages.includes(file);
}

function hide(token: Token): void {
  token.type = 'text';
  token.content = '';
}
