/** The scalar columns of a table, and their values in a row of prepared content. */
import bcrypt from 'bcrypt';
import type { SqlValue } from '../dialects/dialect.ts';
import { passwordRounds } from '../model/attributes/password-rounds.ts';
import type { ScalarAttribute, Schema } from '../model/content-model.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import { ContentError, type SeedData } from './content.ts';

export interface ScalarColumns {
  readonly columns: readonly TypedColumn[];
  /** `system` has the values that the server itself writes, by attribute name. Throws for an attribute that the schema does not have. */
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

// Converts the JSON value of a scalar attribute to the value to bind.

/** Throws an error with the path if the value does not fit the type: content is written by hand. */
function columnValue(value: unknown, { type, options }: ScalarAttribute, path: string): SqlValue {
  if (value === null || value === undefined) return null;
  const unsuitable = () => new ContentError(path, `${JSON.stringify(value)} is not a ${type}`);
  switch (type) {
    case 'json':
    case 'blocks':
      return JSON.stringify(value);
    case 'datetime':
    case 'timestamp': {
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
      if (typeof value !== 'number' && typeof value !== 'string') throw unsuitable();
      return BigInt(value);
    case 'password':
      if (typeof value !== 'string') throw unsuitable();
      return bcrypt.hashSync(value, passwordRounds(options));
    case 'time':
      if (typeof value !== 'string') throw unsuitable();
      return value.length === 'HH:mm:ss'.length ? `${value}.000` : value;
    case 'date':
    case 'string':
    case 'text':
    case 'richtext':
    case 'email':
    case 'uid':
    case 'enumeration':
      if (typeof value !== 'string') throw unsuitable();
      return value;
    default: {
      const unknown: never = type;
      throw new ContentError(path, `unknown type ${unknown}`);
    }
  }
}
