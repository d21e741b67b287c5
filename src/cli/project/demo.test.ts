import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readContent } from '../../demo-content/read-content.ts';
import { editor } from '../../new-project/project-texts.ts';
import { newTag } from './demo.ts';

it('has the role of editors of a new project', () => {
  const file = fileURLToPath(new URL('../../../examples/blog/permissions.json', import.meta.url));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ roles: { editor } });
});

it('prints a line for writing that the example does not refuse as a repetition', async () => {
  const content = await readContent(fileURLToPath(new URL('../../../examples/blog/content', import.meta.url)));
  expect(JSON.stringify(content)).toContain('"slug":"fog"');
  expect(JSON.stringify(content)).not.toContain(`"slug":"${newTag.slug}"`);
});
