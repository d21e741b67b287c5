/** Freezes plain objects and arrays all the way down. Maps are made by `immutableMap`. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Map || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
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
