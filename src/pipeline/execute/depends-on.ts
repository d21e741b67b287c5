import type { Bindings, Dependencies } from '../compile/types.ts';
import { valueKey } from '../data-keys.ts';
import { boundValue } from './bound-values.ts';

/** Returns the keys of everything that a response depends on. `shown`: the keys of its rows. */
export function dependsOn({ tables, named }: Dependencies, bindings: Bindings, shown: Uint32Array): Uint32Array {
  const keys = new Uint32Array(tables.length + shown.length + 1);
  keys.set(tables);
  keys.set(shown, tables.length);
  if (named === undefined) return keys.subarray(0, -1);
  keys[keys.length - 1] = valueKey(named.table, named.column, boundValue(named.value, bindings, []));
  return keys;
}
