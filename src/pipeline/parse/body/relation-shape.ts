/** Finds keys and values of a relation without effect: Strapi ignores them,
 *  policies.enforceSchemaRules refuses them. Unreadable targets are always refused, like missing
 *  ones. */
import { isObject, type JsonObject } from '../../../text/json.ts';

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
const isKey = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const namesOne = (value: unknown): boolean => isObject(value) && ('id' in value || 'documentId' in value);
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isPresent(value) ? [value] : []);

const operations = ['connect', 'disconnect', 'set'] as const;
const targets = 'a documentId, an object with one, or a list of these';

/** What is wrong, as the end of a sentence that begins with the attribute's path, or undefined.
 *  `isTyped`: whether a target names its type, which a relation to several types requires. */
export function relationProblem(value: unknown, isTyped: ((target: unknown) => boolean) | undefined): string | undefined {
  if (typeof value === 'boolean') return `must be ${targets}`;
  if (!isObject(value) || namesOne(value)) return listed(value).includes(null) ? 'must be a list without null' : undefined;
  if (!operations.some((name) => name in value)) return `must be ${targets}, or have connect, disconnect or set`;
  const withNull = operations.find((name) => listed(value[name]).includes(null));
  if (withNull !== undefined) return `${withNull}: must be a list without null`;
  const isTarget = (each: unknown) => (isTyped === undefined ? isKey(each) || namesOne(each) : namesOne(each) && isTyped(each));
  if (!listed(value.disconnect).every(isTarget))
    return `disconnect: must be ${isTyped === undefined ? targets : 'a list of objects with __type and documentId'}`;
  const isMisplaced = listed(value.connect).some((each) => isObject(each) && isPresent(each.position) && !isPosition(each.position));
  return isMisplaced ? 'connect: position must be {"before": …}, {"after": …}, {"start": true} or {"end": true}' : undefined;
}

/** Returns the key that Strapi reports as invalid in the value of a relation to several types,
 *  where each target must name its type; undefined if every target does. */
export function invalidTypedKey(name: string, value: unknown, isTyped: (target: unknown) => boolean): string | undefined {
  const areTargets = (list: unknown) => Array.isArray(list) && list.every((each: unknown) => isObject(each) && isTyped(each));
  if (value === true) return undefined;
  if (!isObject(value) || ![...operations, 'options'].some((key) => key in value)) return areTargets(value) ? undefined : name;
  if (!operations.every((operation) => !value[operation] || areTargets(value[operation]))) return name;
  const { options } = value;
  if (!isPresent(options)) return undefined;
  if (typeof options !== 'object') return name;
  return Object.entries(options as JsonObject).find(([key, option]) => key !== 'strict' || typeof option !== 'boolean')?.[0];
}

function isPosition(value: unknown): boolean {
  if (!isObject(value)) return false;
  const anchors = ['before', 'after'].filter((name) => isPresent(value[name]));
  const ends = ['start', 'end'].filter((name) => value[name] === true || value[name] === 'true');
  return anchors.length + ends.length === 1 && anchors.every((name) => isKey(value[name]));
}
