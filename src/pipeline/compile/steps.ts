/** How one step of a path leads from the rows of an attribute's owner to their targets. */
import {
  componentsColumns,
  type InverseMorphColumns,
  type Nowhere,
  type OwnColumn,
  type SameDocument,
  type Schema,
} from '../../model/content-model.ts';
import type { HopAttribute } from '../parse/types.ts';

/** A table whose rows join rows of the owner with their targets. */
export interface JoinTable {
  readonly kind: 'joinTable';
  readonly table: string;
  readonly ownerColumn: string;
  readonly targetColumn: string;
  /** Columns that have the same values in all rows of the attribute. */
  readonly fixed: readonly (readonly [column: string, value: string])[];
  readonly orderColumn: string | undefined;
}

/** The parser refuses paths through attributes whose rows have targets of several types. */
export function stepOf(attribute: HopAttribute, owner: Schema): JoinTable | OwnColumn | InverseMorphColumns | SameDocument | Nowhere {
  const kind = 'joinTable';
  if (attribute.kind === 'component') {
    const { owner: ownerColumn, component, field, type, order } = componentsColumns;
    const fixed = [[field, attribute.name] as const, [type, attribute.component] as const];
    return { kind, table: componentsTableOf(owner), ownerColumn, targetColumn: component, fixed, orderColumn: order };
  }
  const { storage } = attribute;
  switch (storage.kind) {
    case 'linkTable': {
      const { table, sourceColumn, targetColumn, orderColumn } = storage;
      return { kind, table, ownerColumn: sourceColumn, targetColumn, fixed: [], orderColumn };
    }
    case 'inverseMorphLink': {
      const { table, idColumn, targetColumn, orderColumn, typeColumn, typeValue, fieldColumn, fieldValue } = storage;
      const fixed = [[typeColumn, typeValue] as const, [fieldColumn, fieldValue] as const];
      return { kind, table, ownerColumn: idColumn, targetColumn, fixed, orderColumn };
    }
    case 'morphColumns':
    case 'morphLink':
      throw new Error(`${attribute.name} has no one target`);
    default:
      return storage;
  }
}

/** Returns the table that joins a schema's rows with their components. */
export function componentsTableOf(schema: Schema): string {
  if (schema.componentsTable === undefined) throw new Error(`${schema.uid} has no components`);
  return schema.componentsTable.table;
}
