/** Sets aside tables and columns that no schema file needs, and columns whose type has changed:
 *  renames them, and never drops them. */

import type { ContentModel } from '../../model/content-model.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { PlannedDatabase } from '../planned-database.ts';
import { purposeOf, type RecordedColumn, type RecordedTable } from '../recorded/recorded-schema.ts';
import { type DestructiveStep, remark } from '../steps.ts';

/** Decides what is set aside. `strapiKnows`: whether Strapi's record has a table or column. */
export interface UnneededContext {
  readonly model: ContentModel;
  readonly wanted: readonly Table[];
  /** How many rows the tables of removed relations have. */
  readonly formerLinks: ReadonlyMap<string, number>;
  strapiKnows(table: string, column?: string): boolean;
}

/** Plans to set aside all recorded tables and columns that the model no longer needs. */
export function destructiveSteps(planned: PlannedDatabase, context: UnneededContext): DestructiveStep[] {
  const wanted = new Map(context.wanted.map((table) => [table.name, table]));
  const steps: DestructiveStep[] = [];
  for (const table of [...planned.record().values()]) {
    if (!planned.has(table.name)) continue;
    const needed = wanted.get(table.name);
    if (needed === undefined) steps.push(tableStep(planned, table, context));
    else steps.push(...columnSteps(planned, table, needed, context));
  }
  return steps;
}

function tableStep(planned: PlannedDatabase, table: RecordedTable, context: UnneededContext): DestructiveStep {
  const { keptAs, work } = planned.setTableAside(table.name);
  return {
    kind: 'table',
    table: table.name,
    keptAs,
    ...linksOf(table, context),
    reason: `The table "${table.name}" is kept as "${keptAs}": ${whyTable(table, context)}.`,
    ...remark(
      context.strapiKnows(table.name),
      'Strapi drops it, with its rows, at its next start. Under the new name Strapi leaves it alone.',
    ),
    work,
  };
}

/** The attribute whose links are in a former table: empty there, if it is stored elsewhere now. */
function linksOf({ name, origin }: RecordedTable, { model, formerLinks }: UnneededContext): Pick<DestructiveStep, 'linksOf'> {
  const { uid = '', attribute = '' } = origin;
  const schema = model.contentTypes.get(uid) ?? model.components.get(uid);
  return schema?.attributes.has(attribute) === true && (formerLinks.get(name) ?? 0) > 0 ? { linksOf: `${uid}.${attribute}` } : {};
}

function whyTable(table: RecordedTable, { model, formerLinks }: UnneededContext): string {
  const { uid, attribute } = table.origin;
  if (uid === undefined) return 'no component in the schema files has it';
  if (!model.contentTypes.has(uid) && !model.components.has(uid)) return `there is no ${uid} in the schema files any more`;
  if (purposeOf(table) === 'components') return `${uid} has no component or dynamic zone any more`;
  if (attribute === undefined) return `${uid} has another table now`;
  const schema = model.contentTypes.get(uid) ?? model.components.get(uid);
  const links = formerLinks.get(table.name) ?? 0;
  const count = `${links.toLocaleString('en-US')} ${links === 1 ? 'link' : 'links'} in it`;
  return schema?.attributes.has(attribute) === true
    ? `the attribute "${attribute}" of ${uid} is stored in another way now, without the ${count}`
    : `${uid} has no attribute "${attribute}" any more (${count})`;
}

function columnSteps(planned: PlannedDatabase, table: RecordedTable, needed: Table, context: UnneededContext): DestructiveStep[] {
  return table.columns.flatMap((column): DestructiveStep[] => {
    const declared = planned.declared(table.name, column.name);
    if (declared === undefined || column.type === 'id') return [];
    const wanted = needed.columns.find((each) => each.name === column.name);
    if (wanted === undefined) return [columnStep(planned, table, column, context)];
    if (planned.dialect.tables.holds(declared, wanted.type)) return [];
    return [changeColumnType(planned, { table: needed, column: wanted, declared }, context.strapiKnows(needed.name, wanted.name))];
  });
}

function columnStep(planned: PlannedDatabase, table: RecordedTable, column: RecordedColumn, context: UnneededContext): DestructiveStep {
  const { keptAs, work } = planned.setColumnAside(table.name, column.name);
  return {
    kind: 'column',
    table: table.name,
    column: column.name,
    keptAs,
    reason: `The column "${column.name}" of "${table.name}" is kept as "${keptAs}": ${whyColumn(table, column, context)}.`,
    ...remark(
      context.strapiKnows(table.name, column.name),
      'Strapi drops it, with its values, at its next start. Under the new name Strapi leaves it alone.',
    ),
    work,
  };
}

function whyColumn(table: RecordedTable, column: RecordedColumn, { model }: UnneededContext): string {
  const { uid } = table.origin;
  const schema = model.contentTypes.get(uid ?? '') ?? model.components.get(uid ?? '');
  if (column.attribute === undefined || schema === undefined)
    return `no attribute${uid === undefined ? '' : ` of ${uid}`} needs it any more`;
  return schema.attributes.has(column.attribute)
    ? `the attribute "${column.attribute}" of ${uid} is stored in another way now`
    : `${uid} has no attribute "${column.attribute}" any more`;
}

/** The old column is set aside, and the values that fit are copied to a new one. */
function changeColumnType(
  planned: PlannedDatabase,
  { table, column, declared }: { readonly table: Table; readonly column: Column; readonly declared: string },
  strapiKnows: boolean,
): DestructiveStep {
  const needed = planned.indexesOf(table);
  const { keptAs, work } = planned.setColumnAside(table.name, column.name);
  const fromType = planned.dialect.tables.storedType(declared);
  const indexes = needed.filter((index) => index.columns.includes(column.name));
  const reason =
    `The column "${column.name}" of "${table.name}" becomes ${planned.dialect.tables.columnDefinition(column.type)}, as its attribute is ` +
    `${withArticle(column.type)} now: the old one (${declared}) is kept as "${keptAs}", and values that fit are copied.`;
  return {
    kind: 'type',
    table: table.name,
    column: column.name,
    keptAs,
    reason,
    ...remark(
      strapiKnows,
      'Strapi changes the type of the column in place at its next start, and does not start if the database cannot convert a value.',
    ),
    work: [
      ...work,
      ...planned.addColumn(table, column),
      ...indexes.flatMap((index) => planned.createIndex(table.name, index)),
      // A conversion from an unknown type may lose values.
      ...(fromType === undefined ? [] : [{ table: table.name, from: keptAs, fromType, to: column.name, toType: column.type }]),
    ],
  };
}

const withArticle = (word: string) => `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
