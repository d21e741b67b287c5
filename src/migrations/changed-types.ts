/** Attributes with another type in the schema files than their column has. Until a migration
 *  changes the column, they are served as the column is: otherwise statements fail, or values are
 *  lost. */
import type { Dialect } from '../dialects/dialect.ts';
import {
  type Attribute,
  type ContentModel,
  type ScalarAttribute,
  type ScalarType,
  type Schema,
  schemasOf,
  type Uid,
} from '../model/content-model.ts';
import { isScalarType } from '../model/scalar-types.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import type { DestructiveStep } from './steps.ts';

export interface ChangedType {
  readonly uid: Uid;
  readonly attribute: string;
  readonly table: string;
  readonly column: string;
  /** The type in the schema file. */
  readonly wanted: ScalarType;
  /** The type that the column has. */
  readonly stored: ScalarType;
  /** The same, as the database names it. */
  readonly declared: string;
}

/** The attributes whose columns these steps would change. A column of a type that no attribute has
 *  is not among them, nor are the columns that the server itself writes. */
export function changedTypesOf(
  steps: readonly DestructiveStep[],
  model: ContentModel,
  declaredType: (table: string, column: string) => string | undefined,
  { tables }: Dialect,
): readonly ChangedType[] {
  return steps.flatMap(({ kind, table, column }) => {
    const declared = kind === 'type' && column !== undefined ? declaredType(table, column) : undefined;
    const stored = declared === undefined ? undefined : tables.storedType(declared);
    if (column === undefined || declared === undefined || stored === undefined || !isScalarType(stored)) return [];
    return schemasOf(model)
      .filter((schema) => schema.table === table)
      .flatMap(({ uid, attributes }) =>
        [...attributes.values()].flatMap((each): ChangedType[] =>
          isStoredIn(each, column) ? [{ uid, attribute: each.name, table, column, wanted: each.type, stored, declared }] : [],
        ),
      );
  });
}

const isStoredIn = (attribute: Attribute, column: string): attribute is ScalarAttribute =>
  attribute.kind === 'scalar' && !attribute.system && attribute.column === column;

/** The model with the types that the columns have. */
export function withColumnTypes(model: ContentModel, changed: readonly ChangedType[]): ContentModel {
  if (changed.length === 0) return model;
  const changedIn = <Some extends Schema>(schemas: ReadonlyMap<Uid, Some>): ReadonlyMap<Uid, Some> =>
    new Map(
      [...schemas].map(([uid, schema]) => {
        const types = new Map(changed.filter((each) => each.uid === uid).map(({ attribute, stored }) => [attribute, stored]));
        return [uid, types.size === 0 ? schema : { ...schema, attributes: withTypes(schema.attributes, types) }];
      }),
    );
  return { ...model, contentTypes: changedIn(model.contentTypes), components: changedIn(model.components) };
}

const withTypes = (attributes: Schema['attributes'], types: ReadonlyMap<string, ScalarType>): Schema['attributes'] =>
  new Map(
    [...attributes].map(([name, attribute]) => {
      const type = types.get(name);
      if (type === undefined || attribute.kind !== 'scalar') return [name, attribute];
      // A column of another type has no place for the hash of a password.
      const isPassword = attribute.type === 'password';
      return [
        name,
        { ...attribute, type, isChanged: true, writable: attribute.writable && !isPassword, required: attribute.required && !isPassword },
      ];
    }),
  );

export const hasSameTypes = (some: readonly ChangedType[], others: readonly ChangedType[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

/** One line for each attribute that is served as its column is. */
export const describeChangedTypes = (changed: readonly ChangedType[], dir: string | undefined): string[] =>
  changed.map(
    ({ uid, attribute, table, column, wanted, stored, declared }) =>
      `${uid}.${attribute} is served as ${stored}, not as ${wanted}: the column "${column}" of "${table}" is still ${declared}. ` +
      `\`${lecternCommand('migrate apply --allow-destructive', dir)}\` changes it; restart the server afterwards.`,
  );
