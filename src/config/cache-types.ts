/** `cache.types`: headers for browsers and shared caches, by content type. */
import { isObject } from '../text/json.ts';
import type { JsonShape } from './setting.ts';

export interface TypeCaching {
  /** The value of `Cache-Control` for callers without credentials. */
  readonly cacheControl?: string;
  /** Whether responses have `Surrogate-Key`. */
  readonly surrogateKey?: boolean;
  /** Request headers that `Vary` names beside those that the server names. */
  readonly vary?: readonly string[];
}

export type CachingByType = Readonly<Record<string, TypeCaching>>;

const directives = /^[a-z][a-z-]*(?:=\d{1,10})?(?:, ?[a-z][a-z-]*(?:=\d{1,10})?)*$/;
const headerName = /^[A-Za-z\d-]{1,100}$/;

const rules: Readonly<Record<keyof TypeCaching, (value: unknown) => boolean>> = {
  cacheControl: (value) => typeof value === 'string' && directives.test(value),
  surrogateKey: (value) => typeof value === 'boolean',
  vary: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string' && headerName.test(name)),
};

const isRule = (name: string): name is keyof TypeCaching => Object.hasOwn(rules, name);

const isTypeCaching = (value: unknown): value is TypeCaching =>
  isObject(value) && Object.entries(value).every(([name, each]) => isRule(name) && rules[name](each));

const isCachingByType = (value: unknown): value is CachingByType => isObject(value) && Object.values(value).every(isTypeCaching);

export const cachingByType: JsonShape<CachingByType> = {
  shape:
    'an object (JSON in a variable) of uids of content types, each with `cacheControl` (directives such as "public, max-age=60"), `surrogateKey` (true or false) or `vary` (a list of names of headers)',
  fallback: {},
  read: (value) => (isCachingByType(value) ? value : undefined),
};
