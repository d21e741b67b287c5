/** A JSON value as lines that can be folded. */

export interface JsonLine {
  readonly depth: number;
  /** The key of the value in its object; undefined in a list. */
  readonly key: string | undefined;
  /** `{`, `[`, `}`, `]`, or a value without parts. */
  readonly kind: 'open' | 'close' | 'string' | 'number' | 'boolean' | 'null' | 'empty';
  readonly text: string;
  /** The index of the line that closes this one; for `open`. */
  readonly end: number;
  /** What is inside, in words: for `open`. */
  readonly inside: string;
  readonly comma: boolean;
}

/** Characters of one text that are shown. */
const maxTextLength = 2000;

export function jsonLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (current: unknown, key: string | undefined, depth: number, comma: boolean): void => {
    if (typeof current !== 'object' || current === null) {
      lines.push({ depth, key, ...leaf(current), end: -1, inside: '', comma });
      return;
    }
    const isList = Array.isArray(current);
    const entries: (readonly [string | undefined, unknown])[] = isList
      ? current.map((each) => [undefined, each] as const)
      : Object.entries(current);
    if (entries.length === 0) {
      lines.push({ depth, key, kind: 'empty', text: isList ? '[]' : '{}', end: -1, inside: '', comma });
      return;
    }
    const start = lines.length;
    const inside = `${entries.length} ${isList ? (entries.length === 1 ? 'entry' : 'entries') : entries.length === 1 ? 'key' : 'keys'}`;
    lines.push({ depth, key, kind: 'open', text: isList ? '[' : '{', end: -1, inside, comma: false });
    for (const [index, [name, each]] of entries.entries()) add(each, name, depth + 1, index < entries.length - 1);
    lines.push({ depth, key: undefined, kind: 'close', text: isList ? ']' : '}', end: -1, inside: '', comma });
    const opened = lines[start];
    if (opened !== undefined) lines[start] = { ...opened, end: lines.length - 1 };
  };
  add(value, undefined, 0, false);
  return lines;
}

function leaf(value: unknown): Pick<JsonLine, 'kind' | 'text'> {
  if (value === null || value === undefined) return { kind: 'null', text: 'null' };
  if (typeof value === 'string') {
    const hidden = value.length - maxTextLength;
    const shown = JSON.stringify(hidden > 0 ? value.slice(0, maxTextLength) : value);
    return { kind: 'string', text: hidden > 0 ? `${shown} … ${hidden} more characters` : shown };
  }
  return { kind: typeof value === 'number' ? 'number' : 'boolean', text: String(value) };
}
