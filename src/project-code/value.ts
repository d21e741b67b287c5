/** The value of an expression in the project's code, if it can be known without running it. */
export type Value = { readonly line: number } & Shape;

type Shape =
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | {
      readonly kind: 'object';
      readonly entries: ReadonlyMap<string, Value>;
      /** It may have further entries that cannot be read. */
      readonly open: boolean;
    }
  | { readonly kind: 'function'; readonly returns: () => Value }
  /** Something imported from a module, or reached from a function's first parameter. */
  | ({ readonly kind: 'reference' } & ImportSource)
  | ({ readonly kind: 'call'; readonly arguments: readonly Value[] } & ImportSource)
  | { readonly kind: 'unknown' };

export interface ImportSource {
  /** The name of a module, or `(0)` for the first parameter. */
  readonly from: string;
  readonly path: readonly string[];
}

/** The entry of an object; a plain `undefined` if the object certainly lacks it. */
export function entryOf(value: Value, key: string): Value {
  if (value.kind !== 'object') return { kind: 'unknown', line: value.line };
  return (
    value.entries.get(key) ?? (value.open ? { kind: 'unknown', line: value.line } : { kind: 'plain', value: undefined, line: value.line })
  );
}

export const textIn = (value: Value): string | undefined =>
  value.kind === 'plain' && typeof value.value === 'string' ? value.value : undefined;

export const isAbsent = (value: Value): boolean => value.kind === 'plain' && (value.value === undefined || value.value === null);

/** Replaces a function by its return value: an export may be an object or a function. */
export const called = (value: Value): Value => (value.kind === 'function' ? value.returns() : value);

const strapiModules: ReadonlySet<string> = new Set(['@strapi/strapi', '@strapi/core']);

/** The arguments of a call to one of Strapi's factories, such as `createCoreRouter`. */
export function factoryArguments(value: Value, factory: string): readonly Value[] | undefined {
  if (value.kind !== 'call' || !strapiModules.has(value.from)) return undefined;
  const path = value.path.filter((part) => part !== 'default' && part !== 'factories');
  return path.length === 1 && path[0] === factory ? value.arguments : undefined;
}

/** The value of parsed JSON. */
export function jsonValue(value: unknown): Value {
  const line = 1;
  if (Array.isArray(value)) return { kind: 'list', items: value.map(jsonValue), line };
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', entries: new Map(Object.entries(value).map(([key, each]) => [key, jsonValue(each)])), open: false, line };
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
    ? { kind: 'plain', value, line }
    : { kind: 'unknown', line };
}
