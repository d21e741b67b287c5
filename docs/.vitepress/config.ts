/** `npm run docs` and `npm run docs:build`: the Markdown pages as a site. Nothing in the pages is written for it; they stay readable on a Git host. */
import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf, divisions, indexPage, root, sitePath } from './pages.ts';
import { linksOf } from './site-links.ts';

const sections = divisions();
const files = [indexPage, ...sections.flatMap(({ pages }) => pages.map(({ file }) => file))];

export default defineConfig({
  title: 'Lectern',
  description: "A content REST API in Strapi 5's dialect, on Strapi 5's tables",
  lang: 'en',
  // Without one, browsers ask for /favicon.ico.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Some pages stand in the root of the repository, beside README.md.
  srcDir: root,
  srcExclude: ['.', 'docs', 'client'].flatMap(unlisted),
  rewrites: (file) => (files.includes(file) ? `${sitePath(file)}.md` : file),
  cacheDir: join(root, 'node_modules/.cache/vitepress'),
  markdown: {
    // URLs in the text are examples.
    linkify: false,
    anchor: { slugify: anchorOf },
    config: (markdown) => {
      markdown.core.ruler.push('links-of-the-site', linksOf(files));
    },
  },
  themeConfig: {
    nav: [],
    sidebar: sections.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.title, link: `/${sitePath(page.file)}` })),
    })),
    outline: { level: [2, 3] },
    // Its index is a file of the site: nothing is sent to anybody.
    search: { provider: 'local' },
  },
});

/** Patterns for what a folder has besides the pages of the site. */
function unlisted(folder: string): string[] {
  const names = readdirSync(join(root, folder)).map((name) => posix.join(folder, name));
  return names.filter((name) => !files.some((file) => `${file}/`.startsWith(`${name}/`))).flatMap((name) => [name, `${name}/**`]);
}
