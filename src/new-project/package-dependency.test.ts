import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageDependency } from './package-dependency.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-')));
afterAll(() => rmSync(root, { recursive: true }));
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
/** The dependency of `app/site` on the package that npm has installed in `app`, and noted as
 *  this. */
function installed(entry: object | undefined): string {
  write('app/node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/lectern': entry } }));
  return packageDependency(join(root, 'app/site'), join(root, 'app/node_modules/lectern'), '0.2.0');
}

describe('the dependency of a new project', () => {
  it('is the folder of a checkout', () => {
    expect(packageDependency(join(root, 'work/site'), join(root, 'checkout'), '0.2.0')).toBe('file:../../checkout');
    expect(packageDependency(join(root, 'checkout/site'), join(root, 'checkout'), '0.2.0')).toBe('file:..');
    mkdirSync(join(root, 'deep/er'), { recursive: true });
    symlinkSync(join(root, 'deep/er'), join(root, 'link'));
    expect(packageDependency(join(root, 'link/site'), join(root, 'checkout'), '0.2.0')).toBe('file:../../../checkout');
  });

  it('is what npm installed', () => {
    write('packs/lectern-0.2.0.tgz', '');
    expect(installed({ resolved: 'file:../packs/lectern-0.2.0.tgz' })).toBe('file:../../packs/lectern-0.2.0.tgz');
    expect(installed({ resolved: 'https://registry.npmjs.org/lectern/-/lectern-0.2.0.tgz' })).toBe('^0.2.0');
    expect(installed({ resolved: 'git+ssh://git@example.org/lectern.git#1234' })).toBe('git+ssh://git@example.org/lectern.git#1234');
  });

  it('is the installed folder where that is not known, or a tarball that is gone', () => {
    expect(installed({ resolved: 'file:../packs/gone.tgz' })).toBe('file:../node_modules/lectern');
    expect(installed(undefined)).toBe('file:../node_modules/lectern');
    rmSync(join(root, 'app/node_modules/.package-lock.json'));
    expect(packageDependency(join(root, 'app/site'), join(root, 'app/node_modules/lectern'), '0.2.0')).toBe('file:../node_modules/lectern');
  });
});
