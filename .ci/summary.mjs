// node .ci/summary.mjs <folder> <broken>: adds up the reports of `.ci/reporter.mjs`, names each failure, as the log above it may be cut off, and
// prints `N passed, M failed`. `broken` counts what failed outside of tests. A test that failed in a report and passed in that of its file run alone
// (`<name>.again-<number>.json`) is named as flaky and counted as passed, as long as there are no more than three.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const maxFlaky = 3;
const [folder = '.', broken = '0'] = process.argv.slice(2);
const names = readdirSync(folder);
const readReport = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
let passed = 0;
const failures = [];
const flaky = [];

// Each run leaves its exit status, and a report unless it broke down before that.
for (const name of names.filter((file) => file.endsWith('.status'))) {
  const run = name.replace('.status', '');
  const status = Number(readFileSync(join(folder, name), 'utf8'));
  const report = names.includes(`${run}.json`) ? readReport(`${run}.json`) : { passed: [], failed: [] };
  const again = names.filter((file) => file.startsWith(`${run}.again-`) && file.endsWith('.json')).map(readReport);
  passed += report.passed.length;
  for (const { file = 'no file', test, message } of report.failed) {
    const inFile = (each) => each.file === file;
    const alone = again.find(({ passed, failed }) => [...passed, ...failed].some(inFile));
    const title = `${run}: ${file} › ${test ?? 'the whole file'}`;
    if (alone === undefined || !passes(alone, test)) failures.push(`${title}\n${message}`);
    else if (test !== undefined) flaky.push({ title, message, tests: 1 });
    // Some tests of the file may have passed, and it may have several errors.
    else if (!flaky.some((each) => each.title === title))
      flaky.push({ title, message, tests: alone.passed.length - report.passed.filter(inFile).length });
  }
  // A run can also fail without a report, or after it.
  if (status !== 0 && report.failed.length === 0) failures.push(`${run}: exit status ${status} without a failing test\n${endOfLog(run)}`);
}

/** A file whose set-up failed has no tests that failed: all of it has to pass. */
function passes({ passed, failed }, test) {
  if (test === undefined) return passed.length > 0 && failed.length === 0;
  const isSame = (each) => each.test === test;
  return passed.some(isSame) && !failed.some(isSame);
}

function endOfLog(run) {
  const path = join(folder, `${run}.log`);
  if (!existsSync(path)) return '';
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-40).join('\n');
}

if (flaky.length > maxFlaky) failures.push(...flaky.map(({ title, message }) => `${title} (flaky, of more than ${maxFlaky})\n${message}`));
else passed += flaky.reduce((sum, { tests }) => sum + tests, 0);
const failed = failures.length + Number(broken);
if (Number(broken) > 0) failures.unshift(`${broken} outside of tests, see the log`);

// More would push the first ones out of what is kept of the log.
for (const failure of failures.slice(0, 20)) console.log(`FAILED ${failure}\n`);
for (const { title } of flaky) console.log(`flaky: ${title}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
