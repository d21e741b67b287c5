/** TypeScript in tests: compiles sources that are given as text, and describes what an editor would show. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Checked {
  /** The messages of the compiler for each file that has any. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The type of an exported variable, as editors show it. */
  shownType(file: string, name: string): string;
  /** What an editor offers at the place of a file that is marked by a comment with `|`. */
  offered(file: string): readonly string[];
  /** How much the compiler had to do. */
  work(): { readonly types: number; readonly instantiations: number };
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
  // The published types of the module that hooks and endpoints import.
  paths: { lectern: [fileURLToPath(new URL('../../dist/types/src/own-code/define.d.ts', import.meta.url))] },
};

/** The files of TypeScript and of packages are parsed once. */
const registry = ts.createDocumentRegistry();

/** Compiles files by name, which may import each other and any package. */
export function typeCheck(files: Readonly<Record<string, string>>): Checked {
  const texts = new Map(Object.entries(files).map(([name, text]) => [resolve(folder, name), text]));
  const read = (path: string) => texts.get(path) ?? ts.sys.readFile(path);
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: (path) => texts.get(path) ?? '',
    getScriptSnapshot(path) {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: read,
  };
  const service = ts.createLanguageService(host, registry);
  const program = service.getProgram();
  if (program === undefined) throw new Error('there is nothing to compile');
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
    offered(file) {
      const position = files[file]?.indexOf(cursor) ?? -1;
      if (position === -1) throw new Error(`${file} has no ${cursor}`);
      return service.getCompletionsAtPosition(resolve(folder, file), position, undefined)?.entries.map(({ name }) => name) ?? [];
    },
    work: () => ({ types: program.getTypeCount(), instantiations: program.getInstantiationCount() }),
  };
}

const cursor = '/*|*/';
