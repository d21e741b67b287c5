/** SQL text together with its parameters, in the order in which they stand in it. */
import type { ColumnType, Dialect, SqlValue, TextMatch } from '../dialects/dialect.ts';
import type { Parameter, Statement } from './statement.ts';

type Part = string | Binding;
interface Binding {
  readonly parameter: Parameter;
  /** Makes the text around the placeholder (a cast). */
  readonly wrap: (placeholder: string) => string;
}
export class Sql {
  readonly parts: readonly Part[];
  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** Text in `${}` is trusted SQL (quoted names, other fragments); values come in by `bound` only. */
export function sql(strings: TemplateStringsArray, ...values: readonly (Sql | string)[]): Sql {
  const parts: Part[] = [];
  strings.forEach((text, index) => {
    parts.push(text);
    const value = values[index];
    if (value instanceof Sql) parts.push(...value.parts);
    else if (value !== undefined) parts.push(value);
  });
  return new Sql(parts);
}

export const joined = (fragments: readonly Sql[], separator: string): Sql =>
  new Sql(fragments.flatMap((fragment, index) => (index === 0 ? fragment.parts : [separator, ...fragment.parts])));

/** A parameter that is compared with a column of that type. */
export function bound(dialect: Dialect, value: SqlValue, type: ColumnType): Sql {
  const stored = dialect.bind(value, type);
  return new Sql([{ parameter: { kind: 'value', value: stored }, wrap: (placeholder) => dialect.comparand(placeholder, type, stored) }]);
}

/** A parameter whose text around the placeholder the caller knows. */
export const placeholder = (parameter: Parameter, wrap: (text: string) => string): Sql => new Sql([{ parameter, wrap }]);

/** Trusted SQL around values that are bound as they are. */
export const template = ({ sql: texts, values }: TextMatch): Sql =>
  new Sql(
    texts.flatMap((text, index) => {
      const value = values[index];
      return value === undefined ? [text] : [text, { parameter: { kind: 'value', value }, wrap: asIs }];
    }),
  );
const asIs = (text: string) => text;

export function statementOf(dialect: Dialect, fragment: Sql): Statement {
  const parameters: Parameter[] = [];
  let text = '';
  for (const part of fragment.parts) {
    if (typeof part === 'string') text += part;
    else {
      parameters.push(part.parameter);
      text += part.wrap(dialect.placeholder(parameters.length));
    }
  }
  return { text, parameters };
}
