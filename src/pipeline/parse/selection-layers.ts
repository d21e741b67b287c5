/** Puts the options of named selections behind those that name them. */
import type { Schema } from '../../model/content-model.ts';
import type { ParseContext } from './context.ts';
import type { QueryObject } from './query-string.ts';

/** The options of one level, and behind them those of the selections that they name. `path`: of the
 *  attribute, for messages; empty for the parameter at the top. */
export function withSelections(
  options: readonly QueryObject[],
  schema: Schema,
  path: string,
  context: ParseContext,
): readonly QueryObject[] {
  return options.flatMap((each) => {
    if (each.selection === undefined || each.selection === null) return [each];
    return [each, ...withSelections([context.selection(each.selection, schema, path)], schema, path, context)];
  });
}
