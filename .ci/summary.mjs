// node .ci/summary.mjs <folder> <broken>: adds up Vitest's JSON reports, names each failure, as the log above it may be cut off, and prints
// `N passed, M failed`. `broken` counts what failed outside of tests.
// node .ci/summary.mjs --failed-files <report>: prints the test files that failed, a line each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

if (process.argv[2] === '--failed-files') {
  const failed = reportIn(process.argv[3] ?? '').testResults.filter((file) => file.status === 'failed');
  for (const file of failed) console.log(relative(process.cwd(), file.name));
  process.exit();
}

const [folder = '.', broken = '0'] = process.argv.slice(2);
let passed = 0;
let failed = Number(broken);
const failures = [];
const unstable = [];
if (failed > 0) failures.push(`${broken} outside of tests, see the log`);

// Each run leaves its exit status, and a report unless it broke down before that.
for (const name of readdirSync(folder).filter((file) => file.endsWith('.status'))) {
  const run = name.replace('.status', '');
  const status = Number(readFileSync(join(folder, name), 'utf8'));
  const report = reportIn(join(folder, `${run}.json`));
  const passedAlone = resultsIn(reportIn(join(folder, `${run}-alone.json`)), 'passed');
  let found = 0;
  for (const [key, message] of resultsIn(report, 'failed')) {
    found++;
    const failure = `${run}: ${key}\n${shortened(message)}`;
    if (passedAlone.has(key)) {
      unstable.push(failure);
      passed++;
    } else {
      failures.push(failure);
      failed++;
    }
  }
  // A run can also fail without a failing test: an unhandled error, an engine that is missing.
  if (status !== 0 && found === 0) {
    failures.push(`${run}: exit status ${status} without a failing test`);
    failed++;
  }
  passed += report.numPassedTests;
}

/** One of Vitest's JSON reports; one without results where the run broke down before it wrote one. */
function reportIn(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [], numPassedTests: 0 };
}

/** The messages of the tests with a status, by file and name. A file that cannot be loaded has no tests that could fail: it counts itself. */
function resultsIn(report, status) {
  const results = new Map();
  for (const file of report.testResults) {
    const place = relative(process.cwd(), file.name);
    const tests = file.assertionResults.filter((test) => test.status === status);
    for (const test of tests) results.set(`${place} > ${test.fullName}`, test.failureMessages.join('\n'));
    if (file.status === status && (status === 'passed' || tests.length === 0)) results.set(place, file.message);
  }
  return results;
}

/** The first lines of a failure's message, indented. */
function shortened(message = '') {
  return message
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
}

for (const each of unstable.slice(0, 10)) console.log(`UNSTABLE, passed alone: ${each}\n`);
// More would push the first ones out of what is kept of the log.
for (const failure of failures.slice(0, 20)) console.log(`FAILED ${failure}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
