/** The values of a statement's parameters. */
import type { Bindable, Parameter, Statement } from '../../sql/statement.ts';
import type { Bindings } from '../compile/types.ts';

/** Values that are known only while a read runs. */
export interface RunValues {
  readonly ids?: unknown;
  readonly 'known version'?: string;
  readonly 'known ids'?: unknown;
}

export const boundValues = ({ parameters }: Statement, bindings: Bindings, run: RunValues): unknown[] =>
  parameters.map((parameter) => boundValue(parameter, bindings, run));

export function boundValue(parameter: Parameter, { key, values, pagination }: Bindings, run: RunValues): unknown {
  switch (parameter.kind) {
    case 'value':
      return parameter.value;
    case 'slot':
      return values[parameter.index];
    case 'key':
      return key;
    case 'limit':
    case 'offset':
      return pagination.kind === 'none' ? undefined : pagination[parameter.kind];
    default:
      return run[parameter.kind];
  }
}

interface KeyOfStatement {
  readonly text: string;
  /** The values of the query that it binds. */
  readonly slots: readonly number[];
}
const keys = new WeakMap<Statement, KeyOfStatement>();

/** Returns a key that consists of a statement and its values: a list has the same key on every page. */
export function listKey(statement: Statement, { values }: Bindings): string {
  let key = keys.get(statement);
  if (key === undefined) {
    key = keyOf(statement);
    keys.set(statement, key);
  }
  return key.slots.length === 0 ? key.text : key.text + valuesKey(key.slots.map((slot) => values[slot] ?? null));
}

function keyOf({ text, parameters }: Statement): KeyOfStatement {
  const named = parameters.map((parameter) => (parameter.kind === 'value' ? nameOf(parameter.value) : parameter));
  const slots = parameters.flatMap((parameter) => (parameter.kind === 'slot' ? [parameter.index] : []));
  return { text: JSON.stringify([text, named]), slots: [...new Set(slots)] };
}

export const valuesKey = (values: Bindings['values']): string => JSON.stringify(values.map(nameOf));

const nameOf = (value: Bindable): readonly [type: string, text: string] => [typeof value, String(value)];
