/** Reads settings from a Strapi project's own `config/`. Its files are programs, which are not run, so only plain values and `env(…)` are
 *  understood. */
import { isSource, readModule } from '../project-code/read-module.ts';
import { openSourceFiles } from '../project-code/source-files.ts';
import { called, entryOf, isAbsent, textIn, type Value } from '../project-code/value.ts';
import type { Environment } from './environment.ts';
import type { StrapiConfigFinding } from './strapi-settings-report.ts';

/** The position of a setting in Strapi's configuration: `config/api.ts`, `rest.strictParams`. */
export interface StrapiLocation {
  readonly file: string;
  readonly path: readonly string[];
}

export type StrapiConfigValue =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'value'; readonly value: unknown; readonly at: StrapiPosition }
  /** The file computes the value, so it is unknown. */
  | { readonly kind: 'unreadable'; readonly at: StrapiPosition };

export type StrapiPosition = Pick<StrapiConfigFinding, 'file' | 'line' | 'path'>;

export function openStrapiConfig(dir: string, environment: Environment): (location: StrapiLocation) => StrapiConfigValue {
  const files = openSourceFiles(dir);
  const modules = new Map<string, readonly { readonly file: string; readonly value: Value }[]>();
  /** The environment's own folder takes precedence. */
  const folders = [`config/env/${environment.get('NODE_ENV')?.text ?? 'development'}`, 'config'];

  function modulesOf(name: string) {
    const found =
      modules.get(name) ??
      folders.flatMap((folder) =>
        files
          .files(folder)
          .filter((file) => isSource(file) && file.replace(/\.[^.]*$/, '') === name)
          .map((file) => readModule(files, `${folder}/${file}`)),
      );
    modules.set(name, found);
    return found;
  }

  return ({ file: name, path }) => {
    for (const { file, value } of modulesOf(name)) {
      const found = path.reduce(entryOf, called(value));
      if (isAbsent(found)) continue;
      const at = { file, line: found.line, path: path.join('.') };
      const plain = plainOf(found, environment);
      if (plain === undefined) return { kind: 'unreadable', at };
      if (plain.value !== undefined) return { kind: 'value', value: plain.value, at };
    }
    return { kind: 'nothing' };
  };
}

function plainOf(value: Value, environment: Environment): { readonly value: unknown } | undefined {
  if (value.kind === 'plain') return { value: value.value };
  if (value.kind !== 'call' || value.from !== '(0)' || value.path[0] !== 'env' || value.path.length > 2) return undefined;
  const [key, ...more] = value.arguments;
  const name = key === undefined ? undefined : textIn(key);
  const last = more.at(-1);
  const fallback = last === undefined ? { value: undefined } : last.kind === 'plain' ? { value: last.value } : undefined;
  if (name === undefined) return undefined;
  const text = environment.get(name)?.text;
  switch (value.path[1]) {
    case undefined:
      return text === undefined ? fallback : { value: text };
    case 'bool':
      return text === undefined ? fallback : { value: text === 'true' };
    case 'oneOf': {
      const [words] = more;
      const known = words?.kind === 'list' ? words.items.map(textIn) : [];
      return text !== undefined && known.includes(text) ? { value: text } : fallback;
    }
    default:
      return undefined;
  }
}
