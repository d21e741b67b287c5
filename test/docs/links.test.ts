/** The links between the Markdown pages, and the place of each page in the documentation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf, divisions, root } from '../../docs/.vitepress/pages.ts';

const inDocs = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
/** Pages that stand beside the code, which ARCHITECTURE.md links to. */
const besideCode = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => posix.basename(file) === 'README.md',
);
const beside = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'client/README.md',
  'build/README.md',
  ...besideCode.map((file) => `src/${file}`),
];
const pages = [...inDocs, ...beside.filter((file) => existsSync(join(root, file)))];

/** What the npm package has besides package.json. */
const { files }: { files: readonly string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packed: ReadonlySet<string> = new Set([...files, 'README.md', 'LICENSE']);

/** A page without its code, where brackets are no links. */
const textOf = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^( *)(```+)[^\n]*\n.*?^\1\2$/gms, '')
    .replaceAll(/<!--.*?-->/gs, '');

/** The anchors of a page's headings: their texts without markup, numbered where two are alike. */
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of textOf(file).matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, ''));
    let number = 0;
    while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number += 1;
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`);
  }
  return anchors;
}

/** The links of a page that lead to files of the repository or to headings, with what is wrong with them. */
function deadLinks(file: string): readonly string[] {
  const text = textOf(file).replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|<(?:img|a|source)\b[^>]*?(?:src|href|srcset)="([^"]+)"/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  return targets.flatMap((target) => {
    if (/^[a-z]+:/i.test(target)) return [];
    const [path = '', anchor] = decodeURI(target).split('#');
    const linked = path === '' ? file : posix.join(posix.dirname(file), path);
    if (file.startsWith('docs/') && !packed.has(linked.split('/')[0] ?? '')) return [`${target}: not in the npm package`];
    if (linked.startsWith('..') || !existsSync(join(root, linked))) return [`${target}: no such file`];
    if (anchor !== undefined && !anchorsOf(linked).has(anchor)) return [`${target}: no such heading`];
    return [];
  });
}

describe('links', () => {
  it.each(pages)('%s has no dead links', (file) => expect(deadLinks(file)).toEqual([]));
});

describe('docs/index.md', () => {
  const placed = divisions().flatMap(({ pages: listed }) => listed.map(({ file }) => file));

  it('divides the pages by their purpose', () => {
    const titles = divisions().map(({ title }) => title);
    expect(titles).toEqual(['Tutorial', 'How-to guides', 'Reference', 'Explanation']);
  });

  it('places each page of docs/ once', () => {
    expect(placed.filter((file) => file.startsWith('docs/')).sort()).toEqual(inDocs.filter((file) => file !== 'docs/index.md').sort());
    expect(new Set(placed).size).toBe(placed.length);
  });
});
