import type { Dialect } from '../../dialects/dialect.ts';
import type { ContentModel, Schema } from '../../model/content-model.ts';
import { placeholder, sql, statementOf } from '../../sql/sql.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Condition } from '../plan/types.ts';
import { ConditionCompiler } from './conditions.ts';

/** A statement that selects, of the row ids that it is given, those that the condition holds of. */
export function compileRestriction(condition: Condition, schema: Schema, dialect: Dialect, model: ContentModel): Statement {
  const compiler = new ConditionCompiler(dialect, { schema: (uid) => model.contentTypes.get(uid) ?? model.components.get(uid) });
  const ids = compiler.alias();
  const row = compiler.alias();
  const id = compiler.column(row, 'id');
  const list = placeholder({ kind: 'ids' }, (mark) => dialect.idList(mark, ids));
  const where = compiler.where(condition, row, schema);
  const filtered = where === undefined ? sql`` : sql` WHERE ${where}`;
  return statementOf(
    dialect,
    sql`SELECT ${id} FROM ${list} ${dialect.orderedJoin} ${dialect.quote(schema.table)} ${row} ON ${id} = ${ids}.value${filtered}`,
  );
}
