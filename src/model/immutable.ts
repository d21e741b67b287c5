import { isObject } from '../text/json.ts';

/** Freezes a JSON-like value deeply. For maps there is `immutableMap`. */
export function deepFreeze<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else if (isObject(value)) {
    // The loop avoids a list of keys: it runs for every attribute of a project at each start.
    for (const key in value) {
      const inner = value[key];
      if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
    }
  }
  return Object.freeze(value);
}

const refuse = (): never => {
  throw new TypeError('the content model cannot be changed');
};

/** A Map that throws when it is changed: Object.freeze does not reach the entries of a Map. */
export function immutableMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map(entries);
  map.set = refuse;
  map.delete = refuse;
  map.clear = refuse;
  return Object.freeze(map);
}
