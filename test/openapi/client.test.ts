/** `openapi-typescript` and `openapi-fetch` make a client of the document: a program with it compiles, wrong uses of it do not, and it runs. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { startDemo } from '../support/demo.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useMade } from '../support/use-made.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const demo = useMade(startDemo);
const folder = useTemporaryFolder();
beforeAll(async () => {
  // TypeScript and Node find packages above the folder of a file.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(file('../node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'));
  symlinkSync(file('../../node_modules/@types'), join(folder, 'node_modules/@types'));
  const response = await fetch(`${demo().base}/api/openapi.json`, { headers: { Authorization: `Bearer ${demo().token}` } });
  const types = astToString(await openapiTS((await response.json()) as OpenAPI3));
  writeFileSync(join(folder, 'api.ts'), types);
  writeFileSync(join(folder, 'program.mts'), readFileSync(file('client-program.mts')));
});

const options: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
};

it('compiles', () => {
  const program = ts.createProgram([join(folder, 'api.ts'), join(folder, 'program.mts')], options);
  const problems = ts.getPreEmitDiagnostics(program).map((each) => ts.flattenDiagnosticMessageText(each.messageText, '\n'));
  expect(problems).toEqual([]);
  // Checking types takes long where other tests run beside it.
}, 240_000);

it('reads, writes and gets errors', async () => {
  const source = readFileSync(join(folder, 'program.mts'), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } });
  writeFileSync(join(folder, 'program.mjs'), outputText);
  const { runClient } = await import(pathToFileURL(join(folder, 'program.mjs')).href);
  expect(await runClient(demo().base, demo().token)).toEqual({
    titles: expect.arrayContaining([expect.stringMatching(/the/i)]),
    category: expect.any(String),
    pagination: { page: 1, pageSize: 2, pageCount: expect.any(Number), total: expect.any(Number) },
    populated: expect.any(String),
    created: 201,
    renamed: 'Typed again',
    isMissing: true,
    isMisspelt: false,
    zone: expect.any(Number),
    nope: undefined,
    wrong: 'ValidationError',
    refused: 400,
  });
});
