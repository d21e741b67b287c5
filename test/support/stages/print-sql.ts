/** Statements over several lines, for tables of cases. Nothing but white space is changed. */
import type { CompiledRead, Shape, SingleStatement } from '../../../src/pipeline/compile/types.ts';
import type { Parameter, Statement } from '../../../src/sql/statement.ts';

/** Each clause and each subquery begins a line; below them the values: `-- "bread", ids of the parents`. */
export function printStatement({ text, parameters }: Omit<Statement, 'tables'>): string {
  const sql = printSql(text.replaceAll(stopPoint, 'stop($1)').replaceAll(textStopPoint, 'stop($1)'));
  if (parameters.length === 0) return sql;
  return `${sql}${sql.includes('\n') ? '\n' : ' '}-- ${parameters.map(printParameter).join(', ')}`;
}

/** The stop point before a long text, as `matchesText` of SQLite writes it. */
const textStopPoint = /\(octet_length\((\w+\."\w+")\) <= 2048 OR lectern_stop\(\)\)/g;

/** `Dialect.stopPoint` of a table. */
const stopPoint = /\((\w+)\."id" \* 2654435761 >> 16 & 63 <> 0 OR lectern_stop\(\)\)/g;

function printParameter(parameter: Parameter): string {
  if (parameter.kind === 'slot') return `:value ${parameter.index}`;
  if (parameter.kind !== 'value') return `:${parameter.kind}`;
  return typeof parameter.value === 'bigint' ? `${parameter.value}n` : JSON.stringify(parameter.value);
}

/** The statement of the root rows, and those that count them and find them again. */
export function printRoot({ statements }: CompiledRead): string {
  if (statements.kind === 'single') return printSingle(statements);
  const { rows, count, found } = statements;
  if (count === undefined) return printStatement(rows);
  const once = found === undefined ? [] : [section('page and total', found.pageAndTotal), section('rows of ids', found.rowsOfIds)];
  return [section('rows', rows), section('count', count), ...once].join('\n');
}

/** The statements of the populated paths. */
export const printPopulated = ({ statements, shape }: CompiledRead): string =>
  statements.kind === 'single'
    ? printSingle(statements)
    : [...populatedStatements(shape)].map(([name, statement]) => section(name, statement)).join('\n');

function printSingle({ statement: { text, parameters }, pageAt }: SingleStatement): string {
  return printStatement({ text: pageAt === undefined ? text : `${text.slice(0, pageAt)} LIMIT :page${text.slice(pageAt)}`, parameters });
}

const section = (name: string, statement: Statement) => `${name}:\n${indented(printStatement(statement))}`;

/** The statements of the populated paths by name: `hero.links`, `blocks`, `blocks[shared.quote]`. */
export function* populatedStatements(shape: Shape, before = ''): Generator<readonly [name: string, statement: Statement]> {
  for (const link of shape.links) {
    const name = before + link.key;
    const own = link.kind === 'polymorphic' ? link.references : link.rows;
    if (typeof own === 'object') yield [name, own];
    if (link.kind === 'rows') yield* populatedStatements(link.shape, `${name}.`);
    if (link.kind !== 'polymorphic') continue;
    for (const [uid, branch] of link.branches) {
      if (typeof branch.rows === 'object') yield [`${name}[${uid}]`, branch.rows];
      yield* populatedStatements(branch.shape, `${name}[${uid}].`);
    }
  }
}

const indented = (text: string) => text.replace(/^/gm, '  ');

const clause = /^ (?=(?:FROM|WHERE|ORDER BY|GROUP BY|LIMIT|LEFT JOIN|CROSS JOIN|JOIN) )/;

function printSql(sql: string): string {
  let text = '';
  // For each open parenthesis, whether it holds a subquery.
  const open: boolean[] = [];
  const lineBreak = () => `\n${'  '.repeat(open.filter((isQuery) => isQuery).length)}`;
  for (let at = 0; at < sql.length; at++) {
    const character = sql[at] ?? '';
    const inQuery = open.at(-1) ?? true;
    if (character === '(') {
      open.push(sql.startsWith('SELECT ', at + 1));
      text += open.at(-1) ? `(${lineBreak()}` : '(';
    } else if (character === ')') text += open.pop() ? `${lineBreak()})` : ')';
    else text += inQuery && clause.test(sql.slice(at)) && !/(?:CROSS|LEFT)$/.test(text) ? lineBreak() : character;
  }
  return text;
}
