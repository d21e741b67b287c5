/** What code may use without imports from the project: variables, its own folder, Strapi's `env`, a
 *  few functions. Their results are known without running the code. */
import { join, resolve } from 'node:path';
import { parseJson } from '../text/json.ts';
import { maxTextLength } from './operators.ts';
import { type ImportSource, jsonValue, textIn, type Value } from './value.ts';

export interface Surroundings {
  readonly variable: (name: string) => string | undefined;
  /** The folder of the file, as it runs: `__dirname`. */
  readonly folder: string;
}

/** The source of names that are there without an import. */
export const globalSource = '(global)';
const globals: ReadonlySet<string> = new Set(['process', '__dirname', 'Number', 'parseInt', 'parseFloat', 'Boolean', 'String']);
export const isGlobal = (name: string): boolean => globals.has(name);

type Plain = Extract<Value, { readonly kind: 'plain' }>['value'];
const plain = (value: Plain, line: number): Value => ({ kind: 'plain', value, line });

/** The value of `process.env.NAME` and `__dirname`. */
export function referenceValue({ from, path }: ImportSource, line: number, { variable, folder }: Surroundings): Value | undefined {
  const [first, second, third] = from === globalSource ? path : from.replace(/^node:/, '') === 'process' ? ['process', ...path] : [];
  if (first === '__dirname' && path.length === 1) return plain(folder, line);
  return first === 'process' && second === 'env' && third !== undefined ? plain(variable(third), line) : undefined;
}

/** The result of Strapi's `env`, of `path.join` and `path.resolve`, or of a conversion. */
export function callValue({ from, path }: ImportSource, args: readonly Value[], line: number, around: Surroundings): Value | undefined {
  const isHelper = (from === '(0)' || from === '@strapi/utils') && path[0] === 'env' && path.length <= 2;
  if (isHelper) return variableValue(path[1] ?? 'text', args, line, around);
  const name = path.at(-1) ?? '';
  if (from.replace(/^node:/, '') === 'path') return pathValue(name, args, line);
  return from === globalSource && path.length === 1 ? converted(name, args, line) : undefined;
}

type Read = (text: string, line: number, more: readonly Value[]) => Value | undefined;

/** How `env`, `env.int`, … read a variable. */
const readers: Readonly<Record<string, Read>> = {
  text: plain,
  int: (text, line) => plain(Number.parseInt(text, 10), line),
  float: (text, line) => plain(Number.parseFloat(text), line),
  bool: (text, line) => plain(text === 'true', line),
  json(text, line) {
    const parsed = parseJson(text);
    return parsed.ok ? { ...jsonValue(parsed.value), line } : undefined;
  },
  array: (text, line) => ({
    kind: 'list',
    items: text
      .replace(/^\[(.*)\]$/s, '$1')
      .split(',')
      .map((item) => plain(item.replaceAll(/^ +| +$/g, '').replaceAll(/^"+|"+$/g, ''), line)),
    line,
  }),
};

function variableValue(kind: string, [key, ...more]: readonly Value[], line: number, { variable }: Surroundings): Value | undefined {
  const name = key === undefined ? undefined : textIn(key);
  if (name === undefined) return undefined;
  const text = variable(name);
  if (kind === 'oneOf') {
    const [words, fallback = plain(undefined, line)] = more;
    if (words?.kind !== 'list') return undefined;
    return text !== undefined && words.items.map(textIn).includes(text) ? plain(text, line) : fallback;
  }
  if (!Object.hasOwn(readers, kind)) return undefined;
  if (text === undefined) return more[0] ?? plain(undefined, line);
  return readers[kind]?.(text, line, more);
}

function pathValue(name: string, args: readonly Value[], line: number): Value | undefined {
  const parts = args.map(textIn).filter((part) => part !== undefined);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (parts.length !== args.length || parts.length === 0 || length > maxTextLength) return undefined;
  if (name === 'join') return plain(join(...parts), line);
  // A relative path depends on the current folder of the process.
  return name === 'resolve' && parts[0]?.startsWith('/') ? plain(resolve(...parts), line) : undefined;
}

const conversions: Readonly<Record<string, (value: Plain) => Plain>> = {
  Number,
  Boolean,
  String,
  parseInt: (value) => Number.parseInt(String(value), 10),
  parseFloat: (value) => Number.parseFloat(String(value)),
};

function converted(name: string, [value, base]: readonly Value[], line: number): Value | undefined {
  const isDecimal = base === undefined || (base.kind === 'plain' && base.value === 10);
  if (value?.kind !== 'plain' || !Object.hasOwn(conversions, name) || !isDecimal) return undefined;
  return plain(conversions[name]?.(value.value), line);
}

/** The result of a method of a known text. */
export function methodValue(text: string, name: string, args: readonly Value[], line: number): Value | undefined {
  if (name === 'trim') return plain(text.trim(), line);
  if (name === 'toLowerCase') return plain(text.toLowerCase(), line);
  const separator = args[0] === undefined ? undefined : textIn(args[0]);
  if (name !== 'split' || separator === undefined || args.length > 1 || text.length > maxTextLength) return undefined;
  return { kind: 'list', items: text.split(separator).map((part) => plain(part, line)), line };
}
