/** Bundles the client into one minified file. Its declarations are made by `tsc -p client`, when the package is packed. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('.', import.meta.url));
const bundle = await rolldown({ cwd: folder, input: { index: 'src/index.ts' }, platform: 'neutral' });
await bundle.write({ dir: `${folder}dist`, format: 'esm', minify: true, sourcemap: true });
