import { statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { leftOut } from './test/support/left-out.ts';

// Tests make and remove thousands of small files, which costs a file system on disk more time than
// the tests need to read them.
const memory = '/dev/shm';
if (process.env.TMPDIR === undefined && hasRoom(memory)) process.env.TMPDIR = memory;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 4e9;
  } catch {
    return false;
  }
}

// Messages name commands as the shell finds them: here always `lectern`, not `npx lectern`.
const PATH = [join(import.meta.dirname, 'test/support/path'), process.env.PATH].join(delimiter);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          // The SQL for instants depends on the time zone of the process.
          env: { TZ: 'UTC', PATH },
          // A process for each file, with modules of its own, takes twice the processor time.
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'suite',
          include: ['test/**/*.test.ts'],
          env: { PATH },
          exclude: [...configDefaults.exclude, ...leftOut.flatMap(({ files }) => files)],
          // Finds the engines that can be tested, and says at the end which ones were.
          globalSetup: ['test/support/report-engines.ts'],
          // Each file starts servers of its own, of the built code, and some of them wait for time to pass: three at a time fill the two cores of CI.
          // Files share processes, and with them the modules, which are imported once.
          pool: 'forks',
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          // On a busy machine, a condition may take seconds to become true.
          expect: { poll: { timeout: 20_000 } },
          hookTimeout: 120_000,
          // The built code is loaded as Node loads it (`test/support/own-process.ts`).
          server: { deps: { external: [/\/dist\//] } },
        },
      },
    ],
  },
});
