/** `LICENSES.md`, which comes with the package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const { licensesOf } = await import(pathToFileURL(join(root, 'build/licenses.mjs')).href);
const folder = useTemporaryFolder();

it('is the one that npm run licenses makes of the built code', () => {
  expect(readFileSync(join(root, 'LICENSES.md'), 'utf8')).toBe(readFileSync(join(root, 'dist/LICENSES.md'), 'utf8'));
});

/** The file for a bundle with one package, and for one dependency. */
function licensesFor(bundled: string, beside = 'MIT', text = ''): string {
  const path = join(folder, 'node_modules/some');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'some', version: '1.2.3', license: bundled }));
  writeFileSync(join(path, 'LICENSE'), text);
  const lock = { packages: { 'node_modules/other': { version: '4.5.6', license: beside } } };
  return licensesOf({ modules: [join(path, 'index.js')], beside: [{ lock, names: ['other'] }] });
}

it('names packages, copyright lines and texts', () => {
  const text = licensesFor('ISC', 'MIT', 'ISC License\n\nCopyright (c) 2020 Somebody\n\nPermission to use.');
  expect(text).toContain('| some | 1.2.3 | ISC |');
  expect(text).toContain('| other | 4.5.6 | MIT |');
  expect(text).toContain('some\nCopyright (c) 2020 Somebody\n\nPermission to use.');
});

describe('licenses', () => {
  it.each([
    ['GPL-3.0-only in a bundle', 'GPL-3.0-only', 'MIT', 'some 1.2.3: the license GPL-3.0-only is not allowed'],
    ['LGPL-3.0-or-later in a bundle', 'LGPL-3.0-or-later', 'MIT', 'some 1.2.3: the license LGPL-3.0-or-later is not allowed'],
    ['one of several that all hold', 'MIT AND GPL-3.0-only', 'MIT', 'some 1.2.3'],
    ['AGPL-3.0-only installed beside', 'MIT', 'AGPL-3.0-only', 'other 4.5.6: the license AGPL-3.0-only is not allowed'],
  ])('refuses %s', (_, bundled, beside, message) => expect(() => licensesFor(bundled, beside)).toThrow(message));

  it.each([
    ['LGPL-3.0-or-later installed beside', 'MIT', 'LGPL-3.0-or-later'],
    ['a choice with one that is allowed', '(GPL-2.0 OR MIT)', 'Apache-2.0 AND LGPL-3.0-or-later'],
  ])('takes %s', (_, bundled, beside) => expect(licensesFor(bundled, beside)).toContain(`| some | 1.2.3 | ${bundled} |`));
});
