/** SQL with its values. Text between the backticks is trusted because it is source code. A value in
 *  `${}` is never trusted: a fragment is inserted, any other value is bound as a parameter.
 *  `statementOf` writes the text for an engine.
 *
 *      sql`SELECT ${sql.id('id')} FROM ${sql.id('up_users')} WHERE ${sql.id('email')} = ${email}`
 *      → SELECT "id" FROM "up_users" WHERE "email" = $1     [email] */
import type { ColumnType } from '../dialects/column-type.ts';
import type { Dialect, LetterCase, SqlValue, TextPosition } from '../dialects/dialect.ts';
import type { TextMatch } from '../dialects/text-match.ts';
import { PlanParameter } from './plan-parameter.ts';
import type { Parameter, Statement } from './statement.ts';

/** The statement that fragments write themselves into. */
interface Output {
  readonly dialect: Dialect;
  text: string;
  readonly parameters: Parameter[];
  readonly tables: Set<string>;
}

/** A fragment of SQL. Only this file creates fragments. */
export class Sql {
  readonly write: (output: Output) => void;
  constructor(write: (output: Output) => void) {
    this.write = write;
  }
}

const bind = (output: Output, parameter: Parameter): string => output.dialect.placeholder(output.parameters.push(parameter));
/** A value as the engine accepts it: SQLite has no booleans, PostgreSQL's texts have no NUL. */
const asIs = ({ dialect }: Output, value: SqlValue): Parameter => ({ kind: 'value', value: dialect.bind(value, 'string') });

/** Returns the text that the fragment writes, and adds its parameters to the output. */
function textOf(fragment: Sql, output: Output): string {
  const before = output.text;
  output.text = '';
  fragment.write(output);
  const { text } = output;
  output.text = before;
  return text;
}

function tag(strings: TemplateStringsArray, ...values: readonly (Sql | SqlValue)[]): Sql {
  return new Sql((output) => {
    output.text += strings[0];
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as Sql | SqlValue;
      if (value instanceof Sql) value.write(output);
      else output.text += bind(output, asIs(output, value));
      output.text += strings[index + 1];
    }
  });
}

/** A fragment of trusted text, from the source code or a dialect, never from a value. */
const raw = (text: string): Sql =>
  new Sql((output) => {
    output.text += text;
  });

