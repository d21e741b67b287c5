/** Reads the keys of JSON objects in settings (providers, webhooks). A rule's phrase completes
 *  "must be …". */
import type { JsonObject } from '../text/json.ts';

export interface Rule<T> {
  readonly shape: string;
  readonly read: (value: unknown) => T | undefined;
  /** What a wrong value may have meant, to end the problem. */
  readonly hint?: (value: unknown) => string;
}

/** A list of at least one text, of which each one holds. */
export const listOfTexts =
  (holds: (value: string) => boolean) =>
  (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) && value.length > 0 && value.every((each): each is string => typeof each === 'string' && holds(each))
      ? value
      : undefined;

/** Returns a function that reads a key by its rule. A missing key has the fallback, unless it is
 *  required. `report` gets the problem of a wrong value, which then has the fallback as well. */
export const keyReader =
  (object: JsonObject, required: ReadonlySet<string>, report: (problem: string) => void) =>
  <T>(key: string, rule: Rule<T>, fallback: T): T => {
    if (object[key] === undefined && !required.has(key)) return fallback;
    const value = rule.read(object[key]);
    if (value === undefined) report(`${key} must be ${rule.shape}${rule.hint?.(object[key]) ?? ''}`);
    return value ?? fallback;
  };
