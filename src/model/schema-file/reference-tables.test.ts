import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { referenceTables } from './reference-tables.ts';

const page = fileURLToPath(new URL('../../../docs/content-types.md', import.meta.url));

it('docs/content-types.md has the keys that the loader reads, and no others', async () => {
  const seen: string[] = [];
  const text = readFileSync(page, 'utf8').replace(/<!-- table: (.+) -->\n[\s\S]*?<!-- \/table -->/g, (_, name: string) => {
    seen.push(name);
    return `<!-- table: ${name} -->\n${referenceTables[name]?.()}\n<!-- /table -->`;
  });
  expect(seen.sort()).toEqual(Object.keys(referenceTables).sort());
  await expect(text).toMatchFileSnapshot(page);
});
