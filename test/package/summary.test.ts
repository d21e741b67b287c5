/** The end of `.ci/run`, by reports of made-up runs. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/packed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Names of tests, by file; those that begin with `!` failed. `!` alone is an error outside of tests. */
type Report = Readonly<Record<string, readonly string[]>>;

const written = (report: Report): string => {
  const entries = Object.entries(report).flatMap(([name, tests]) => tests.map((test) => ({ file: `test/${name}`, test })));
  return JSON.stringify({
    passed: entries.filter(({ test }) => !test.startsWith('!')),
    failed: entries
      .filter(({ test }) => test.startsWith('!'))
      .map(({ file, test }) => ({ file, test: test.slice(1) || undefined, message: '    expected 1 to be 2' })),
  });
};

interface Case {
  readonly it: string;
  /** Undefined: the run ended before it wrote one. */
  readonly report?: Report;
  readonly status?: number;
  readonly log?: string;
  /** Of files that were run once more. */
  readonly again?: readonly Report[];
  readonly broken?: number;
  /** The exit status says the same as the last line. */
  readonly prints: readonly string[];
}

const cases: readonly Case[] = [
  { it: 'counts', report: { 'a.ts': ['one', 'two'] }, status: 0, prints: ['2 passed, 0 failed'] },
  {
    it: 'counts a failure that repeats itself',
    report: { 'a.ts': ['one', '!two'] },
    again: [{ 'a.ts': ['one', '!two'] }],
    prints: ['FAILED first: test/a.ts › two', '    expected 1 to be 2', '', '1 passed, 1 failed'],
  },
  {
    it: 'names a test that passes alone',
    report: { 'a.ts': ['one', '!two'] },
    again: [{ 'a.ts': ['one', 'two'] }],
    prints: ['flaky: first: test/a.ts › two', '2 passed, 0 failed'],
  },
  {
    it: 'counts the tests of a file that can be loaded alone',
    report: { 'a.ts': ['!'], 'b.ts': ['three'] },
    again: [{ 'a.ts': ['one', 'two'] }],
    prints: ['flaky: first: test/a.ts › the whole file', '3 passed, 0 failed'],
  },
  {
    it: 'names a file that leaves no errors alone, once',
    report: { 'a.ts': ['one', '!', '!'] },
    again: [{ 'a.ts': ['one'] }],
    prints: ['flaky: first: test/a.ts › the whole file', '1 passed, 0 failed'],
  },
  {
    it: 'refuses a file that has failures alone',
    report: { 'a.ts': ['!'] },
    again: [{ 'a.ts': ['one', '!two'] }],
    prints: ['FAILED first: test/a.ts › the whole file', '    expected 1 to be 2', '', '0 passed, 1 failed'],
  },
  {
    it: 'wants all tests of one name to pass',
    report: { 'a.ts': ['one', '!one'] },
    again: [{ 'a.ts': ['one', '!one'] }],
    prints: ['FAILED first: test/a.ts › one', '    expected 1 to be 2', '', '1 passed, 1 failed'],
  },
  {
    it: 'refuses more than three',
    report: { 'a.ts': ['!1', '!2', '!3', '!4'] },
    again: [{ 'a.ts': ['1', '2', '3', '4'] }],
    prints: ['flaky: first: test/a.ts › 4', '0 passed, 4 failed'],
  },
  {
    it: 'refuses a run that failed without a failing test',
    report: { 'a.ts': ['one'] },
    log: 'not closed\n',
    prints: ['FAILED first: exit status 1 without a failing test', 'not closed', '', '1 passed, 1 failed'],
  },
  { it: 'refuses a run without a report', prints: ['0 passed, 1 failed'] },
  {
    it: 'counts what failed outside of tests',
    report: { 'a.ts': ['one'] },
    status: 0,
    broken: 1,
    prints: ['FAILED 1 outside of tests, see the log', '', '1 passed, 1 failed'],
  },
];

it.each(cases)('$it', ({ report, status = 1, log, again = [], broken = 0, prints }) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'first.status'), `${status}\n`);
  if (report !== undefined) writeFileSync(join(folder, 'first.json'), written(report));
  if (log !== undefined) writeFileSync(join(folder, 'first.log'), log);
  for (const [at, each] of again.entries()) writeFileSync(join(folder, `first.again-${at}.json`), written(each));
  const ended = spawnSync(process.execPath, ['.ci/summary.mjs', folder, String(broken)], { cwd: root, encoding: 'utf8' });
  expect(ended.stdout.trimEnd().split('\n').slice(-prints.length)).toEqual(prints);
  expect(ended.status).toBe(prints.at(-1)?.endsWith(' 0 failed') ? 0 : 1);
});
