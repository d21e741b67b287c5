/** The code of docs/types.md compiles, its commands run, and the interface that it shows is in the written file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typeCheck } from '../support/type-check.ts';

const blog = fileURLToPath(new URL('../../examples/blog', import.meta.url));
const page = readFileSync(new URL('../../docs/types.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

const commands = blocks('sh')
  .flatMap((block) => block.trim().split('\n'))
  .map((line) => line.replace(/#.*/, '').trim());

let types = '';
beforeAll(async () => {
  types = (await run(['types', '--dir', blog])).stdout;
});

describe('docs/types.md', () => {
  it('has code that compiles', () => {
    const examples = blocks('ts').filter((text) => text.includes('import '));
    expect(examples).toHaveLength(4);
    const files = examples.map((text, index) => [
      `example-${index}.ts`,
      `${text.replace("'@lectern/client'", "'../../client/src/index.ts'")}\nexport {};\n`,
    ]);
    expect(typeCheck({ 'content-types.ts': types, ...Object.fromEntries(files) }).errors).toEqual({});
  });

  it('shows an interface as it is written', () => {
    const [shown = ''] = blocks('ts').filter((text) => text.includes('export interface Article'));
    const lines = shown.split('\n').filter((line) => line.trim() !== '' && !line.includes('…'));
    expect(lines.length).toBeGreaterThan(10);
    let from = 0;
    for (const line of lines) {
      from = types.indexOf(`${line}\n`, from);
      expect(from, line).toBeGreaterThan(-1);
    }
  });

  it('has commands that work', async () => {
    expect(commands).toHaveLength(3);
    const folder = temporaryFolder();
    for (const command of commands) {
      const [program, ...args] = command.split(' ');
      expect(program).toBe('lectern');
      const placed = args.map((arg) => (arg.startsWith('web/') ? join(folder, arg) : arg));
      expect(await run([...placed, '--dir', blog]), command).toMatchObject({ status: 0 });
    }
  });
});
