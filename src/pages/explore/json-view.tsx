/** JSON with colours and folding. Of a long response, the first lines are shown. */
import { useMemo, useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { type JsonLine, jsonLines } from './json-lines.ts';
import type { Result } from './state.ts';

/** Lines that are shown at first, and with each further step. */
const step = 400;
/** Beyond this many lines, all of them are shown as plain text, which browsers can display. */
const maxElements = 5000;
/** Characters of a body that is no JSON. */
const maxPlain = 20_000;

export function JsonView({ result: { json, text } }: { readonly result: Result }) {
  const lines = useMemo(() => (json === undefined ? [] : jsonLines(json)), [json]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(step);
  if (json === undefined) return <pre class="json">{text === '' ? 'No body.' : text.slice(0, maxPlain)}</pre>;
  const toggle = (index: number) => {
    const next = new Set(folded);
    if (!next.delete(index)) next.add(index);
    setFolded(next);
  };
  const visible: number[] = [];
  let index = 0;
  while (index < lines.length && visible.length < shown) {
    visible.push(index);
    index = folded.has(index) ? (lines[index]?.end ?? index) + 1 : index + 1;
  }
  const rest = lines.length - index;
  const isPlain = shown > maxElements;
  return (
    <>
      <div class="row json-tools">
        <CopyButton label="Copy the JSON" text={() => text} />
        <button type="button" onClick={() => setFolded(new Set(topLevel(lines)))}>
          Fold entries
        </button>
        <button type="button" onClick={() => setFolded(new Set())} disabled={folded.size === 0}>
          Unfold
        </button>
      </div>
      {isPlain ? (
        <pre class="json">{JSON.stringify(json, null, 2)}</pre>
      ) : (
        <div class="json">
          {visible.map((at) => {
            const line = lines[at];
            return line === undefined ? null : <Line key={at} line={line} isFolded={folded.has(at)} onToggle={() => toggle(at)} />;
          })}
        </div>
      )}
      {rest > 0 && !isPlain && (
        <div class="row">
          <button type="button" onClick={() => setShown(shown + step)}>
            Show {Math.min(step, rest)} more lines
          </button>
          <button type="button" onClick={() => setShown(Number.POSITIVE_INFINITY)}>
            Show all ({lines.length} lines)
          </button>
        </div>
      )}
    </>
  );
}

/** The lines that open the entries of `data`, or the values of one document. */
const topLevel = (lines: readonly JsonLine[]): number[] =>
  lines.flatMap(({ kind, depth }, index) => (kind === 'open' && depth === 2 ? [index] : []));

/** Levels beyond this one are not indented further. */
const deepest = 24;

function Line({ line, isFolded, onToggle }: { readonly line: JsonLine; readonly isFolded: boolean; readonly onToggle: () => void }) {
  const { depth, key, kind, text, inside, comma } = line;
  const name = key === undefined ? null : <span class="json-key">{JSON.stringify(key)}: </span>;
  return (
    <div class="line" style={{ paddingInlineStart: `${Math.min(depth, deepest) * 1.1 + 1.4}em` }}>
      {kind === 'open' && (
        <button
          type="button"
          class="fold"
          aria-expanded={!isFolded}
          aria-label={`${key ?? (text === '[' ? 'list' : 'object')}, ${inside}`}
          onClick={onToggle}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      )}
      {name}
      {kind === 'open' && isFolded ? (
        <>
          {text}
          <span class="soft"> {inside} </span>
          {text === '[' ? ']' : '}'}
        </>
      ) : (
        <span class={`json-${kind}`}>{text}</span>
      )}
      {comma && ','}
    </div>
  );
}
