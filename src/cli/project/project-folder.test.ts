import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { processUser } from '../../errors/system-error.ts';
import { projectFolderProblem } from './project-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'lectern-folder-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'website', 'src', 'api'), { recursive: true });
mkdirSync(join(root, 'empty', 'inside'), { recursive: true });
for (const name of ['pgsite', 'second', 'site', 'a', 'b', 'c', 'd'])
  mkdirSync(join(root, 'several', name, 'src', 'api'), { recursive: true });
for (const name of ['second', 'site']) mkdirSync(join(root, 'two', name, 'src', 'api'), { recursive: true });
const option = (...names: readonly string[]) => `--dir ${relative(process.cwd(), join(root, ...names))}`;
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
  {
    it: 'the folder around two projects',
    folder: 'two',
    says: `There are 2 projects in ${join(root, 'two')}: ${option('two', 'second')}, ${option('two', 'site')}`,
  },
  { it: 'the folder around many', folder: 'several', says: `, ${option('several', 'd')}, ${option('several', 'pgsite')}, and 2 more` },
  { it: 'no project far and wide', folder: 'empty/inside', says: 'src/api/<name>/content-types/<name>/schema.json' },
];

describe('projectFolderProblem', () => {
  it.each(cases)('$it', ({ folder, says }) => {
    const problem = projectFolderProblem(join(root, folder));
    if (says === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(says);
  });

  it.each([
    ['a folder that may not be entered', 'closed', 'closed'],
    ['a project in it', 'closed', 'closed/site'],
    ['a project whose src may not be entered', 'half/src', 'half'],
  ])('%s', (_, closed, folder) => {
    chmodSync(root, 0o711);
    mkdirSync(join(root, closed, 'site/src/api'), { recursive: true });
    chmodSync(join(root, closed), 0o000);
    onTestFinished(() => chmodSync(join(root, closed), 0o700));
    expect(asNobody(() => projectFolderProblem(join(root, folder)))).toBe(`${join(root, folder)} may not be read by ${processUser()}.`);
  });
});

/** Nothing is forbidden to root. */
function asNobody<T>(ask: () => T): T {
  if (process.geteuid?.() !== 0) return ask();
  process.seteuid?.(65534);
  try {
    return ask();
  } finally {
    process.seteuid?.(0);
  }
}
