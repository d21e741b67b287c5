/** Converts the JSON value of a scalar attribute to the value to bind. */
import bcrypt from 'bcrypt';
import type { SqlValue } from '../dialects/dialect.ts';
import type { ScalarType } from '../model/content-model.ts';
import { ContentError } from './content-error.ts';

/** Throws an error with the path if the value does not fit the type: content is written by hand. */
export function columnValue(value: unknown, type: ScalarType, path: string): SqlValue {
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
      // Ten rounds, as in Strapi; about 50 ms for each password.
      return bcrypt.hashSync(value, 10);
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
