// node .ci/summary.mjs <folder> <broken>: adds up Vitest's JSON reports, names each failure, as the log above it may be cut off, and prints
// `N passed, M failed`. `broken` counts what failed outside of tests.
// node .ci/summary.mjs --failed-files <report>: prints the test files that failed, a line each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

if (process.argv[2] === '--failed-files') {
  const files = reportIn(process.argv[3] ?? '').testResults.filter((file) => file.status === 'failed');
  for (const file of files) console.log(relative(process.cwd(), file.name));
  process.exit();
}

const [folder = '.', broken = '0'] = process.argv.slice(2);
let passed = 0;
let failed = Number(broken);
const failures = [];
const unstable = [];
if (failed > 0) failures.push(`${broken} outside of tests, see the log`);

// Each run leaves its exit status, and a report unless it broke down before that.
for (const run of readdirSync(folder).flatMap((file) => /^(\w+)\.status$/.exec(file)?.[1] ?? [])) {
  const report = reportIn(join(folder, `${run}.json`));
  const found = failuresIn(report, run);
  passed += report.numPassedTests;
  if (found.length > 0 && statusIn(join(folder, `${run}-alone.status`)) === 0) {
    unstable.push(...found);
    passed += found.length;
  } else if (found.length === 0 && statusIn(join(folder, `${run}.status`)) !== 0) {
    // A run can also fail without a failing test: an unhandled error, an engine that is missing.
    failures.push(`${run}: it failed without a failing test, see the log`);
    failed++;
  } else {
    failures.push(...found);
    failed += found.length;
  }
}

function reportIn(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [], numPassedTests: 0 };
}

/** Undefined if there was no such run. */
function statusIn(path) {
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined;
}

function failuresIn(report, run) {
  return report.testResults.flatMap((file) => {
    const place = `${run}: ${relative(process.cwd(), file.name)}`;
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has no tests that could fail.
    if (file.status === 'failed' && tests.length === 0) return [`${place}\n${shortened(file.message)}`];
    return tests.map((test) => `${place} > ${test.fullName}\n${shortened(test.failureMessages.join('\n'))}`);
  });
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
