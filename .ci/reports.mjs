// Vitest's JSON reports. `node .ci/reports.mjs <report>` prints the files with failures, one a line.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';

export const readReport = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The tests that failed, and the files that did without one: they cannot be loaded, or their set-up failed. */
export function failuresOf(report) {
  return report.testResults.flatMap((file) => {
    const at = { path: file.name, file: relative(process.cwd(), file.name) };
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    if (tests.length > 0) return tests.map((test) => ({ ...at, test: test.fullName, message: shortened(test.failureMessages.join('\n')) }));
    return file.status === 'failed' ? [{ ...at, test: undefined, message: shortened(file.message) }] : [];
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const path of new Set(failuresOf(readReport(process.argv[2])).map((failure) => failure.path))) console.log(path);
}
