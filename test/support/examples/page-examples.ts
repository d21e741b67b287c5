/** The examples of a Markdown page: its code blocks, and what its text names in `code`. */

export interface Block {
  readonly kind: 'block';
  /** As after the fence; an empty text without one. */
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** True for the commands of a comment. */
  readonly hidden: boolean;
  /** The reason of a comment before it, `<!-- not run: … -->`. */
  readonly notRun?: string;
}

/** Code within the text. */
export interface Span {
  readonly kind: 'span';
  readonly text: string;
  /** True if its line names the status 400. */
  readonly refused: boolean;
  readonly line: number;
}

/** `<!-- run: … -->`, also over several lines: commands that prepare what follows, for tests alone. */
const commands = /^ *<!-- run:(.*?)-->/s;
const marker = /^\s*<!-- not run: (.*?) -->$/;

export function examplesOf(page: string): readonly (Block | Span)[] {
  const found: (Block | Span)[] = [];
  const lines = page.split('\n');
  /** The reason in the comment above; it holds until the first paragraph, list, table or block below the comment has ended. */
  let notRun: string | undefined;
  let comment = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^( *)(`{3,})(.*)$/.exec(line);
    if (fence !== null) {
      const [, indent = '', ticks = '', language = ''] = fence;
      const end = lines.findIndex((each, index) => index > at && each === indent + ticks);
      if (end === -1) throw new Error(`line ${at + 1}: the block has no end`);
      const text = lines.slice(at + 1, end).map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each));
      found.push({
        kind: 'block',
        language: language.trim(),
        text: `${text.join('\n')}\n`,
        line: at + 1,
        hidden: false,
        ...(notRun === undefined ? {} : { notRun }),
      });
      notRun = undefined;
      at = end;
      continue;
    }
    const hidden = commands.exec(lines.slice(at).join('\n'))?.[1];
    if (hidden !== undefined) {
      found.push({ kind: 'block', language: 'sh', text: `${hidden.trim()}\n`, line: at + 1, hidden: true });
      at += hidden.split('\n').length - 1;
      continue;
    }
    const reason = marker.exec(line)?.[1];
    if (reason !== undefined) {
      notRun = reason;
      comment = true;
      continue;
    }
    if (line.trim() === '') {
      // Blank lines may stand between the comment and its block.
      if (!comment) notRun = undefined;
      continue;
    }
    comment = false;
    if (notRun !== undefined) continue;
    for (const [, ticks = '', text = ''] of line.matchAll(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g))
      if (ticks !== '') found.push({ kind: 'span', text: text.trim(), refused: /\b400\b/.test(line), line: at + 1 });
  }
  return found;
}

/** All reasons of a page's comments, also of those before a paragraph. */
export const reasonsOf = (page: string): readonly string[] => page.split('\n').flatMap((line) => marker.exec(line)?.[1] ?? []);
