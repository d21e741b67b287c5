import type { Bindings, CompiledTotal } from '../compile/types.ts';
import { boundValues } from './bound-values.ts';

/** Returns the cache key of a list's total. */
export function totalKey({ statement }: CompiledTotal, bindings: Bindings): string {
  const values = boundValues(statement, bindings, []);
  return `${statement.text}\n${JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`;
}
