import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { configurationTables, honouredTable } from './configuration-table.ts';

it.each([
  ['configuration.md', 'settings', 'every setting', configurationTables],
  ['existing-strapi-project.md', 'honoured', 'what is taken from a Strapi project', honouredTable],
])('docs/%s: the table "%s" lists %s, and nothing else', async (name, mark, _, table) => {
  const page = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  const [before, rest = ''] = readFileSync(page, 'utf8').split(`<!-- ${mark} -->\n`);
  const after = rest.slice(rest.indexOf(`<!-- /${mark} -->`));
  await expect(`${before}<!-- ${mark} -->\n${table()}\n${after}`).toMatchFileSnapshot(page);
});
