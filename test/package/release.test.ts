/** `build/release.mjs`, which `npm version` and the workflow of releases run. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { manifest, root } from '../support/packed.ts';

const { changesOf, problemsOf } = await import(pathToFileURL(join(root, 'build/release.mjs')).href);

const changelog = '# Change log\n\n## Unreleased\n\n## 1.2.0 (2026-11-23)\n\n### Added\n\n- More.\n\n## 1.1.0\n\n- Less.\n';
const complete = {
  manifest: { version: '1.2.0' },
  lock: { version: '1.2.0', packages: { client: { version: '1.2.0' } } },
  client: { version: '1.2.0' },
  changelog,
  tag: 'v1.2.0',
};

describe('the part of CHANGELOG.md', () => {
  it.each([
    ['of a version with a date', '1.2.0', '### Added\n\n- More.'],
    ['of the last version', '1.1.0', '- Less.'],
    ['of a version that is not there', '1.2', undefined],
  ])('%s', (_, version, expected) => expect(changesOf(changelog, version)).toBe(expected));
});

describe('a release', () => {
  it('that is complete has no problems', () => expect(problemsOf(complete)).toEqual([]));

  it.each([
    ['without its changes', { changelog: '# Change log\n\n## 1.2.0\n' }, 'CHANGELOG.md has nothing below "## 1.2.0"'],
    ['with another tag', { tag: 'v1.2.1' }, 'the tag is v1.2.1, package.json has version 1.2.0'],
    ['with a private package', { manifest: { version: '1.2.0', private: true } }, 'package.json is private'],
    [
      'with another version of the client',
      { client: { version: '1.1.0' } },
      'client/package.json has version 1.1.0, package.json has 1.2.0',
    ],
    ['with an old lock file', { lock: { ...complete.lock, version: '1.1.0' } }, 'package-lock.json has other versions: run `npm install`'],
  ])('%s is refused', (_, change, problem) => expect(problemsOf({ ...complete, ...change })).toContain(problem));
});

it('the packages of this repository could be released, but for CHANGELOG.md', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  expect(
    problemsOf({
      manifest: read('package.json'),
      lock: read('package-lock.json'),
      client: read('client/package.json'),
      changelog: `## ${manifest.version}\n\n- Something.\n`,
    }),
  ).toEqual([]);
});

it('npm would publish both packages, and would correct neither', async () => {
  const args = ['publish', '--workspaces', '--include-workspace-root', '--dry-run', '--ignore-scripts', '--offline'];
  const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: root });
  const published = stdout.split('\n').filter((line) => line.startsWith('+ '));
  expect(published.sort()).toEqual([`+ @lectern/client@${manifest.version}`, `+ lectern@${manifest.version}`]);
  expect(stderr).not.toContain('auto-corrected');
});
