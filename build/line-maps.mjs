/** Makes bundles and their source maps small. Of each line of a bundle, a map says which line of which source file it came from. Stack traces need no more
 *  (`src/errors/source-positions.ts`), and the maps take much less space. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { withoutIndentation } from './indentation.mjs';

/** Rewrites the source maps in a folder, and their bundles. */
export function keepLines(dir) {
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.map'))) {
    const map = join(dir, name);
    const bundle = map.slice(0, -'.map'.length);
    const { code, removed } = withoutIndentation(readFileSync(bundle, 'utf8'));
    writeFileSync(bundle, code);
    const { version, sources: all, mappings } = JSON.parse(readFileSync(map, 'utf8'));
    const sources = all.filter((each) => !each.includes('node_modules/'));
    const numbers = all.map((each) => sources.indexOf(each));
    const short = decode(mappings).map((line, number) => lines(line, numbers, removed[number]));
    writeFileSync(map, JSON.stringify({ version, sources, names: [], mappings: encode(short) }));
  }
}

/** The first segment of each source line within a line of a bundle, and the first one of a package. A segment is `[column, source, line, column in the
 *  source]`, from 0. `numbers`: the new number of each source, -1 for those of packages.
 *  `removed`: how many characters the line has lost at its beginning. */
function lines(segments, numbers, removed) {
  let last = [];
  return segments.flatMap(([column, source, line]) => {
    const number = numbers[source] ?? -1;
    const at = number < 0 ? [-1] : [number, line];
    if (at[0] === last[0] && at[1] === last[1]) return [];
    last = at;
    const start = Math.max(0, column - removed);
    return [number < 0 ? [start] : [start, number, line, 0]];
  });
}
