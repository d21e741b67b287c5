/** The values of a statement's parameters. */
import type { Bindable, Parameter, Statement } from '../../sql/statement.ts';
import type { Bindings } from '../compile/types.ts';

/** `ids`: the row ids of the level above, as `Dialect.bindIds` returns them. */
export const boundValues = ({ parameters }: Statement, bindings: Bindings, ids: Bindable): unknown[] =>
  parameters.map((parameter) => boundValue(parameter, bindings, ids));

export function boundValue(parameter: Parameter, { key, values, pagination }: Bindings, ids: Bindable): unknown {
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
