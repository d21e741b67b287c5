import type { ColumnType } from '../../dialects/column-type.ts';
import type { SqlValue } from '../../dialects/dialect.ts';
import { type Sql, sql } from '../../sql/sql.ts';

/** The key of the path, which is known only when the statement runs. The dialect chooses casts by
 *  value, so `example` is used in its place. */
export const pathParameter = (type: ColumnType, example: SqlValue): Sql =>
  sql.ask((dialect, placeholder) => dialect.comparand(placeholder, type, example), sql.parameter('key'));
