/** The package of the client as `npm pack` makes it: its size, what is in it, and that it is used by name with its types. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load/load-model.ts';
import { typescriptOf } from '../../src/typescript/typescript-of-model.ts';
import { root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { type PlayedServer, startPlayedServer } from './played-server.ts';

const run = promisify(execFile);
const folder = useTemporaryFolder();
let files: readonly string[];
let server: PlayedServer;
const installed = () => join(folder, 'node_modules/@lectern/client');

beforeAll(async () => {
  server = await startPlayedServer();
  // Packing builds it: in a copy, since other tests are using the built client.
  const copy = join(folder, 'copy');
  for (const name of [
    'client/src',
    'client/package.json',
    'client/README.md',
    'client/LICENSE',
    'client/build.mjs',
    'client/tsconfig.json',
    'tsconfig.json',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const packed = await run('npm', ['pack', '--json', '--offline', '--pack-destination', folder], { cwd: join(copy, 'client') });
  // The scripts that build it write before the JSON.
  const [{ filename, files: listed }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n')));
  files = listed.map(({ path }: { path: string }) => path);
  await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
  mkdirSync(join(folder, 'node_modules/@lectern'), { recursive: true });
  cpSync(join(folder, 'package'), installed(), { recursive: true });
});
afterAll(() => server.close());

it('is smaller than 6.2 kB', () => {
  expect(gzipSync(readFileSync(join(installed(), 'dist/index.js')), { level: 9 }).length).toBeLessThan(6200);
});

it('has its code and its types, and needs no other package', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/result.d.ts']),
  );
  expect(files.filter((file) => !/^(README\.md|LICENSE|package\.json|dist\/[\w-]+\.(d\.ts|js|js\.map))$/.test(file))).toEqual([]);
  expect(readFileSync(join(installed(), 'dist/index.js'), 'utf8')).not.toMatch(/\bimport\s*[({'"]|\brequire\(|process\.|Buffer/);
});

it('is imported by its name', async () => {
  writeFiles(folder, {
    'package.json': { type: 'module' },
    'use.mjs': `import { createClient } from '@lectern/client';
      const { data } = await createClient({ baseURL: '${server.base}/api' }).collection('articles').find({ fields: ['title'] });
      console.log(JSON.stringify(data));`,
  });
  expect((await run(process.execPath, ['use.mjs'], { cwd: folder })).stdout).toBe('[]\n');
  expect(server.requests[0]?.url).toBe('/api/articles?fields[0]=title');
});

/** The messages of the compiler for a program that uses the package, with the statement that each of them is about. */
function problemsOf(code: string): string[] {
  const text = `import { createClient } from '@lectern/client';
import type { Schema } from './types.ts';
const client = createClient<Schema>({ baseURL: 'http://x/api' });
const articles = client.collection('articles');
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_ extends true>() => undefined;
${code}\nexport {};\n`;
  const loaded = loadModel(join(root, 'examples/blog'), { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const types = typescriptOf(loaded.model, { fillUids: true, requireRelations: true });
  writeFiles(folder, { 'package.json': { type: 'module' }, 'types.ts': types, 'check.ts': text });
  const options: ts.CompilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    strict: true,
    // The types of the package are checked, and not those of TypeScript.
    skipDefaultLibCheck: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const program = ts.createProgram([join(folder, 'check.ts')], options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line =
      file === undefined || start === undefined
        ? ''
        : file.text.slice(file.text.lastIndexOf('\n', start) + 1, file.text.indexOf('\n', start));
    return `${line.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const accepted = `
const some = await articles.findOne('a', { fields: ['title'], populate: { author: { fields: ['name'] } } }).orThrow();
is<Is<typeof some.data.title, string>>();
for await (const entry of articles.all({ fields: ['kind'] })) is<Is<keyof typeof entry, 'id' | 'documentId' | 'kind'>>();

const { data, error } = await articles.findOne('a');
if (error) {
  is<Is<typeof data, null>>();
  if (error.kind === 'invalid') is<Is<NonNullable<typeof error.details.errors>[number]['message'], string>>();
} else is<Is<typeof data.title, string>>();
`;

const refused: readonly (readonly [what: string, code: string])[] = [
  ['a new document without a required attribute', "articles.create({ kind: 'walk' });"],
  ['data without looking at the error', "(await articles.findOne('a')).data.title;"],
];

describe('the types', () => {
  let problems: readonly string[];
  beforeAll(() => {
    problems = problemsOf(`${accepted}\n${refused.map(([, code]) => code).join('\n')}`);
  });

  it('are those of the schema, and narrow responses and errors', () => {
    expect(problems.filter((problem) => !refused.some(([, code]) => problem.startsWith(code)))).toEqual([]);
  });

  it.each(refused)('refuse %s', (_, code) => {
    expect(problems).toContainEqual(expect.stringContaining(code));
  });
});