export const sql = Object.assign(tag, {
  empty: raw(''),

  /** A quoted name: `sql.id('u', 'email')` → `"u"."email"`. */
  id: (...path: readonly string[]): Sql =>
    new Sql((output) => {
      output.text += path.map(output.dialect.quote).join('.');
    }),

  /** The quoted name of a table whose rows the statement reads: `Statement.tables` lists it. */
  table: (name: string): Sql =>
    new Sql((output) => {
      output.tables.add(name);
      output.text += output.dialect.quote(name);
    }),

  raw,

  /** The same fragment, with its text written only once for an engine: for long parts without
   *  values in statements of each request. */
  fixed(fragment: Sql): Sql {
    let written: { readonly dialect: Dialect; readonly text: string; readonly tables: readonly string[] } | undefined;
    return new Sql((output) => {
      const { dialect } = output;
      if (written?.dialect !== dialect) {
        const { text, parameters, tables } = statementOf(dialect, fragment);
        if (parameters.length > 0) throw new Error('a fixed fragment has no values');
        written = { dialect, text, tables };
      }
      for (const table of written.tables) output.tables.add(table);
      output.text += written.text;
    });
  },

  /** A number that is part of the text, and so of the prepared statement. */
  integer(value: number): Sql {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
    return raw(String(value));
  },

  /** Fragments joined by a separator. */
  join: (fragments: readonly Sql[], separator: ', ' | ',' | ' AND ' | ' OR ' | ' UNION ALL ' | '' = ', '): Sql =>
    new Sql((output) => {
      fragments.forEach((fragment, index) => {
        if (index > 0) output.text += separator;
        fragment.write(output);
      });
    }),

  /** A value that is compared with a column of that type: `sql.value(5, 'id')` → `$1::bigint`. */
  value: <T extends SqlValue>(value: SqlValue | PlanParameter<T>, type: ColumnType): Sql =>
    new Sql((output) => {
      const { dialect } = output;
      if (value instanceof PlanParameter) {
        const stored = dialect.bind(value.value, type);
        output.text += dialect.comparand(bind(output, { kind: 'slot', index: comparedSlot(value, type, dialect) }), type, stored);
        return;
      }
      const stored = dialect.bind(value, type);
      output.text += dialect.comparand(bind(output, { kind: 'value', value: stored }), type, stored);
    }),

  /** A value that `Dialect.sortValue` has returned for a column of that type. */
  sorted: <T extends SqlValue>(value: T | PlanParameter<T>, type: ColumnType): Sql =>
    new Sql((output) => {
      const parameter: Parameter =
        value instanceof PlanParameter ? { kind: 'slot', index: value.slots('sorted', 1, (each) => [each]) } : { kind: 'value', value };
      output.text += output.dialect.sortComparand(bind(output, parameter), type);
    }),

  /** A value that is written into a column of that type. */
  stored: (value: SqlValue, type: ColumnType): Sql =>
    new Sql((output) => {
      const { dialect } = output;
      const stored = dialect.store(value, type);
      const placeholder = bind(output, { kind: 'value', value: stored });
      // Datetimes are bound as milliseconds and converted; others take their type from the column.
      output.text += type === 'datetime' || type === 'timestamp' ? dialect.comparand(placeholder, type, stored) : placeholder;
    }),

  /** A parameter known when the statement runs: parents' row ids, the path's key, the page. */
  parameter: (kind: Exclude<Parameter['kind'], 'value' | 'slot'>): Sql =>
    new Sql((output) => {
      output.text += bind(output, { kind });
    }),

  /** What the dialect writes: `sql.ask((dialect, column) => dialect.unindexed(column), column)`. */
  ask: (answer: (dialect: Dialect, ...operands: string[]) => string, ...operands: readonly Sql[]): Sql =>
    new Sql((output) => {
      output.text += answer(output.dialect, ...operands.map((operand) => textOf(operand, output)));
    }),

  /** What the dialect writes together with values. */
  written: (answer: (dialect: Dialect, ...operands: string[]) => TextMatch, ...operands: readonly Sql[]): Sql =>
    new Sql((output) => {
      const { sql: parts, values } = answer(output.dialect, ...operands.map((operand) => textOf(operand, output)));
      parts.forEach((part, index) => {
        output.text += part;
        const value = values[index];
        if (value !== undefined) output.text += bind(output, { kind: 'value', value });
      });
    }),

  /** No text, but the statement depends on the rows of these tables: what it reads is made of them. */
  madeOf: (tables: readonly string[]): Sql =>
    new Sql((output) => {
      for (const table of tables) output.tables.add(table);
    }),

  /** The value of a LIMIT. */
  limit: (value: Sql): Sql => sql.ask((dialect, text) => dialect.limit(text), value),

  /** The end of a SELECT that locks its rows: no other transaction changes them until its end. */
  rowLock: new Sql((output) => {
    output.text += output.dialect.rowLock;
  }),

  /** The column equals the value (`sql.value`). Texts are compared exactly if `of` says so. */
  equals: (column: Sql, value: Sql, type: ColumnType, of: 'names' | 'values'): Sql => exactly(column, type, of, sql` = ${value}`),
  /** The same for several values. */
  isIn: (column: Sql, values: readonly Sql[], type: ColumnType, of: 'names' | 'values'): Sql =>
    exactly(column, type, of, sql` IN (${sql.join(values)})`),

  /** The column in the form of `Dialect.select`, for example datetimes as milliseconds. */
  read: (column: Sql, type: ColumnType): Sql => sql.ask((dialect, text) => dialect.select(text, type), column),

  /** A relation of these row ids, with one column, `alias.value`: always one parameter. */
  ids: (ids: readonly number[], alias: string): Sql =>
    new Sql((output) => {
      const { dialect } = output;
      output.text += dialect.idList(bind(output, { kind: 'value', value: dialect.bindIds(ids) }), alias);
    }),
  /** The column has one of these row ids or texts, which are one parameter, however many. `alias`
   *  must be unused in the statement. */
  isOneOf: (column: Sql, values: readonly number[] | readonly string[], alias: string): Sql =>
    new Sql((output) => {
      const { dialect } = output;
      const text = textOf(column, output);
      const of = typeof values[0] === 'string' ? 'texts' : 'ids';
      const bound = of === 'texts' ? dialect.bindTexts(values as readonly string[]) : dialect.bindIds(values as readonly number[]);
      output.text += dialect.isListed(text, bind(output, { kind: 'value', value: bound }), alias, of);
    }),

  /** A list as one parameter, for engines that have arrays. */
  array: (values: readonly SqlValue[]): Sql =>
    new Sql((output) => {
      output.text += bind(output, { kind: 'value', value: values });
    }),

  /** A condition that is true if `text` (SQL of a text) has `value` at that position. */
  matches: (text: Sql, value: string | PlanParameter<string>, position: TextPosition, letterCase: LetterCase): Sql =>
    new Sql((output) => {
      const isParameter = value instanceof PlanParameter;
      const match = output.dialect.matchesText(textOf(text, output), isParameter ? value.value : value, position, letterCase);
      const slot = isParameter ? searchedSlots(value, position, letterCase, output.dialect) : 0;
      match.sql.forEach((part, index) => {
        output.text += part;
        const searched = match.values[index];
        if (searched === undefined) return;
        output.text += bind(output, isParameter ? { kind: 'slot', index: slot + index } : { kind: 'value', value: searched });
      });
    }),
});

