import type { Bindings, CompiledRead } from '../compile/types.ts';
import { boundValues } from './bound-values.ts';

/** Returns the cache key of a list's total; undefined if it has none. */
export function totalKey({ total }: CompiledRead, bindings: Bindings): string | undefined {
  if (total === undefined) return undefined;
  const values = boundValues(total.statement, bindings, []);
  return `${total.statement.text}\n${JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`;
}
