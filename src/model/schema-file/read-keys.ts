/** Reads the keys of an object in a schema file by definitions; reports wrong keys and values. */
import { isObject, type JsonObject } from '../../text/json.ts';
import { nearest } from '../../text/nearest.ts';
import { attributeDefinitions } from './attribute-keys.ts';
import { fallbacksOf, type Key, type KeySet, type ValuesOf } from './key.ts';

export type Path = readonly (string | number)[];

/** Reports a mistake at a path inside the object. */
export type Report = (path: Path, problem: string, remedy: string) => void;

const fallbacks = new WeakMap<object, unknown>();

function fallbacksFor<Keys extends Readonly<Record<string, Key>>>(keys: Keys): ValuesOf<Keys> {
  const known = fallbacks.get(keys) as ValuesOf<Keys> | undefined;
  const found = known ?? fallbacksOf(keys);
  if (known === undefined) fallbacks.set(keys, found);
  return found;
}

/** The values of `json`, with the fallback of each absent key. Null is no value, as in Strapi. */
export function readKeys<Keys extends Readonly<Record<string, Key>>>(
  set: { readonly keys: Keys; readonly open: boolean },
  json: JsonObject,
  report: Report,
): ValuesOf<Keys> {
  const values: Record<string, unknown> = { ...fallbacksFor(set.keys) };
  const keys: Readonly<Record<string, Key>> = set.keys;
  for (const name of Object.keys(json)) {
    const value = json[name];
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (key === undefined) {
      const mistake = unknownKey(name, value, set);
      if (mistake !== undefined) report([name], mistake.problem, mistake.remedy);
    } else if (value === null || value === undefined) continue;
    else if (key.inner !== undefined && !key.isList && isObject(value)) {
      values[name] = readKeys(key.inner, value, (path, problem, remedy) => report([name, ...path], problem, remedy));
    } else if (key.inner !== undefined && key.isList && Array.isArray(value)) {
      values[name] = readList(key.inner, value, (path, problem, remedy) => report([name, ...path], problem, remedy));
    } else {
      const read = key.read(value);
      if (read !== undefined) values[name] = read;
      if (!key.checkedByLoader && !key.strapiOnly) reportValue([name], value, { key, isRead: read !== undefined }, report);
    }
  }
  return values as ValuesOf<Keys>;
}

/** The objects of a list; other items are reported and left out. */
const readList = (set: KeySet, items: readonly unknown[], report: Report) =>
  items.flatMap((item, index) => {
    if (isObject(item)) return [readKeys(set, item, (path, problem, remedy) => report([index, ...path], problem, remedy))];
    report([index], `${JSON.stringify(item)} has no effect: it must be an object`, 'correct the value, or remove it');
    return [];
  });

function reportValue(path: Path, value: unknown, { key, isRead }: { readonly key: Key; readonly isRead: boolean }, report: Report): void {
  const { words } = key;
  if (!isRead) report(path, `${JSON.stringify(value)} has no effect: it must be ${key.shape}`, remedyForValue(value, key));
  else if (words !== undefined && Array.isArray(value)) {
    for (const [index, word] of value.entries())
      if (!words.includes(word))
        report([...path, index], `${JSON.stringify(word)} has no effect`, suggest(word, words, `one of ${words.join(', ')}`));
  }
}

function remedyForValue(value: unknown, { words, jsonSchema }: Key): string {
  if (words !== undefined) return suggest(value, words, `one of ${words.join(', ')}`);
  const isQuoted =
    typeof value === 'string' &&
    ((jsonSchema.type === 'boolean' && /^(true|false)$/.test(value)) || (jsonSchema.type === 'integer' && /^\d+$/.test(value)));
  return isQuoted ? `write ${value} without quotes` : 'correct the value, or remove the key';
}

/** `did you mean "x"?` if one of the known words is similar, otherwise the general advice. */
export function suggest(word: unknown, known: Iterable<string>, otherwise: string): string {
  const meant = typeof word === 'string' ? nearest(word, known) : undefined;
  return meant === undefined ? otherwise : `did you mean ${JSON.stringify(meant)}?`;
}

interface Mistake {
  readonly problem: string;
  readonly remedy: string;
}

/** What is wrong about a key that `set` does not have; undefined if it may be that of a plugin. */
function unknownKey(name: string, value: unknown, set: KeySet): Mistake | undefined {
  const problem = `unknown key ${JSON.stringify(name)}`;
  const place = placeOf(name, set);
  if (place !== undefined) return { problem, remedy: `it belongs into ${place}` };
  const types = set.open ? [] : typesWith(name);
  if (types.length > 0) {
    // A key that says "no" may be left over from another type of attribute, and means nothing.
    if (value === false || value === null) return undefined;
    return { problem: `the key ${JSON.stringify(name)} has no effect here`, remedy: `remove it: it is a key of ${types.join(', ')}` };
  }
  const known = Object.keys(set.keys);
  // Names of plugins may resemble a known key by chance.
  const meant = set.open ? nearest(name, known, Math.max(1, Math.floor(name.length / 4))) : nearest(name, known);
  if (meant !== undefined) return { problem, remedy: `did you mean ${JSON.stringify(meant)}?` };
  return set.open ? undefined : { problem, remedy: 'remove it' };
}

/** The types of attributes that have the key. */
const typesWith = (name: string): readonly string[] =>
  Object.entries(attributeDefinitions).flatMap(([type, { keys }]) => (Object.hasOwn(keys, name) ? [type] : []));

/** The object in `set` that has the key: `options` for `draftAndPublish` at the top of a file. */
function placeOf(name: string, { keys }: KeySet): string | undefined {
  for (const [outer, { inner }] of Object.entries(keys)) {
    if (inner === undefined) continue;
    if (Object.hasOwn(inner.keys, name)) return outer;
    const deeper = placeOf(name, inner);
    if (deeper !== undefined) return `${outer}.${deeper}`;
  }
  return undefined;
}
