// A Vitest reporter. Writes what `.ci/summary.mjs` needs of a run into the file that `LECTERN_TEST_REPORT` names: the lists `passed` and `failed` of
// `{ file, test, message }`. `test` is missing where a file cannot be loaded, its set-up failed, or it left an error that nothing handled; `file`
// as well where such an error belongs to none.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({ path: module.moduleId, test: test.fullName, ...test.result() })),
    );
    const others = [
      ...modules.flatMap((module) =>
        [module, ...module.children.allSuites()]
          .flatMap((each) => each.errors())
          .map((error) => ({ path: module.moduleId, errors: [error] })),
      ),
      ...unhandledErrors.map((error) => ({ path: error.VITEST_TEST_PATH, errors: [error] })),
    ];
    const entryOf = ({ path, test, errors = [] }) => ({
      ...(path === undefined ? {} : { file: relative(process.cwd(), path) }),
      test,
      message: errors.map(({ message, stack = message }) => beginningOf(stack)).join('\n'),
    });
    const report = {
      passed: tests.filter(({ state }) => state === 'passed').map(entryOf),
      failed: [...tests.filter(({ state }) => state === 'failed'), ...others].map(entryOf),
    };
    writeFileSync(process.env.LECTERN_TEST_REPORT, JSON.stringify(report));
  }
}

/** The first lines, indented. */
const beginningOf = (text = '') =>
  text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
