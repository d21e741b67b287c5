import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFolderProblem } from './project-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'lectern-folder-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'website', 'src', 'api'), { recursive: true });
mkdirSync(join(root, 'empty', 'inside'), { recursive: true });
writeFileSync(join(root, 'file'), '');

const cases = [
  { it: 'a project', folder: 'website', says: undefined },
  {
    it: 'a slip in the name',
    folder: 'webiste',
    says: `There is no folder ${join(root, 'webiste')}. Did you mean ${join(root, 'website')}?`,
  },
  { it: 'a name like no other', folder: 'zzzzzzzzzz', says: `There is no folder ${join(root, 'zzzzzzzzzz')}.` },
  { it: 'a file', folder: 'file', says: 'is a file' },
  { it: 'a folder inside of a project', folder: 'website/src', says: `There is a project in ${join(root, 'website')}: --dir ` },
  { it: 'the folder around a project', folder: '.', says: `There is a project in ${join(root, 'website')}: --dir ` },
  { it: 'no project far and wide', folder: 'empty/inside', says: 'src/api/<name>/content-types/<name>/schema.json' },
];

describe('projectFolderProblem', () => {
  it.each(cases)('$it', ({ folder, says }) => {
    const problem = projectFolderProblem(join(root, folder));
    if (says === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(says);
  });
});
