/** The scalar columns of a table, and their values in a row of prepared content. */
import bcrypt from 'bcrypt';
import { storedTypeOf } from '../dialects/column-type.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import { passwordRounds } from '../model/attributes/password-rounds.ts';
import type { ScalarAttribute, Schema } from '../model/content-model.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import { ContentError, type SeedData } from './content.ts';

export interface ScalarColumns {
  readonly columns: readonly TypedColumn[];
  /** `system`: the values that the server writes itself, by attribute. Throws for an attribute that
   *  the schema lacks. */
  values(data: SeedData, system: SeedData, path: string): SqlValue[];
}

export function scalarColumns(schema: Schema): ScalarColumns {
  const attributes = [...schema.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => attribute.kind === 'scalar' && attribute.name !== 'id',
  );
  return {
    columns: attributes.map(({ column, type }) => ({ name: column, type })),
    values(data, system, path) {
      for (const name of Object.keys(data)) {
        const attribute = schema.attributes.get(name);
        if (attribute === undefined || (attribute.kind === 'scalar' && attribute.system)) {
          throw new ContentError(`${path}.${name}`, `${schema.uid} has no attribute "${name}" that content can set`);
        }
      }
      return attributes.map((attribute) => {
        const value = attribute.system ? system[attribute.name] : data[attribute.name];
        return columnValue(value === undefined ? attribute.options.default : value, attribute, `${path}.${attribute.name}`);
      });
    },
  };
}

/** The value to bind for a scalar's JSON value. Throws a `ContentError` if it does not fit. */
function columnValue(value: unknown, { type, options }: ScalarAttribute, path: string): SqlValue {
  if (value === null || value === undefined) return null;
  const unsuitable = () => new ContentError(path, `${JSON.stringify(value)} is not a ${type}`);
  const text = (): string => {
    if (typeof value !== 'string') throw unsuitable();
    return value;
  };
  if (type === 'password') return bcrypt.hashSync(text(), passwordRounds(options));
  switch (storedTypeOf(type)) {
    case 'json':
      return JSON.stringify(value);
    case 'datetime': {
      const milliseconds = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
      if (Number.isNaN(milliseconds)) throw unsuitable();
      return milliseconds;
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw unsuitable();
      return value;
    case 'integer':
    case 'float':
    case 'decimal':
      if (typeof value !== 'number') throw unsuitable();
      return value;
    case 'biginteger':
      return BigInt(typeof value === 'number' ? value : text());
    case 'time':
      return text().length === 'HH:mm:ss'.length ? `${text()}.000` : text();
    default:
      return text();
  }
}
