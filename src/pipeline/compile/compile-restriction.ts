import type { Dialect } from '../../dialects/dialect.ts';
import type { Schema } from '../../model/content-model.ts';
import { orderedJoin } from '../../sql/rows.ts';
import { sql, statementOf } from '../../sql/sql.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Condition } from '../plan/types.ts';
import { ConditionCompiler } from './compile-conditions.ts';
import { parentIds } from './links.ts';

/** Makes a statement that selects those of the row ids that match the condition.
 *
 *  `featured = true` on articles gives on SQLite `SELECT t2."id" FROM json_each(?) AS t1 CROSS JOIN
 *  "articles" t2 ON t2."id" = t1.value WHERE t2."featured" = ?`. */
export function compileRestriction(condition: Condition, schema: Schema, dialect: Dialect): Statement {
  const compiler = new ConditionCompiler(dialect);
  const ids = compiler.alias();
  const row = compiler.alias();
  const id = compiler.column(row, 'id');
  const where = compiler.where(condition, row, schema);
  const filtered = where === undefined ? sql.empty : sql` WHERE ${where}`;
  return statementOf(
    dialect,
    sql`SELECT ${id} FROM ${parentIds(ids)} ${orderedJoin} ${sql.table(schema.table)} ${row} ON ${id} = ${ids}.value${filtered}`,
  );
}
