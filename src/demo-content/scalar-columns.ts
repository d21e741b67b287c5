/** The scalar columns of a table, and their values in a row of prepared content. */
import type { SqlValue } from '../dialects/dialect.ts';
import type { ScalarAttribute, Schema } from '../model/content-model.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import { columnValue } from './column-value.ts';
import type { SeedData } from './content.ts';
import { ContentError } from './content-error.ts';

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
        return columnValue(value === undefined ? attribute.options.default : value, attribute.type, `${path}.${attribute.name}`);
      });
    },
  };
}
