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

function boundValue(parameter: Parameter, { key, values, pagination }: Bindings, run: RunValues): unknown {
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

const keys = new WeakMap<Statement, string>();

/** Returns a key that consists of a statement and its values: a list has the same key on every page. */
export function listKey(statement: Statement, { values }: Bindings): string {
  let key = keys.get(statement);
  if (key === undefined) {
    key = JSON.stringify([
      statement.text,
      statement.parameters.map((parameter) => (parameter.kind === 'value' ? named(parameter.value) : parameter)),
    ]);
    keys.set(statement, key);
  }
  return values.length === 0 ? key : key + valuesKey(values);
}

export const valuesKey = (values: Bindings['values']): string => JSON.stringify(values.map(named));

const named = (value: Bindable): readonly [type: string, text: string] => [typeof value, String(value)];
