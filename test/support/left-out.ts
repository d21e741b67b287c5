/** Files that a run leaves out, and why. vitest.config.ts excludes them, and the end of the run names them (`report-engines.ts`). */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isLong } from './long.ts';

export interface LeftOut {
  readonly reason: string;
  readonly files: readonly string[];
}

const hasPackages = existsSync(fileURLToPath(new URL('../node_modules', import.meta.url)));

/** Those that run against servers and clients of others, which test/package.json names. */
const withPackages: LeftOut = {
  reason: 'their packages are not installed (`npm ci --prefix test`)',
  files: [
    'test/api/accounts/connect.test.ts',
    'test/api/accounts/connect-attacks.test.ts',
    'test/api/media/s3.test.ts',
    'test/api/media/s3-private.test.ts',
    'test/archives/import-s3.test.ts',
    'test/compatibility/client-libraries.test.ts',
    'test/openapi/client.test.ts',
    'test/openapi/validity.test.ts',
  ],
};

const inLongRuns: LeftOut = {
  reason: 'only `npm run test:long` has them',
  files: ['test/bench/servers.test.ts', 'test/bench/storm.test.ts', 'test/docs/site.test.ts'],
};

/** What takes minutes: `.ci/run` runs it while other tests wait for a database. */
const besideOthers: LeftOut = {
  reason: 'LECTERN_TEST_CONSISTENCY is not true',
  files: ['test/bench/consistency.test.ts'],
};
const isBesideOthers = isLong || process.env.LECTERN_TEST_CONSISTENCY === 'true';

export const leftOut: readonly LeftOut[] = [
  ...(hasPackages ? [] : [withPackages]),
  ...(isLong ? [] : [inLongRuns]),
  ...(isBesideOthers ? [] : [besideOthers]),
];
