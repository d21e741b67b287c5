/** What no schema file needs any more, and columns whose type has changed: kept under another name, never dropped. */
import type { ContentModel } from '../../model/content-model.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { Workbench } from '../planned-database.ts';
import { type RecordedColumn, type RecordedTable, roleOf } from '../recorded/recorded-schema.ts';
import type { DestructiveStep } from '../steps.ts';

/** `strapiKnows`: whether Strapi looks after this table or column and believes that it made it. */
export interface Surroundings {
  readonly model: ContentModel;
  readonly wanted: readonly Table[];
  /** Rows of tables of relations. */
  readonly formerLinks: ReadonlyMap<string, number>;
  strapiKnows(table: string, column?: string): boolean;
}

/** Plans all of them on the bench. Only what is recorded is looked at. */
export function destructiveSteps(bench: Workbench, surroundings: Surroundings): DestructiveStep[] {
  const wanted = new Map(surroundings.wanted.map((table) => [table.name, table]));
  const steps: DestructiveStep[] = [];
  for (const table of [...bench.record().values()]) {
    if (!bench.has(table.name)) continue;
    const needed = wanted.get(table.name);
    if (needed === undefined) steps.push(tableStep(bench, table, surroundings));
    else steps.push(...columnSteps(bench, table, needed, surroundings));
  }
  return steps;
}

function tableStep(bench: Workbench, table: RecordedTable, surroundings: Surroundings): DestructiveStep {
  const { keptAs, work } = bench.setTableAside(table.name);
  return {
    kind: 'table',
    table: table.name,
    keptAs,
    ...linksOf(table, surroundings),
    reason: `The table "${table.name}" is kept as "${keptAs}": ${whyTable(table, surroundings)}.`,
    ...remark(
      surroundings.strapiKnows(table.name),
      'Strapi drops it, with its rows, at its next start. Under the new name Strapi leaves it alone.',
    ),
    work,
  };
}

/** A relation that is stored in another table now is empty there. */
function linksOf({ name, origin }: RecordedTable, { model, formerLinks }: Surroundings): Pick<DestructiveStep, 'linksOf'> {
  const { uid = '', attribute = '' } = origin;
  const schema = model.contentTypes.get(uid) ?? model.components.get(uid);
  return schema?.attributes.has(attribute) === true && (formerLinks.get(name) ?? 0) > 0 ? { linksOf: `${uid}.${attribute}` } : {};
}

function whyTable(table: RecordedTable, { model, formerLinks }: Surroundings): string {
  const { uid, attribute } = table.origin;
  if (uid === undefined) return 'no component in the schema files has it';
  if (!model.contentTypes.has(uid) && !model.components.has(uid)) return `there is no ${uid} in the schema files any more`;
  if (roleOf(table) === 'components') return `${uid} has no component or dynamic zone any more`;
  if (attribute === undefined) return `${uid} has another table now`;
  const schema = model.contentTypes.get(uid) ?? model.components.get(uid);
  const links = formerLinks.get(table.name) ?? 0;
  const count = `${links.toLocaleString('en-US')} ${links === 1 ? 'link' : 'links'} in it`;
  return schema?.attributes.has(attribute) === true
    ? `the attribute "${attribute}" of ${uid} is stored in another way now, without the ${count}`
    : `${uid} has no attribute "${attribute}" any more (${count})`;
}

function columnSteps(bench: Workbench, table: RecordedTable, needed: Table, surroundings: Surroundings): DestructiveStep[] {
  return table.columns.flatMap((column): DestructiveStep[] => {
    const declared = bench.declared(table.name, column.name);
    if (declared === undefined || column.type === 'id') return [];
    const wanted = needed.columns.find((each) => each.name === column.name);
    if (wanted === undefined) return [columnStep(bench, table, column, surroundings)];
    return bench.dialect.holds(declared, wanted.type) ? [] : [typeStep(bench, needed, wanted, declared, surroundings)];
  });
}

function columnStep(bench: Workbench, table: RecordedTable, column: RecordedColumn, surroundings: Surroundings): DestructiveStep {
  const { keptAs, work } = bench.setColumnAside(table.name, column.name);
  return {
    kind: 'column',
    table: table.name,
    column: column.name,
    keptAs,
    reason: `The column "${column.name}" of "${table.name}" is kept as "${keptAs}": ${whyColumn(table, column, surroundings)}.`,
    ...remark(
      surroundings.strapiKnows(table.name, column.name),
      'Strapi drops it, with its values, at its next start. Under the new name Strapi leaves it alone.',
    ),
    work,
  };
}

function whyColumn(table: RecordedTable, column: RecordedColumn, { model }: Surroundings): string {
  const { uid } = table.origin;
  const schema = model.contentTypes.get(uid ?? '') ?? model.components.get(uid ?? '');
  if (column.attribute === undefined || schema === undefined)
    return `no attribute${uid === undefined ? '' : ` of ${uid}`} needs it any more`;
  return schema.attributes.has(column.attribute)
    ? `the attribute "${column.attribute}" of ${uid} is stored in another way now`
    : `${uid} has no attribute "${column.attribute}" any more`;
}

function typeStep(bench: Workbench, table: Table, column: Column, declared: string, surroundings: Surroundings): DestructiveStep {
  const { keptAs, work } = bench.setColumnAside(table.name, column.name);
  const fromType = bench.dialect.storedType(declared);
  const indexes = [...table.indexes, ...table.ownIndexes].filter((index) => index.columns.includes(column.name));
  const reason =
    `The column "${column.name}" of "${table.name}" becomes ${bench.dialect.columnDefinition(column.type)}, as its attribute is ` +
    `${withArticle(column.type)} now: the old one (${declared}) is kept as "${keptAs}", and values that fit are copied.`;
  return {
    kind: 'type',
    table: table.name,
    column: column.name,
    keptAs,
    reason,
    ...remark(
      surroundings.strapiKnows(table.name, column.name),
      'Strapi changes the type of the column in place at its next start, and does not start if the database cannot convert a value.',
    ),
    work: [
      ...work,
      ...bench.addColumn(table, column),
      ...indexes.flatMap((index) => bench.createIndex(table.name, index)),
      // Of a type that is not known nothing can be said to be without loss.
      ...(fromType === undefined ? [] : [{ table: table.name, from: keptAs, fromType, to: column.name, toType: column.type }]),
    ],
  };
}

const withArticle = (word: string) => `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;

const remark = (holds: boolean, text: string): { readonly remark?: string } => (holds ? { remark: text } : {});
