// node .ci/summary.mjs <folder> <broken>: adds up Vitest's JSON reports, names each failure, as the log above it may be cut off, and prints
// `N passed, M failed`. `broken` counts what failed outside of tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder = '.', broken = '0'] = process.argv.slice(2);
let passed = 0;
let failed = Number(broken);
const failures = [];
if (failed > 0) failures.push(`${broken} outside of tests, see the log`);

// Each run leaves its exit status, and a report unless it broke down before that.
for (const name of readdirSync(folder).filter((file) => file.endsWith('.status'))) {
  const run = name.replace('.status', '');
  const status = Number(readFileSync(join(folder, name), 'utf8'));
  const path = join(folder, `${run}.json`);
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [], numPassedTests: 0 };
  const before = failures.length;
  for (const file of report.testResults) {
    const place = `${run}: ${relative(process.cwd(), file.name)}`;
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of tests) failures.push(`${place} > ${test.fullName}\n${shortened(test.failureMessages.join('\n'))}`);
    // A file that cannot be loaded has no tests that could fail.
    if (file.status === 'failed' && tests.length === 0) failures.push(`${place}\n${shortened(file.message)}`);
  }
  // A run can also fail without a failing test: an unhandled error, an engine that is missing.
  if (status !== 0 && failures.length === before) failures.push(`${run}: exit status ${status} without a failing test`);
  passed += report.numPassedTests;
  failed += failures.length - before;
}

/** The first lines of a failure's message, indented. */
function shortened(message = '') {
  return message
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
}

// More would push the first ones out of what is kept of the log.
for (const failure of failures.slice(0, 20)) console.log(`FAILED ${failure}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
