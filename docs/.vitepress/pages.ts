/** The pages of the site. docs/index.md names them, in their divisions; the sidebar is made from it, so that a Git host, the npm package and the
 *  site divide the pages alike. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export const indexPage = 'docs/index.md';

export interface Division {
  readonly title: string;
  /** Their files, from the root of the repository. */
  readonly pages: readonly { readonly title: string; readonly file: string }[];
}

/** The headings of docs/index.md with the pages listed below each. */
export function divisions(): readonly Division[] {
  const [, ...sections] = readFileSync(join(root, indexPage), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    pages: [...section.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\)/gm)].map(([, title = '', path = '']) => ({
      title,
      file: join(dirname(indexPage), path),
    })),
  }));
}

/** The path of a page on the site, without its ending: `docs/query.md` is `query`, `SECURITY.md` is `project/security`. */
export function sitePath(file: string): string {
  const path = file.replace(/\.md$/, '');
  return path.startsWith('docs/') ? path.slice('docs/'.length) : `project/${path.toLowerCase().replaceAll('/', '-')}`;
}

/** The anchor of a heading, by the rule of Git hosts, so that one link works on both. `heading` is its text without markup. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
