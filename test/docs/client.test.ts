/** docs/client.md: its examples run against the demo, and `test/types/client-types.test.ts` compiles those with types. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { startDemo } from '../support/demo.ts';
import { root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useMade } from '../support/use-made.ts';

const built = pathToFileURL(join(root, 'client/dist/index.js')).href;
const folder = useTemporaryFolder();
const demo = useMade(startDemo);
let count = 0;

/** Each with its first line. */
const examples = [...readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(
  ([, code = '']) => [code.split('\n').find((line) => !/^(import .*)?$/.test(line)) ?? '', code] as const,
);

it.each(examples)('an example runs: %s', async (_, code) => {
  const client = code.includes('const client =') ? '' : "const client = createClient({ baseURL: 'http://127.0.0.1:1337/api', token });";
  const text = `
    import { createClient, LecternError } from '${built}';
    const token = '${demo().token}';
    let session = 'null';
    const readSession = async () => session;
    const saveSession = async (text) => { session = text; };
    ${client}
    ${code.replaceAll(/^import .*$/gm, '')}
    export const problem = typeof error === 'undefined' ? undefined : error;`;
  const file = join(folder, `${count++}.mjs`);
  writeFileSync(file, text.replaceAll('http://127.0.0.1:1337', demo().base).replace("'…'", `'${demo().password}'`));
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const { problem } = await import(/* @vite-ignore */ file);
  const lines = log.mock.calls.map((line) => line.join(' '));
  log.mockRestore();
  // The example of errors has one on purpose.
  if (code.includes('switch')) expect(lines).toEqual(['readingMinutes must be greater than or equal to 1']);
  else expect(problem).toBeUndefined();
});
