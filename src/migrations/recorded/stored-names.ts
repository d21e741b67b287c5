/** Renames types and attributes in rows that name them; otherwise these would belong to none. */
import type { Dialect } from '../../dialects/dialect.ts';
import { literal } from '../../dialects/quote.ts';
import { type ContentModel, componentsColumns, type InverseMorphLink, type Schema, type Uid } from '../../model/content-model.ts';
import { awaitedLinksTable, roleRulesTable } from '../../tables/system-tables.ts';
import type { Table } from '../../tables/table.ts';
import type { PlannedDatabase } from '../planned-database.ts';
import { purposeOf } from './recorded-schema.ts';

/** Finds the rows of components or media that name an attribute: a table, and a condition. */
function rowsOfField(schema: Schema, { kind, field }: { readonly kind: string; readonly field: string }, { quote }: Dialect) {
  if (!kind.startsWith('media')) {
    const table = schema.componentsTable?.table;
    const column = quote(componentsColumns.field);
    return table === undefined ? undefined : { table, column, condition: `${column} = ${literal(field)}` };
  }
  const files = mediaStorage(schema);
  if (files === undefined) return undefined;
  const column = quote(files.fieldColumn);
  return { table: files.table, column, condition: `${column} = ${literal(field)} AND ${quote(files.typeColumn)} = ${literal(schema.uid)}` };
}

/** All media of all types are in one table. */
function mediaStorage(schema: Schema): InverseMorphLink | undefined {
  for (const attribute of schema.attributes.values()) if (attribute.kind === 'media') return attribute.storage;
  return undefined;
}

export function renameFieldValues(
  planned: PlannedDatabase,
  schema: Schema,
  { kind, from, to }: { readonly kind: string; readonly from: string; readonly to: string },
): string[] {
  const { quote } = planned.dialect;
  const rows = rowsOfField(schema, { kind, field: from }, planned.dialect);
  if (rows === undefined || !planned.has(rows.table)) return [];
  return [`UPDATE ${quote(rows.table)} SET ${rows.column} = ${literal(to)} WHERE ${rows.condition}`];
}

/** A statement that finds one row of a component, dynamic zone or media, if there is any. */
export function anyRowOfField(schema: Schema, kind: string, field: string, dialect: Dialect): { table: string; text: string } | undefined {
  const rows = rowsOfField(schema, { kind, field }, dialect);
  return rows === undefined
    ? undefined
    : { table: rows.table, text: `SELECT 1 FROM ${dialect.quote(rows.table)} WHERE ${rows.condition} LIMIT 1` };
}

/** The names of rights begin with the type: `api::article.article.find`. */
const actionTables = ['up_permissions', 'strapi_api_token_permissions', roleRulesTable];

/** Renames attributes in the restrictions of rights. Conditions stay: a name in them may belong to
 *  another type or be a value. */
export function renameRuleFields(planned: PlannedDatabase, schema: Schema, from: string, to: string): string[] {
  const { quote } = planned.dialect;
  if (schema.kind === 'component' || !planned.has(roleRulesTable, 'fields')) return [];
  const [action, fields, start] = [quote('action'), quote('fields'), `${schema.uid}.`];
  // A JSON list of texts: the quotes belong to complete names.
  const named = [from, to].map((name) => literal(JSON.stringify(name)));
  return [
    `UPDATE ${quote(roleRulesTable)} SET ${fields} = replace(${fields}, ${named.join(', ')}) ` +
      `WHERE substr(${action}, 1, ${start.length}) = ${literal(start)}`,
  ];
}

/** Renames an attribute in the links that its entries await. */
export function renameAwaitedField(planned: PlannedDatabase, { table, attributes }: Schema, from: string, to: string): string[] {
  const { quote } = planned.dialect;
  if (attributes.get(to)?.kind !== 'relation' || !planned.has(awaitedLinksTable, 'field')) return [];
  const isOfAttribute = `${quote('source_table')} = ${literal(table)} AND ${quote('field')} = ${literal(from)}`;
  return [`UPDATE ${quote(awaitedLinksTable)} SET ${quote('field')} = ${literal(to)} WHERE ${isOfAttribute}`];
}

/** Renames a table in the links that its rows await. */
export function renameAwaitingTable(planned: PlannedDatabase, from: string, to: string): string[] {
  const { quote } = planned.dialect;
  const column = quote('source_table');
  if (from === to || !planned.has(awaitedLinksTable, 'source_table')) return [];
  return [`UPDATE ${quote(awaitedLinksTable)} SET ${column} = ${literal(to)} WHERE ${column} = ${literal(from)}`];
}

/** Writes the new name of a type or component wherever rows have the old one. */
export function relabel(
  planned: PlannedDatabase,
  model: ContentModel,
  wanted: readonly Table[],
  { from, to }: { readonly from: Uid; readonly to: Schema },
): string[] {
  const { quote } = planned.dialect;
  const isComponent = to.kind === 'component';
  const columns = [
    ...typeColumns(model),
    ...(isComponent ? componentColumns(wanted) : [['admin_permissions', 'subject'] as const, [awaitedLinksTable, 'target_type'] as const]),
  ];
  const values = columns
    .filter(([table, column]) => planned.has(table, column))
    .map(([table, column]) => `UPDATE ${quote(table)} SET ${quote(column)} = ${literal(to.uid)} WHERE ${quote(column)} = ${literal(from)}`);
  if (isComponent) return values;
  const action = quote('action');
  const start = `${from}.`;
  const actions = actionTables
    .filter((table) => planned.has(table, 'action'))
    .map(
      (table) =>
        `UPDATE ${quote(table)} SET ${action} = ${literal(`${to.uid}.`)} || substr(${action}, ${start.length + 1}) ` +
        `WHERE substr(${action}, 1, ${start.length}) = ${literal(start)}`,
    );
  return [...values, ...actions];
}

type TableColumn = readonly [table: string, column: string];

/** The columns in which polymorphic relations store the target's type. */
function typeColumns(model: ContentModel): TableColumn[] {
  const columns: TableColumn[] = [];
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'relation') continue;
      const { storage } = attribute;
      if (storage.kind === 'morphColumns') columns.push([schema.table, storage.typeColumn]);
      else if (storage.kind === 'morphLink') columns.push([storage.table, storage.typeColumn]);
    }
  }
  return columns;
}

const componentColumns = (wanted: readonly Table[]): TableColumn[] =>
  wanted.filter((table) => purposeOf(table) === 'components').map((table) => [table.name, componentsColumns.type]);
