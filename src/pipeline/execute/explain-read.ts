/** The statements of a compiled read, with the plans by which the engine would run them. */
import type { Connection } from '../../dialects/database.ts';
import type { Statement } from '../../sql/statement.ts';
import type { ExplainedStatement } from '../call.ts';
import type { Bindings, CompiledRead, RowsFrom, Shape } from '../compile/types.ts';
import { boundValues } from './bound-values.ts';
import { pageText } from './fetch-parts.ts';

/** The statements are not run. */
export async function explainRead(
  { statements: selecting, total, shape }: CompiledRead,
  bindings: Bindings,
  connection: Connection,
): Promise<ExplainedStatement[]> {
  const { dialect } = connection;
  const statements = (bindings.total === undefined ? undefined : total?.without) ?? selecting;
  // The row ids of the level above are not known, and plans do not depend on them.
  const explained: ExplainedStatement[] = [];
  const add = async (name: string, statement: Statement, page?: { readonly text: string; readonly offset: number | undefined }) => {
    const sql = page?.text ?? statement.text;
    const values = boundValues(statement, bindings, dialect.bindIds([]));
    const parameters = values.map((value, index) => (statement.parameters[index]?.kind === 'ids' ? idsAbove : shown(value)));
    if (page?.offset !== undefined) {
      values.push(page.offset);
      parameters.push(page.offset);
    }
    const plan = dialect.planLines(await connection.query(dialect.explain(sql), values));
    explained.push({ name, sql, parameters, plan });
  };
  if (statements.kind === 'single') {
    const placeholder = dialect.placeholder(statements.statement.parameters.length + 1);
    await add('whole read', statements.statement, pageText(statements, bindings, placeholder));
    return explained;
  }
  const { rows, count, found } = statements;
  if (found !== undefined && bindings.total === undefined) {
    await add('page and total', found.pageAndTotal);
    await add('rows', found.rowsOfIds);
  } else {
    await add('rows', rows);
    if (count !== undefined && bindings.total === undefined) await add('count', count);
  }
  for (const [name, statement] of linkedStatements(shape, '')) await add(name, statement);
  return explained;
}

function* linkedStatements(shape: Shape, before: string): Generator<[string, Statement]> {
  for (const link of shape.links) {
    const name = before + link.key;
    if (link.kind !== 'polymorphic') {
      yield* named(name, link.rows);
      if (link.kind === 'rows') yield* linkedStatements(link.shape, `${name}.`);
      continue;
    }
    yield* named(name, link.references);
    for (const [uid, branch] of link.branches) {
      yield* named(`${name}.${uid}`, branch.rows);
      yield* linkedStatements(branch.shape, `${name}.${uid}.`);
    }
  }
}

function* named(name: string, rows: RowsFrom): Generator<[string, Statement]> {
  if (typeof rows !== 'number') yield [name, rows];
}

/** Printed in place of values that only a run has. */
const idsAbove = '(the ids of the rows above)';

/** A value that JSON can hold. */
const shown = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : (value ?? null));
