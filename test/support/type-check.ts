/** TypeScript in tests: compiles sources that are given as text, and describes what an editor would show. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Checked {
  /** The messages of the compiler for each file that has any. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The type of an exported variable, as editors show it. */
  shownType(file: string, name: string): string;
}

/** The folder that the files seem to be in. Imports are resolved from there. */
const folder = fileURLToPath(new URL('.', import.meta.url));

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noErrorTruncation: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/** Compiles files by name, which may import each other and any package. */
export function typeCheck(files: Readonly<Record<string, string>>): Checked {
  const texts = new Map(Object.entries(files).map(([name, text]) => [resolve(folder, name), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, language, ...rest) : ts.createSourceFile(path, text, language, true);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const errors: Record<string, string[]> = {};
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = Object.keys(files).find((each) => resolve(folder, each) === file?.fileName) ?? file?.fileName ?? '';
    errors[name] ??= [];
    errors[name].push(ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
  return {
    errors,
    shownType(file, name) {
      const checker = program.getTypeChecker();
      const source = program.getSourceFile(resolve(folder, file));
      const module = source && checker.getSymbolAtLocation(source);
      const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name);
      if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
      return checker.typeToString(checker.getTypeOfSymbol(symbol), source, ts.TypeFormatFlags.NoTruncation);
    },
  };
}
