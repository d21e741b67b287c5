import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { configurationTables } from './configuration-table.ts';

const page = fileURLToPath(new URL('../../docs/configuration.md', import.meta.url));

it('docs/configuration.md lists every setting, and nothing else', async () => {
  const [before, rest = ''] = readFileSync(page, 'utf8').split('<!-- settings -->\n');
  const after = rest.slice(rest.indexOf('<!-- /settings -->'));
  await expect(`${before}<!-- settings -->\n${configurationTables()}\n${after}`).toMatchFileSnapshot(page);
});
