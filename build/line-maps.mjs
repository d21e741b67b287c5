/** Makes source maps small: of each line of a bundle, they say which line of which source file it came from. Stack traces need no more
 *  (`src/errors/source-positions.ts`), and the maps take a quarter of the space. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/** Rewrites the maps in a folder. */
export function keepLinesOfMaps(dir) {
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.map'))) {
    const file = join(dir, name);
    const { version, sources, mappings } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ version, sources, names: [], mappings: encode(decode(mappings).map(lines)) }));
  }
}

/** The first segment of each source line within a line of a bundle. A segment is `[column, source, line, column in the source]`, from 0. */
function lines(segments) {
  let last = [];
  return segments.flatMap(([column, source, line]) => {
    if (source === undefined || (source === last[0] && line === last[1])) return [];
    last = [source, line];
    return [[column, source, line, 0]];
  });
}
