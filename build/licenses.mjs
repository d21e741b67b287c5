/** `LICENSES.md`: the packages that are bundled, with their licenses, whose texts have to come with each copy; and those that are installed beside. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Licenses that ask for no more than their text and the names of the authors. */
const permissive = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0']);
/** Installed packages may also have this one: they are files of their own, which can be replaced. */
const ofLibraries = new Set([...permissive, 'LGPL-3.0-or-later']);

/** @param {{ modules: string[], beside: { lock: object, names: string[] }[] }} input files of bundled modules; lock files, and the dependencies in each.
 *  Throws if a license is none of the above. */
export function licensesOf({ modules, beside: locks }) {
  const bundled = packagesOf(modules);
  const found = locks.flatMap(({ lock, names }) => withDependencies(lock, names));
  // A package in two lock files is named once.
  const beside = byName([...new Map(found.map((each) => [`${each.name} ${each.version}`, each])).values()]);
  refuseOthers(bundled, permissive);
  refuseOthers(beside, ofLibraries);
  return `# Licenses

Made by \`npm run licenses\`.

Lectern itself is under the MIT license ([LICENSE](LICENSE)).

## Packages in the files of \`dist\`

They are contained whole or in part.

${tableOf(bundled)}

## Packages that are installed beside

Each brings the text of its license. Of \`@img/sharp-…\`, only those for the machine's system are installed.

${tableOf(beside)}

## Texts

${[...textsOf(bundled), ...textsBeside(modules)].join('\n\n')}
`;
}

const tableOf = (packages) =>
  [
    '| package | version | license |',
    '| --- | --- | --- |',
    ...packages.map((each) => `| ${each.name} | ${each.version} | ${each.license} |`),
  ].join('\n');

function refuseOthers(packages, allowed) {
  const refused = packages.filter(({ license }) => !permits(allowed, license));
  if (refused.length > 0)
    throw new Error(
      refused.map((each) => `${each.name} ${each.version}: the license ${each.license} is not allowed (build/licenses.mjs)`).join('\n'),
    );
}

/** @param {string} expression in the notation of SPDX, without nested parentheses: `MIT`, `(MIT OR WTFPL)`, `Apache-2.0 AND MIT` */
const permits = (allowed, expression) =>
  String(expression)
    .split(' AND ')
    .every((part) =>
      part
        .replace(/[()]/g, '')
        .split(' OR ')
        .some((each) => allowed.has(each)),
    );

/** The packages that these files are of, each with its `package.json`. */
export function packagesOf(modules) {
  // The bundler's own modules have names that begin with NUL.
  const ofPackages = modules.filter((file) => file.includes('/node_modules/') && !file.startsWith('\0'));
  const folders = new Set(ofPackages.map(packageFolder));
  return byName([...folders].map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) })));
}

const byName = (packages) => packages.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));

/** The dependencies and theirs, as the lock file has them, for all systems. */
function withDependencies({ packages }, names) {
  const found = new Map();
  const visit = (name, from) => {
    // The nearest folder, as Node looks for it.
    const path = [...parents(from)].map((folder) => `${folder}node_modules/${name}`).find((each) => each in packages);
    if (path === undefined || found.has(path)) return;
    const { version, license, dependencies, optionalDependencies } = packages[path];
    found.set(path, { name, version, license });
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) visit(each, `${path}/`);
  };
  for (const name of names) visit(name, '');
  return [...found.values()];
}

function* parents(path) {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('node_modules/'))) yield at;
  yield '';
}

/** The nearest folder with a named package: some packages have further `package.json` files that only say how to read their modules. */
function packageFolder(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined) return folder;
  }
  throw new Error(`${file} belongs to no package`);
}

/** Each text once, below the packages that it is the license of, and their copyright lines. */
function textsOf(packages) {
  const groups = new Map();
  for (const { folder, name, license } of packages) {
    const { copyright, text } = licenseText(folder, license);
    // Line breaks and quotation marks differ from package to package.
    const key = text
      .replace(/\s+/g, ' ')
      .replace(/[“”"'‘’*]/g, '')
      .toLowerCase();
    const group = groups.get(key) ?? { text, packages: [] };
    groups.set(key, group);
    group.packages.push([name, ...copyright].join('\n'));
  }
  return [...groups.values()].map((group) => `\`\`\`\`text\n${group.packages.join('\n\n')}\n\n${group.text}\n\`\`\`\``);
}

function licenseText(folder, license) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  if (names.length === 0) return { copyright: [], text: `The package comes without the text of its license, ${license}.` };
  const lines = names
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n')
    .split(/\r?\n/);
  const isNotice = (line) => /^\s*(copyright\b(?! (?:notice|license|owner|holder))|\(c\) (?:copyright|\d{4})|©)/i.test(line);
  const isTitle = (line) => /^[#=\s]*\(?(the )?(mit|isc)( license)?( \(mit\))?\)?:?[=\s]*$/i.test(line) || /^[=-]+$/.test(line);
  const body = lines.filter((line) => !isNotice(line) && !isTitle(line));
  return {
    copyright: lines.filter(isNotice).map((line) => line.trim()),
    text: body
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

/** What a package's own bundler has put into its files has its licenses beside them. */
function textsBeside(modules) {
  const files = modules.map((file) => `${file}.LICENSE.txt`).filter((file) => existsSync(file));
  return files.map(
    (file) => `\`\`\`\`text\nContained in ${basename(file, '.LICENSE.txt')}:\n\n${readFileSync(file, 'utf8').trim()}\n\`\`\`\``,
  );
}
