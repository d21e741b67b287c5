/** `node build/audit-sbom.mjs [sbom.cdx.json] [options of npm audit]`: asks the registry for known vulnerabilities of the packages in the file. Ends as `npm audit` does.
 *  npm reads lock files alone: it gets one that has these packages, and needs none of their dependencies, which are in the file where they are bundled. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [file = fileURLToPath(new URL('../dist/sbom.cdx.json', import.meta.url)), ...options] = process.argv.slice(2);
const { components } = JSON.parse(readFileSync(file, 'utf8'));

const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
// Several versions of a package each get a name of their own: `npm:qs@6.1.0`.
const dependencies = Object.fromEntries(components.map(({ version }, index) => [`p${index}`, `npm:${names[index]}@${version}`]));
const packages = Object.fromEntries(components.map(({ version }, index) => [`node_modules/p${index}`, { name: names[index], version }]));
const project = { name: 'sbom', version: '0.0.0', dependencies };

const folder = mkdtempSync(join(tmpdir(), 'lectern-sbom-'));
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  const lock = { name: 'sbom', version: '0.0.0', lockfileVersion: 3, requires: true, packages: { '': project, ...packages } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  process.stdout.write(`${components.length} packages of ${file}\n`);
  const { status } = spawnSync('npm', ['audit', '--package-lock-only', ...options], { cwd: folder, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