const exactly = (column: Sql, type: ColumnType, of: 'names' | 'values', comparison: Sql): Sql =>
  new Sql((output) => {
    const text = textOf(column, output);
    const exact = output.dialect.exactly(text, type, of);
    const compared = sql`${raw(text)}${comparison}`;
    (exact === undefined ? compared : sql`(${compared} AND ${raw(exact)}${comparison})`).write(output);
  });

/** Returns the slot of a value that is compared with columns of that type. Its cast depends on the
 *  value: integers beyond 64 bits are compared as floating-point numbers. */
function comparedSlot<T extends SqlValue>(parameter: PlanParameter<T>, type: ColumnType, dialect: Dialect): number {
  const cast = (stored: SqlValue) => dialect.comparand('', type, stored);
  const expected = cast(dialect.bind(parameter.value, type));
  return parameter.slots(type, 1, (value) => {
    const stored = dialect.bind(value, type);
    return cast(stored) === expected ? [stored] : undefined;
  });
}

function searchedSlots(parameter: PlanParameter<string>, position: TextPosition, letterCase: LetterCase, dialect: Dialect): number {
  const match = (value: string) => dialect.matchesText('', value, position, letterCase);
  const expected = match(parameter.value);
  return parameter.slots(`${position} ${letterCase}`, expected.values.length, (value) => {
    const { sql: parts, values } = match(value);
    return parts.length === expected.sql.length && parts.every((part, index) => part === expected.sql[index]) ? values : undefined;
  });
}

/** Returns the text and the parameters of a fragment, as the dialect writes them. */
export function statementOf(dialect: Dialect, fragment: Sql): Statement {
  const output: Output = { dialect, text: '', parameters: [], tables: new Set() };
  fragment.write(output);
  return { text: output.text, parameters: output.parameters, tables: [...output.tables] };
}
