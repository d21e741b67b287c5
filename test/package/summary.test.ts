/** The end of `.ci/run`, by reports of made-up runs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/packed.ts';

/** Names of tests, by file; those that begin with `!` failed. A file of no tests could not be loaded. */
type Report = Readonly<Record<string, readonly string[]>>;

const fileOf = (name: string, tests: readonly string[]) => ({
  name: join(root, 'test', name),
  status: tests.length === 0 || tests.some((test) => test.startsWith('!')) ? 'failed' : 'passed',
  message: 'no set-up',
  assertionResults: tests.map((test) => ({
    fullName: test.replace('!', ''),
    status: test.startsWith('!') ? 'failed' : 'passed',
    failureMessages: test.startsWith('!') ? ['expected 1 to be 2'] : [],
  })),
});

const written = (report: Report) =>
  JSON.stringify({
    testResults: Object.entries(report).map(([name, tests]) => fileOf(name, tests)),
    numPassedTests: Object.values(report)
      .flat()
      .filter((test) => !test.startsWith('!')).length,
  });

interface Case {
  readonly it: string;
  /** Undefined: the run ended before it wrote one. */
  readonly report?: Report;
  readonly status?: number;
  /** Of files that were run once more. */
  readonly again?: readonly Report[];
  readonly broken?: number;
  readonly prints: readonly string[];
  readonly fails: boolean;
}

const cases: readonly Case[] = [
  { it: 'counts', report: { 'a.ts': ['one', 'two'] }, status: 0, prints: ['2 passed, 0 failed'], fails: false },
  {
    it: 'counts a failure that repeats itself',
    report: { 'a.ts': ['one', '!two'] },
    again: [{ 'a.ts': ['one', '!two'] }],
    prints: ['FAILED first: test/a.ts › two', '    expected 1 to be 2', '', '1 passed, 1 failed'],
    fails: true,
  },
  {
    it: 'names a test that passes alone',
    report: { 'a.ts': ['one', '!two'] },
    again: [{ 'a.ts': ['one', 'two'] }],
    prints: ['flaky: first: test/a.ts › two', '2 passed, 0 failed'],
    fails: false,
  },
  {
    it: 'counts the tests of a file that can be loaded alone',
    report: { 'a.ts': [], 'b.ts': ['three'] },
    again: [{ 'a.ts': ['one', 'two'] }],
    prints: ['flaky: first: test/a.ts › the whole file', '3 passed, 0 failed'],
    fails: false,
  },
  {
    it: 'refuses a file that has failures alone',
    report: { 'a.ts': [] },
    again: [{ 'a.ts': ['one', '!two'] }],
    prints: ['FAILED first: test/a.ts › the whole file', '    no set-up', '', '0 passed, 1 failed'],
    fails: true,
  },
  {
    it: 'wants all tests of one name to pass',
    report: { 'a.ts': ['one', '!one'] },
    again: [{ 'a.ts': ['one', '!one'] }],
    prints: ['FAILED first: test/a.ts › one', '    expected 1 to be 2', '', '1 passed, 1 failed'],
    fails: true,
  },
  {
    it: 'refuses more than three',
    report: { 'a.ts': ['!1', '!2', '!3', '!4'] },
    again: [{ 'a.ts': ['1', '2', '3', '4'] }],
    prints: ['flaky: first: test/a.ts › 4', '0 passed, 4 failed'],
    fails: true,
  },
  {
    it: 'refuses a run that failed without a failing test',
    report: { 'a.ts': ['one'] },
    prints: ['FAILED first: exit status 1 without a failing test', '', '1 passed, 1 failed'],
    fails: true,
  },
  { it: 'refuses a run without a report', prints: ['0 passed, 1 failed'], fails: true },
  {
    it: 'counts what failed outside of tests',
    report: { 'a.ts': ['one'] },
    status: 0,
    broken: 1,
    prints: ['FAILED 1 outside of tests, see the log', '', '1 passed, 1 failed'],
    fails: true,
  },
];

it.each(cases)('$it', ({ report, status = 1, again = [], broken = 0, prints, fails }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-reports-'));
  writeFileSync(join(folder, 'first.status'), `${status}\n`);
  if (report !== undefined) writeFileSync(join(folder, 'first.json'), written(report));
  for (const [at, each] of again.entries()) writeFileSync(join(folder, `first.again-${at}.json`), written(each));
  const ended = spawnSync(process.execPath, ['.ci/summary.mjs', folder, String(broken)], { cwd: root, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(ended.stdout.trimEnd().split('\n').slice(-prints.length)).toEqual(prints);
  expect(ended.status).toBe(fails ? 1 : 0);
});
