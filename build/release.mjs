/** `node build/release.mjs [TAG]`: checks that a release is complete, and prints its part of CHANGELOG.md. Ends with 1 and a line for each problem.
 *  `npm version` runs it before it makes the commit and the tag; the workflow of the release, with the tag. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** The text below the heading of a version, such as `## 0.2.0` or `## 0.2.0 (2026-11-23)`; undefined if there is none. */
export function changesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((each) => each.split(/\s/, 1)[0].replace(/^\[|\]$/g, '') === version);
  return part?.slice(part.indexOf('\n')).trim();
}

/** @returns {string[]} what is missing for the release of `manifest.version` */
export function problemsOf({ manifest, lock, client, changelog, tag }) {
  const { version } = manifest;
  const problems = [];
  if (!changesOf(changelog, version)) problems.push(`CHANGELOG.md has nothing below "## ${version}"`);
  if (client.version !== version) problems.push(`client/package.json has version ${client.version}, package.json has ${version}`);
  if (lock.version !== version || lock.packages.client.version !== client.version)
    problems.push('package-lock.json has other versions: run `npm install`');
  for (const [name, { private: isPrivate }] of Object.entries({ 'package.json': manifest, 'client/package.json': client }))
    if (isPrivate) problems.push(`${name} is private`);
  if (tag !== undefined && tag !== `v${version}`) problems.push(`the tag is ${tag}, package.json has version ${version}`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [manifest, lock, client] = ['package.json', 'package-lock.json', 'client/package.json'].map((file) => JSON.parse(read(file)));
  const changelog = read('CHANGELOG.md');
  const problems = problemsOf({ manifest, lock, client, changelog, tag: process.argv[2] });
  if (problems.length > 0) console.error(problems.join('\n'));
  else console.log(changesOf(changelog, manifest.version));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
