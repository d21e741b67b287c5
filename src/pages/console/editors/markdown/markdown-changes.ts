/** Changes of Markdown by buttons and shortcuts. Pure: a state in, a transaction out. */
import { type ChangeSpec, EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import { isImage, type MediaFile, nameOf } from '../../media/media-file.ts';

/** Puts markers around each selection, or around the word with the cursor; takes them away if they
 *  are there. */
export function toggleMarker(state: EditorState, marker: string): TransactionSpec {
  const { length } = marker;
  return {
    ...state.changeByRange((range) => {
      const { from, to } = range.empty ? (state.wordAt(range.from) ?? range) : range;
      const isBehind = hasMarker(state.sliceDoc(to, to + 3), marker, 'start');
      // At the end of what has been typed between markers, the cursor leaves them.
      if (range.empty && from < to && range.from === to && isBehind) return { range: EditorSelection.cursor(to + length) };
      const isAround = hasMarker(state.sliceDoc(Math.max(0, from - 3), from), marker, 'end');
      if (isAround && isBehind) {
        const changes = [
          { from: from - length, to: from },
          { from: to, to: to + length },
        ];
        return { changes, range: EditorSelection.range(range.anchor - length, range.head - length) };
      }
      const changes = [
        { from, insert: marker },
        { from: to, insert: marker },
      ];
      return { changes, range: EditorSelection.range(range.anchor + length, range.head + length) };
    }),
    scrollIntoView: true,
    userEvent: 'input',
  };
}

/** Whether a text begins or ends with a marker, and not with a longer one: `**` is no `*`. */
function hasMarker(text: string, marker: string, side: 'start' | 'end'): boolean {
  const sign = marker.charAt(0);
  const run = side === 'start' ? /^(.)\1*/.exec(text)?.[0] : /(.)\1*$/.exec(text)?.[0];
  return run?.charAt(0) === sign && (run.length === marker.length || run.length === 3);
}

const linesOf = (state: EditorState) => {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from).number;
  return Array.from({ length: state.doc.lineAt(to).number - first + 1 }, (_, index) => state.doc.line(first + index));
};

/** No heading → #, ##, ### → no heading. */
export function nextHeading(state: EditorState): TransactionSpec {
  const lines = linesOf(state);
  const now = /^(#{1,6})\s/.exec(lines[0]?.text ?? '')?.[1]?.length ?? 0;
  const prefix = now >= 3 ? '' : `${'#'.repeat(now + 1)} `;
  return inserted(
    state,
    lines.map(({ from, text }) => ({ from, to: from + (/^#{1,6}\s+/.exec(text)?.[0].length ?? 0), insert: prefix })),
  );
}

export type LineKind = 'unordered' | 'ordered' | 'quote';

const prefixes: Readonly<Record<LineKind, { readonly found: RegExp; readonly made: (index: number) => string }>> = {
  unordered: { found: /^(\s*)[-*+]\s+/, made: () => '- ' },
  ordered: { found: /^(\s*)\d+[.)]\s+/, made: (index) => `${index + 1}. ` },
  quote: { found: /^(\s*)>\s?/, made: () => '> ' },
};

/** Makes a list or a quote of the selected lines, or plain lines of them. */
export function toggleLines(state: EditorState, kind: LineKind): TransactionSpec {
  const { found, made } = prefixes[kind];
  const lines = linesOf(state);
  const filled = lines.length > 1 ? lines.filter(({ text }) => text.trim() !== '') : lines;
  const isOn = filled.length > 0 && filled.every(({ text }) => found.test(text));
  const changes = filled.map(({ from, text }, index) => {
    const own = found.exec(text);
    const indent = (own?.[1] ?? /^\s*/.exec(text)?.[0] ?? '').length;
    // A list of another kind changes its kind.
    const other = kind === 'quote' ? null : (prefixes.unordered.found.exec(text) ?? prefixes.ordered.found.exec(text));
    const end = Math.max(own?.[0].length ?? indent, other?.[0].length ?? indent);
    return { from: from + indent, to: from + end, insert: isOn ? '' : made(index) };
  });
  return inserted(state, changes);
}

/** A cursor at the start of its line ends up behind what is inserted there. */
function inserted(state: EditorState, specs: readonly ChangeSpec[]): TransactionSpec {
  const changes = state.changes([...specs]);
  const { anchor, head } = state.selection.main;
  const selection = EditorSelection.single(changes.mapPos(anchor, 1), changes.mapPos(head, 1));
  return { changes, selection, scrollIntoView: true, userEvent: 'input' };
}

const escapedText = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&').replaceAll(/\s+/g, ' ');
/** Characters that would end the URL, or could change what it is. */
const escapedUrl = (url: string): string =>
  url.replaceAll(/[\s<>()\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** Makes a link of the selection, or inserts one with `text`. */
export function insertLink(state: EditorState, url: string, text = ''): TransactionSpec {
  const { from, to, empty } = state.selection.main;
  const shown = empty ? escapedText(text === '' ? url : text) : state.sliceDoc(from, to);
  return replaced(state, from, to, `[${shown}](${escapedUrl(url)})`);
}

/** An image, or a link to another file. */
export function insertFile(state: EditorState, file: MediaFile): TransactionSpec {
  const { from, to } = state.selection.main;
  const alternative = file.alternativeText ?? '';
  const text = isImage(file)
    ? `![${escapedText(alternative === '' ? nameOf(file) : alternative)}](${escapedUrl(file.url ?? '')})`
    : `[${escapedText(nameOf(file))}](${escapedUrl(file.url ?? '')})`;
  return replaced(state, from, to, text);
}

function replaced(state: EditorState, from: number, to: number, insert: string): TransactionSpec {
  return {
    changes: { from, to, insert },
    selection: { anchor: from + state.toText(insert).length },
    scrollIntoView: true,
    userEvent: 'input',
  };
}

/** CodeMirror has `\n` between lines. A text that had `\r\n` only gets it again. */
export const withBreaksOf = (text: string, before: string): string =>
  /\r\n/.test(before) && !/(?:^|[^\r])\n/.test(before) ? text.replaceAll('\n', '\r\n') : text;
