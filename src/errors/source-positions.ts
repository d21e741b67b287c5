/** Stack traces that name source files instead of the bundles in `dist/`. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { LRUCache } from 'lru-cache';

/** The URL, the line and the column of a call, as stack traces have them. */
const position = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
/** Positions whose source is cached: an error that repeats reads no map again. */
const cachedPositions = 1000;

/** From now on, stack traces name the sources of bundles beside `module`, a URL. Node's
 *  `--enable-source-maps` would read all maps at the start; here an error reads its own. */
export function nameSourcesInStacks(module: string): void {
  const bundles = new URL('.', module).href;
  const sources = new LRUCache<string, string>({ max: cachedPositions });
  const sourceOf = (frame: string, file: string, line: string, column: string): string => {
    if (!file.startsWith(bundles)) return frame;
    const found = sources.get(frame) ?? findSource(file, Number(line), Number(column)) ?? frame;
    sources.set(frame, found);
    return found;
  };
  Error.prepareStackTrace = (error, calls) =>
    [describe(error), ...calls.map((call) => `    at ${call}`.replace(position, sourceOf))].join('\n');
}

/** As Node prints an error whose `name` or `message` may be anything. */
function describe(error: unknown): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** A line of a source, as `src/app.ts:12`. Maps have no columns (`build/line-maps.mjs`). */
function findSource(file: string, line: number, column: number): string | undefined {
  try {
    // The map is not kept: it takes twenty times the memory of its file.
    const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
    const origin = map.findOrigin(line, column);
    return 'fileName' in origin ? `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}` : undefined;
  } catch {
    return undefined;
  }
}
