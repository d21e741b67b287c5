/** Blocks that are files of hooks and endpoints, whose first line has their path: those of the page's project, which are there before
 *  its server starts, and those of the example projects, which the page repeats. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../packed.ts';
import type { Block } from './page-examples.ts';

const named = /^\/\/ ((?:lectern|examples)\/\S+\.ts)\n(.*)$/s;

export const isCodeFile = ({ language, text }: Block): boolean => language === 'ts' && named.test(text);

export function writeCodeFiles(blocks: readonly Block[], folder: string): void {
  for (const block of blocks.filter(isCodeFile)) {
    const [, path = '', text = ''] = named.exec(block.text) ?? [];
    if (path.startsWith('examples/')) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What is wrong with a block that repeats a file of the repository, without its comment at the top. */
export function repeatedMistakes({ text }: Block): readonly string[] {
  const [, path = '', shown = ''] = named.exec(text) ?? [];
  if (!path.startsWith('examples/')) return [];
  if (!existsSync(join(root, path))) return [`there is no file ${path}`];
  const there = readFileSync(join(root, path), 'utf8').replace(/^\/\*\*.*?\*\/\n/s, '');
  return there === shown ? [] : [`the file is another one:\n${there}`];
}
