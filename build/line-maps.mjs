/** Makes source maps small: of each line of a bundle, they say which line of which source file it came from. Stack traces need no more
 *  (`src/errors/source-positions.ts`), and the maps take much less space. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/** Rewrites the maps in a folder. */
export function keepLinesOfMaps(dir) {
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.map'))) {
    const file = join(dir, name);
    const { version, sources: all, mappings } = JSON.parse(readFileSync(file, 'utf8'));
    const sources = all.filter((each) => !each.includes('node_modules/'));
    const numbers = all.map((each) => sources.indexOf(each));
    writeFileSync(
      file,
      JSON.stringify({ version, sources, names: [], mappings: encode(decode(mappings).map((line) => lines(line, numbers))) }),
    );
  }
}

/** The first segment of each source line within a line of a bundle, and the first one of a package. A segment is `[column, source, line, column in the
 *  source]`, from 0. `numbers`: the new number of each source, -1 for those of packages. */
function lines(segments, numbers) {
  let last = [];
  return segments.flatMap(([column, source, line]) => {
    const number = numbers[source] ?? -1;
    const at = number < 0 ? [-1] : [number, line];
    if (at[0] === last[0] && at[1] === last[1]) return [];
    last = at;
    return [number < 0 ? [column] : [column, number, line, 0]];
  });
}
