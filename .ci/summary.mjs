// node .ci/summary.mjs <folder> <broken>: adds up Vitest's JSON reports, names each failure, as the log above it may be cut off, and prints
// `N passed, M failed`. `broken` counts what failed outside of tests. A test that failed in a report and passed in that of its file run alone
// (`<name>.again-<number>.json`) is named as flaky and counted as passed, as long as there are no more than three.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failuresOf, readReport } from './reports.mjs';

const mostFlaky = 3;
const [folder = '.', broken = '0'] = process.argv.slice(2);
let passed = 0;
const failures = [];
const flaky = [];

// Each run leaves its exit status, and a report unless it broke down before that.
for (const name of readdirSync(folder).filter((file) => file.endsWith('.status'))) {
  const run = name.replace('.status', '');
  const status = Number(readFileSync(join(folder, name), 'utf8'));
  const path = join(folder, `${run}.json`);
  const report = existsSync(path) ? readReport(path) : { testResults: [], numPassedTests: 0 };
  const again = readdirSync(folder).filter((file) => file.startsWith(`${run}.again-`) && file.endsWith('.json'));
  const second = new Map(again.map((file) => readReport(join(folder, file))).map((each) => [each.testResults[0]?.name, each]));
  const found = failuresOf(report);
  for (const failure of found) {
    const alone = second.get(failure.path);
    const title = `${run}: ${failure.file} › ${failure.test ?? 'the whole file'}`;
    // A file whose set-up failed has no tests that failed: all of it has to pass.
    if (alone !== undefined && passedIn(alone, failure)) {
      flaky.push({ title, passes: failure.test === undefined ? alone.numPassedTests : 1, message: failure.message });
    } else failures.push(`${title}\n${failure.message}`);
  }
  // A run can also fail without a failing test: an unhandled error, an engine that is missing.
  if (status !== 0 && found.length === 0) failures.push(`${run}: exit status ${status} without a failing test`);
  passed += report.numPassedTests;
}

function passedIn(report, { test }) {
  if (test === undefined) return report.numPassedTests > 0 && failuresOf(report).length === 0;
  const same = report.testResults.flatMap((file) => file.assertionResults).filter((each) => each.fullName === test);
  return same.length > 0 && same.every((each) => each.status === 'passed');
}

if (flaky.length > mostFlaky)
  failures.push(...flaky.map(({ title, message }) => `${title} (flaky, of more than ${mostFlaky})\n${message}`));
else passed += flaky.reduce((sum, { passes }) => sum + passes, 0);
const failed = failures.length + Number(broken);
if (Number(broken) > 0) failures.unshift(`${broken} outside of tests, see the log`);

// More would push the first ones out of what is kept of the log.
for (const failure of failures.slice(0, 20)) console.log(`FAILED ${failure}\n`);
for (const { title } of flaky) console.log(`flaky: ${title}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
