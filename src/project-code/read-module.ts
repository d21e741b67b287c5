/** Modules in a folder, in Strapi's order of loading, each with the value that it exports. */
import { parseJson } from '../text/json.ts';
import { evaluateModule } from './evaluate.ts';
import type { SourceFiles } from './source-files.ts';
import type { Surroundings } from './surroundings.ts';
import { jsonValue, type Value } from './value.ts';

export interface Module {
  /** Relative to the project. */
  readonly file: string;
  /** The file's name without its extension. */
  readonly name: string;
  readonly value: Value;
}

const extension = /\.(?:[cm]?[jt]s|json)$/;
const declarations = /\.d\.[cm]?ts$/;

export const isSource = (file: string): boolean => extension.test(file) && !declarations.test(file);

/** The path of the source file with that name in a folder. */
export function sourceNamed(files: SourceFiles, folder: string, name: string): string | undefined {
  const found = files.files(folder).find((file) => isSource(file) && file.replace(/\.[^.]*$/, '') === name);
  return found === undefined ? undefined : `${folder}/${found}`;
}

/** `config/middlewares.*`, and those of environments: which one applies depends on NODE_ENV. */
export function configFiles(files: SourceFiles, name: string): readonly string[] {
  const folders = ['config', ...files.folders('config/env').map((each) => `config/env/${each}`)];
  return folders.flatMap((folder) => sourceNamed(files, folder, name) ?? []);
}

export function readModules(files: SourceFiles, folder: string): readonly Module[] {
  return files
    .files(folder)
    .filter(isSource)
    .map((name) => readModule(files, `${folder}/${name}`));
}

export function readModule(files: SourceFiles, file: string, around?: Surroundings): Module {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(extension, '');
  const source = files.read(file);
  const value: Value = !source.ok
    ? { kind: 'unknown', line: 1 }
    : file.endsWith('.json')
      ? valueOfJson(parseJson(source.text))
      : evaluateModule(source.text, around);
  return { file, name, value };
}

function valueOfJson(parsed: ReturnType<typeof parseJson>): Value {
  return parsed.ok ? jsonValue(parsed.value) : { kind: 'unknown', line: parsed.position.line };
}
