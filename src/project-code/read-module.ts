/** Modules in a folder, in the order in which Strapi loads them, each with the value that it exports. */
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
