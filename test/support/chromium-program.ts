import { existsSync } from 'node:fs';

/** The first one has no windows, on which the others spend half of their time. */
const usual = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of Chromium: `LECTERN_TEST_CHROMIUM`, or one of the usual places. Undefined without one. Throws when `LECTERN_TEST_CHROMIUM` names a file that is not there. */
export function findChromium(): string | undefined {
  const named = process.env.LECTERN_TEST_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`LECTERN_TEST_CHROMIUM: there is no file ${named}`);
    return named;
  }
  return usual.find((path) => existsSync(path));
}
