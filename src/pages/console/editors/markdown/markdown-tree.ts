/** What the syntax tree of Markdown says, which has positions only. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { decoded } from './inline-text.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface LinkParts {
  /** Between the brackets. */
  readonly shown: Range;
  readonly url: Range | undefined;
  readonly label: Range | undefined;
}

/** Of a link or an image. */
export function linkParts(node: SyntaxNode): LinkParts | undefined {
  const opening = node.firstChild;
  const closing = opening === null ? undefined : nextNamed(opening, 'LinkMark');
  if (opening === null || closing === undefined) return undefined;
  const behind = (name: string) => nextNamed(closing, name);
  return { shown: { from: opening.to, to: closing.from }, url: behind('URL'), label: behind('LinkLabel') };
}

function nextNamed(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let next = node.nextSibling; next !== null; next = next.nextSibling) if (next.name === name) return next;
  return undefined;
}

const normalName = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** The name of the definition that a link without a URL refers to. */
export function nameOfLink(parts: LinkParts, text: string): string {
  const label = parts.label === undefined ? '' : text.slice(parts.label.from + 1, parts.label.to - 1);
  return normalName(label.trim() === '' ? text.slice(parts.shown.from, parts.shown.to) : label);
}

/** The URLs of definitions, `[name]: URL`, by their names. The first one of a name counts. */
export function linkTargets(tree: Tree, text: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  tree.iterate({
    enter: ({ name, node }) => {
      if (name !== 'LinkReference') return;
      const label = node.getChild('LinkLabel');
      const url = node.getChild('URL');
      if (label === null || url === null) return;
      const key = normalName(text.slice(label.from + 1, label.to - 1));
      if (!targets.has(key)) targets.set(key, decoded(text.slice(url.from, url.to).replace(/^<([\s\S]*)>$/, '$1')));
    },
  });
  return targets;
}

/** Whether there is no empty line between the items of a list, or inside of one. */
export function isTight(list: SyntaxNode, text: string): boolean {
  const hasGap = (left: SyntaxNode, right: SyntaxNode) => /\n[ \t>]*\n/.test(text.slice(left.to, right.from));
  for (let item = list.firstChild; item !== null; item = item.nextSibling) {
    const { nextSibling } = item;
    if (nextSibling !== null && hasGap(item, nextSibling)) return false;
    for (let child = item.firstChild; child?.nextSibling != null; child = child.nextSibling)
      if (hasGap(child, child.nextSibling)) return false;
  }
  return true;
}

/** Undefined for an empty cell, which has no node. */
export function tableCells(row: SyntaxNode): (SyntaxNode | undefined)[] {
  const cells: (SyntaxNode | undefined)[] = [];
  let isAfterDelimiter = false;
  for (let child = row.firstChild; child !== null; child = child.nextSibling) {
    const isDelimiter = child.name === 'TableDelimiter';
    if (!isDelimiter) cells.push(child);
    else if (isAfterDelimiter) cells.push(undefined);
    isAfterDelimiter = isDelimiter;
  }
  return cells;
}

/** Without the marks of formats, for what has no elements. */
export const plainText = (text: string): string => text.replaceAll(/[*_`~]+(?=\S)|(?<=\S)[*_`~]+/g, '');
