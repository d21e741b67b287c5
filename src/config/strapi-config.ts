/** Reads a Strapi project's `config/` as Strapi merges it: `config/env/$NODE_ENV` over `config`.
 *  Its files are programs, which are not run, so some values cannot be known. */
import { join } from 'node:path';
import { isSource, readModule } from '../project-code/read-module.ts';
import { openSourceFiles, type SourceFiles } from '../project-code/source-files.ts';
import { called, type Value } from '../project-code/value.ts';
import type { Environment } from './environment.ts';

/** A value in a file. */
export type ConfigNode = { readonly file: string; readonly line: number } & (
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly (ConfigNode | undefined)[] }
  /** `rest` stands for entries that cannot be known, if there may be some. */
  | { readonly kind: 'object'; readonly entries: ReadonlyMap<string, ConfigNode>; readonly rest: ConfigNode | undefined }
  /** It cannot be known without running the file. */
  | { readonly kind: 'computed' }
);

export interface StrapiConfig {
  /** What a file such as `config/api.ts` gives; undefined without such a file. */
  file(name: string): ConfigNode | undefined;
  /** The files that the project has, by their names without extension. */
  readonly names: readonly string[];
}

/** More values than this in one file are not read. */
const maxNodes = 20_000;

export function openStrapiConfig(dir: string, environment: Environment): StrapiConfig {
  const files = openSourceFiles(dir);
  const mode = environment.get('NODE_ENV')?.text ?? 'development';
  const folders = ['config', `config/env/${mode}`];
  const variable = (name: string) => environment.get(name)?.text ?? (name === 'NODE_ENV' ? mode : undefined);
  const output = outputFolder(dir, files);
  const read = (name: string): ConfigNode | undefined =>
    folders
      .flatMap((folder) => {
        const found = sourcesNamed(files, folder, name);
        if (found === undefined) return [];
        const { file, value } = readModule(files, `${folder}/${found}`, { variable, folder: join(output, folder) });
        return [nodeOf(called(value), file) ?? { kind: 'computed' as const, file, line: 1 }];
      })
      .reduce<ConfigNode | undefined>((base, over) => (base === undefined ? over : merged(base, over)), undefined);
  const names = new Set(folders.flatMap((folder) => files.files(folder).filter(isSource).map(nameOf)));
  const known = new Map<string, ConfigNode | undefined>();
  return {
    names: [...names],
    file(name) {
      if (!known.has(name)) known.set(name, read(name));
      return known.get(name);
    },
  };
}

const nameOf = (file: string) => file.replace(/\.[^.]*$/, '');

/** A file that is compiled stands before what was compiled from it. */
function sourcesNamed(files: SourceFiles, folder: string, name: string): string | undefined {
  const found = files.files(folder).filter((file) => isSource(file) && nameOf(file) === name);
  return found.find((file) => /\.[cm]?ts$/.test(file)) ?? found[0];
}

/** Where the compiled files of a TypeScript project run; otherwise the project's folder. */
function outputFolder(dir: string, files: SourceFiles): string {
  const source = files.files('.').includes('tsconfig.json') ? files.read('tsconfig.json') : undefined;
  if (source?.ok !== true) return dir;
  return join(dir, /^\s*"outDir"\s*:\s*"([^"]+)"/m.exec(source.text)?.[1] ?? 'dist');
}

/** Undefined for `undefined`, which leaves a value to its default. */
function nodeOf(root: Value, file: string): ConfigNode | undefined {
  let left = maxNodes;
  const convert = (value: Value): ConfigNode | undefined => {
    const at = { file, line: value.line };
    left -= 1;
    if (left < 0) return { kind: 'computed', ...at };
    switch (value.kind) {
      case 'plain':
        return value.value === undefined ? undefined : { kind: 'plain', value: value.value, ...at };
      case 'list':
        return { kind: 'list', items: value.items.map(convert), ...at };
      case 'object': {
        const entries = [...value.entries].flatMap(([key, inner]): [string, ConfigNode][] => {
          const node = convert(inner);
          return node === undefined ? [] : [[key, node]];
        });
        return { kind: 'object', entries: new Map(entries), rest: value.open ? { kind: 'computed', ...at } : undefined, ...at };
      }
      default:
        return { kind: 'computed', ...at };
    }
  };
  return convert(root);
}

/** Merges as Strapi does, by Lodash's `merge`: objects by keys, lists by positions. */
function merged(base: ConfigNode, over: ConfigNode): ConfigNode {
  if (base.kind === 'object' && over.kind === 'object') {
    const entries = new Map(base.entries);
    // What is not known may replace any of them.
    if (over.rest !== undefined) for (const key of entries.keys()) entries.set(key, over.rest);
    for (const [key, node] of over.entries) {
      const before = base.entries.get(key);
      entries.set(key, before === undefined ? node : merged(before, node));
    }
    return { ...over, entries, rest: over.rest ?? base.rest };
  }
  if (base.kind === 'list' && over.kind === 'list') {
    const length = Math.max(base.items.length, over.items.length);
    const items = Array.from({ length }, (_, index) => {
      const [before, after] = [base.items[index], over.items[index]];
      return before === undefined || after === undefined ? (after ?? before) : merged(before, after);
    });
    return { ...over, items };
  }
  return over;
}

/** The value at a path, or the part of the path that cannot be known; undefined without one. */
export function nodeAt(node: ConfigNode | undefined, path: readonly string[]): ConfigNode | undefined {
  const [key, ...rest] = path;
  if (node === undefined || key === undefined || node.kind === 'computed') return node;
  return node.kind === 'object' ? nodeAt(node.entries.get(key) ?? node.rest, rest) : undefined;
}

/** The plain value of a node with all that is in it; undefined if a part of it is not known. */
export function plainOf(node: ConfigNode): { readonly value: unknown } | undefined {
  switch (node.kind) {
    case 'plain':
      return { value: node.value };
    case 'computed':
      return undefined;
    case 'list': {
      const items = node.items.map((item) => (item === undefined ? { value: undefined } : plainOf(item)));
      return items.includes(undefined) ? undefined : { value: items.map((item) => item?.value) };
    }
    case 'object': {
      if (node.rest !== undefined) return undefined;
      const entries = [...node.entries].map(([key, inner]) => [key, plainOf(inner)] as const);
      return entries.some(([, inner]) => inner === undefined)
        ? undefined
        : { value: Object.fromEntries(entries.map(([key, inner]) => [key, inner?.value])) };
    }
  }
}
