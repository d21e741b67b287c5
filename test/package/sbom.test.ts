/** `dist/sbom.cdx.json`, which comes with the package, and its audit before a release. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../support/listen.ts';
import { manifest, root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

const { sbomOf } = await import(pathToFileURL(join(root, 'build/sbom.mjs')).href);
const text = readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8');
const sbom: { readonly components: readonly Component[] } & Record<string, unknown> = JSON.parse(text);
const nameOf = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);
const folder = useTemporaryFolder();

describe('dist/sbom.cdx.json', () => {
  it('has the bundled packages of LICENSES.md, each with its version and license', () => {
    const [, bundled = ''] = readFileSync(join(root, 'LICENSES.md'), 'utf8').split('## Packages in the files of `dist`');
    const rows = [...(bundled.split('\n## ')[0] ?? '').matchAll(/^\| (\S+) \| (\d\S*) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
    expect(rows.length).toBeGreaterThan(100);
    const listed = sbom.components.map((each) => [
      nameOf(each),
      each.version,
      ...each.licenses.map(({ license, expression }) => license?.id ?? expression),
    ]);
    expect(listed).toEqual(rows);
  });

  it('is CycloneDX 1.5 of this version, and says neither when nor where it was made', () => {
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'application', name: 'lectern', version: manifest.version } },
    });
    expect(text).not.toMatch(/timestamp|serialNumber|"\//);
    expect(text).not.toContain(root);
  });

  it('has a package URL for each', () => {
    const packages = ['qs 6.1.0 MIT', '@scope/some 2.0.0+a MIT', 'both 1.0.0 (MIT OR ISC)', 'qs 6.1.0 MIT'].map((each) => {
      const [name, version, ...license] = each.split(' ');
      return { name, version, license: license.join(' ') };
    });
    const made: { readonly components: readonly Component[] } = JSON.parse(sbomOf(packages[0], packages));
    expect(made.components.map(({ purl, licenses }) => [purl, licenses[0]])).toEqual([
      ['pkg:npm/qs@6.1.0', { license: { id: 'MIT' } }],
      ['pkg:npm/%40scope/some@2.0.0%2Ba', { license: { id: 'MIT' } }],
      ['pkg:npm/both@1.0.0', { expression: '(MIT OR ISC)' }],
    ]);
  });
});

describe('its audit', () => {
  /** A registry that knows one vulnerability. */
  async function audit(file: string, vulnerable: string, range: string) {
    let asked: Record<string, readonly string[]> = {};
    const registry = createServer(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(404).end('{}');
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      asked = JSON.parse((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString());
      const advisory = { id: 1, url: 'https://example.org/1', title: 'A fault', severity: 'high', vulnerable_versions: range };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(vulnerable in asked ? { [vulnerable]: [advisory] } : {}));
    });
    const port = await listen(registry);
    onTestFinished(() => void registry.close());
    const args = [join(root, 'build/audit-sbom.mjs'), file, `--registry=http://127.0.0.1:${port}`, `--cache=${folder}/cache`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const status = await new Promise((resolve) => child.on('close', resolve));
    return { status, output, asked };
  }

  it('asks for every package in every version, and succeeds where other versions have a known vulnerability', async () => {
    const { status, output, asked } = await audit(join(root, 'dist/sbom.cdx.json'), 'pg', '<0.0.2');
    expect(output).toContain('found 0 vulnerabilities');
    expect(status).toBe(0);
    expect(
      Object.entries(asked)
        .flatMap(([name, versions]) => versions.map((version) => `${name} ${version}`))
        .sort(),
    ).toEqual(sbom.components.map((each) => `${nameOf(each)} ${each.version}`).sort());
  });

  it('fails for a version with a known vulnerability', async () => {
    const file = join(folder, 'some.cdx.json');
    const packages = ['1.2.3', '2.0.0'].map((version) => ({ name: '@scope/some', version, license: 'MIT' }));
    writeFileSync(file, sbomOf({ name: 'product', version: '1.0.0', license: 'MIT' }, packages));
    const { status, output } = await audit(file, '@scope/some', '<1.3.0');
    expect(output).toContain('https://example.org/1');
    expect(status).toBe(1);
  });
});
