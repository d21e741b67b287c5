/** The package as `npm pack` makes it, in a folder that has nothing else but the packages that it names as dependencies. */
import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dependencies, installPacked, manifest, root } from '../support/packed.ts';

const run = promisify(execFile);
const packages: { installed: string[]; absent: string[] } = await import(pathToFileURL(join(root, 'build/packages.mjs')).href);

let folder: string;
let installed: string;
let files: readonly string[];
let size: number;

beforeAll(async () => {
  ({ folder, installed, files, size } = await installPacked());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('has the built code, the example and the documentation, and neither sources nor tests', () => {
  expect([...new Set(files.map((file) => file.replace(/\/.*/s, '/')))].sort()).toEqual([
    'LICENSE',
    'LICENSES.md',
    'README.md',
    'SECURITY.md',
    'bin/',
    'deploy/',
    'dist/',
    'docs/',
    'examples/',
    'node20/',
    'package.json',
    'schema/',
  ]);
  expect(
    files.filter(
      (file) => /\.ts$|\.test\./.test(file) && !file.startsWith('examples/newsroom/lectern/') && !file.startsWith('dist/types/'),
    ),
  ).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSES.md', 'dist/sbom.cdx.json', 'schema/content-type.json', 'schema/component.json']));
});

it('is smaller than 4 MB', () => expect(size).toBeLessThan(4_000_000));

it('imports only packages that it depends on, besides those that it never loads', () => {
  expect([...packages.installed].sort()).toEqual([...dependencies].sort());
  const dist = join(installed, 'dist');
  const imported = readdirSync(dist)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(join(dist, file), 'utf8').matchAll(
        /(?:^(?:import|export)\b[^"';]*\bfrom |^import |\bimport\(|\b__require\()["']([\w@][^"'\n]*)["']/gm,
      ),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  expect(imported).toContain('sharp');
  expect([...new Set(imported)].filter((name) => ![...packages.installed, ...packages.absent].includes(name))).toEqual([]);
});

it('prints its version for npx lectern --version', async () => {
  const { stdout } = await run('npx', ['--offline', '--no-install', 'lectern', '--version'], { cwd: folder });
  expect(stdout).toBe(`${manifest.version}\n`);
});

it("runs README.md's commands that end by themselves", async () => {
  const page = readFileSync(join(installed, 'README.md'), 'utf8');
  const commands = [...page.matchAll(/^npx (lectern (?:init|check)\b.*)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    // In the folder that is removed at the end, not beside it.
    const args = command.replace(/path\/to\/project|\.\.\/site/, 'site').split(' ');
    // What npx runs, which the test before has used.
    await run(join(folder, 'node_modules/.bin', args[0] ?? ''), args.slice(1), { cwd: folder });
  }
  expect(readdirSync(join(folder, 'site'))).toContain('permissions.json');
});

it('names source files in stack traces', async () => {
  const bundle = pathToFileURL(join(installed, 'dist/lectern.js')).href;
  const program = `const { runCommand, nameSourcesInStacks } = await import(${JSON.stringify(bundle)});
    nameSourcesInStacks(${JSON.stringify(bundle)});
    await runCommand(5).catch((error) => console.log(error.stack));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  const parse = readFileSync(join(root, 'src/cli/cli.ts'), 'utf8').split('\n');
  const line = 1 + parse.findIndex((text) => text.includes('program.parseAsync(args'));
  expect(stdout).toMatch(/^Error: first parameter to parse must be array or undefined\n/);
  expect(stdout).toMatch(new RegExp(`[ (]src/cli/cli\\.ts:${line}\\)?\n`));
  // Packages have no maps, which would be half of all maps.
  expect(stdout).toMatch(/Command\.parseAsync .*\/dist\/server-/);
});

it('serves its demo, with all its processes', async () => {
  const child = spawn(process.execPath, [join(folder, 'node_modules/.bin/lectern'), 'demo', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let welcome = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      welcome += text;
      if (welcome.includes('Ctrl-C')) resolve();
    });
    ended.then((status) => reject(new Error(`the demo ended with ${status}: ${welcome}`)));
  });
  try {
    const printed = (pattern: RegExp) => pattern.exec(welcome)?.[0] ?? '';
    const base = printed(/http:\/\/127\.0\.0\.1:\d+/);
    const post = (path: string, body: object, headers = {}) =>
      fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

    // A process reads, another one writes, and a third one makes the picture.
    expect((await fetch(`${base}/api/articles?populate=*`)).status).toBe(200);
    expect((await post('/api/tags', { data: { name: 'Storm', slug: 'storm' } }, { authorization: printed(/Bearer \w+/) })).status).toBe(
      201,
    );
    expect((await fetch(printed(/http\S+\?width=\S+/))).headers.get('content-type')).toBe('image/webp');
    // bcrypt compares the password.
    const user: object = JSON.parse(printed(/\{"identifier".*\}/));
    expect((await post('/api/auth/local', user)).status).toBe(200);
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(0);
});
