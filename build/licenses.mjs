/** Names, versions and licenses of the packages that are bundled: their licenses ask for the text to come with each copy. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @param {string[]} files of bundled modules */
export function licensesOf(files) {
  const folders = new Set(files.filter((file) => file.includes('/node_modules/')).map(packageFolder));
  const packages = [...folders].map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }));
  packages.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
  const texts = packages.map(({ folder, name, version, license }) => `${name} ${version} (${license})\n\n${licenseText(folder)}`);
  const head = 'The files of this folder contain these packages, whole or in part.';
  return [head, packages.map(({ name, version }) => `${name} ${version}`).join('\n'), ...texts].join(`\n\n${'-'.repeat(78)}\n`);
}

/** The nearest folder with a named package: some packages have further `package.json` files that only say how to read their modules. */
function packageFolder(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined) return folder;
  }
  throw new Error(`${file} belongs to no package`);
}

function licenseText(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  if (names.length === 0) return 'The package comes without the text of its license.';
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}
