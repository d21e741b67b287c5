// node .ci/summary.mjs <folder> <broken>: adds up Vitest's JSON reports and prints `N passed, M failed`. `broken` counts what failed outside of tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.', broken = '0'] = process.argv.slice(2);
let passed = 0;
let failed = Number(broken);

// Each run leaves its exit status, and a report unless it broke down before that.
for (const name of readdirSync(folder).filter((file) => file.endsWith('.status'))) {
  const status = Number(readFileSync(join(folder, name), 'utf8'));
  const path = join(folder, name.replace('.status', '.json'));
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [], numPassedTests: 0, numFailedTests: 0 };
  // A file that cannot be loaded has no tests that could fail.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failures = report.numFailedTests + brokenFiles.length;
  passed += report.numPassedTests;
  // A run can also fail without a failing test: an unhandled error, an engine that is missing.
  failed += status !== 0 && failures === 0 ? 1 : failures;
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
