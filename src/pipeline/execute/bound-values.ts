/** The values of a statement's parameters, and the cache keys that are made of them. */
import type { Bindable, Parameter, Statement } from '../../sql/statement.ts';
import type { Bindings, CompiledTotal, Dependencies } from '../compile/types.ts';
import { valueKey } from '../data-keys.ts';

/** `ids`: the row ids of the level above, as `Dialect.bindIds` returns them. */
export const boundValues = ({ parameters }: Statement, bindings: Bindings, ids: Bindable): unknown[] =>
  parameters.map((parameter) => boundValue(parameter, bindings, ids));

function boundValue(parameter: Parameter, { key, values, pagination }: Bindings, ids: Bindable): unknown {
  switch (parameter.kind) {
    case 'value':
      return parameter.value;
    case 'slot':
      return values[parameter.index];
    case 'key':
      return key;
    case 'ids':
      return ids;
    case 'limit':
    case 'offset':
      return pagination.kind === 'none' ? undefined : pagination[parameter.kind];
  }
}

/** Returns the cache key of a list's total. */
export function totalKey({ statement }: CompiledTotal, bindings: Bindings): string {
  const values = boundValues(statement, bindings, []);
  return `${statement.text}\n${JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`;
}

/** Returns the keys of everything that a response depends on. `shown`: the keys of its rows. */
export function dependsOn({ tables, named }: Dependencies, bindings: Bindings, shown: Uint32Array): Uint32Array {
  const keys = new Uint32Array(tables.length + shown.length + 1);
  keys.set(tables);
  keys.set(shown, tables.length);
  if (named === undefined) return keys.subarray(0, -1);
  keys[keys.length - 1] = valueKey(named.table, named.column, boundValue(named.value, bindings, []));
  return keys;
}
