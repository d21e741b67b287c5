/** The tables that a model needs, with the names and columns that Strapi 5 gives them. */
import type { ColumnType } from '../dialects/column-type.ts';
import {
  type ComponentsTable,
  type ContentModel,
  componentsColumns,
  type LinkTable,
  type MorphLink,
  type Schema,
  schemaOf,
  schemasOf,
  type Uid,
} from '../model/content-model.ts';
import { componentsOwnerName, indexName } from '../model/naming.ts';
import { componentsTableColumns } from './components-table.ts';
import { indexesOfComponents, indexesOfLinks, indexesOfMorph, indexesOfSchema } from './own-indexes.ts';
import { builtInIndexes, systemTables } from './system-tables.ts';
import { type Column, type ForeignKey, type Index, type Origin, plainIndex, type Table } from './table.ts';

/** All tables. Where possible, a table comes after those that it refers to. */
export function physicalSchema(model: ContentModel): Table[] {
  const tableOf = (uid: Uid): string => schemaOf(model, uid)?.table ?? '';
  const schemas = schemasOf(model);
  return [
    ...systemTables,
    ...schemas.map((schema) => schemaTable(schema, tableOf)),
    ...schemas.flatMap((schema) => relationTables(schema, tableOf)),
  ];
}

const id: Column = { name: 'id', type: 'id' };
const column = (name: string, type: ColumnType): Column => ({ name, type });

function schemaTable(schema: Schema, tableOf: (uid: Uid) => string): Table {
  const { table } = schema;
  const columns: Column[] = [];
  const indexes: Index[] = [];
  const foreignKeys: ForeignKey[] = [];
  for (const attribute of schema.attributes.values()) {
    const { name } = attribute;
    if (attribute.kind === 'scalar') {
      columns.push(name === 'id' ? id : { name: attribute.column, type: attribute.type, attribute: name });
      continue;
    }
    if (attribute.kind !== 'relation') continue;
    const { storage } = attribute;
    if (storage.kind === 'morphColumns') {
      columns.push(
        { name: storage.idColumn, type: 'reference', attribute: name },
        { name: storage.typeColumn, type: 'string', attribute: name },
      );
    } else if (storage.kind === 'ownColumn' && attribute.target !== undefined) {
      const key = indexName([table, storage.column], 'fk');
      columns.push({ name: storage.column, type: 'reference', attribute: name });
      foreignKeys.push({ name: key, column: storage.column, references: tableOf(attribute.target), onDelete: 'SET NULL' });
      indexes.push(plainIndex(key, storage.column));
    }
  }
  if (schema.kind !== 'component')
    indexes.unshift(plainIndex(indexName([table, 'documents'], 'idx'), 'document_id', 'locale', 'published_at'));
  return {
    name: table,
    origin: { uid: schema.uid },
    // Strapi puts the locale last.
    columns: [...columns.filter((column) => column.name !== 'locale'), ...columns.filter((column) => column.name === 'locale')],
    indexes: [...(builtInIndexes[schema.uid] ?? []), ...indexes],
    foreignKeys,
    ownIndexes: indexesOfSchema(schema),
  };
}

function relationTables(schema: Schema, tableOf: (uid: Uid) => string): Table[] {
  const tables: Table[] = [];
  if (schema.componentsTable !== undefined) tables.push(componentsTable(schema, schema.componentsTable));
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'relation') continue;
    const { storage } = attribute;
    const origin: Origin = { uid: schema.uid, attribute: attribute.name };
    if (storage.kind === 'morphLink') tables.push(morphTable(storage, schema, origin));
    else if (storage.kind === 'linkTable' && storage.owner && attribute.target !== undefined) {
      tables.push(linkTable(storage, schema, tableOf(attribute.target), origin));
    }
  }
  return tables;
}

function componentsTable(schema: Schema, components: ComponentsTable): Table {
  const name = components.table;
  const { owner, component, type, field } = componentsColumns;
  const key = componentsOwnerName(schema.table);
  return {
    name,
    origin: { uid: schema.uid },
    columns: [id, ...componentsTableColumns],
    indexes: [
      plainIndex(indexName([schema.table, field], 'idx'), field),
      plainIndex(indexName([schema.table, type], 'idx'), type),
      plainIndex(key, owner),
      { name: indexName([schema.table], 'uq'), columns: [owner, component, field, type], unique: true },
    ],
    foreignKeys: [{ name: key, column: owner, references: schema.table, onDelete: 'CASCADE' }],
    ownIndexes: indexesOfComponents(schema, components),
  };
}

function linkTable(link: LinkTable, source: Schema, target: string, origin: Origin): Table {
  const name = link.table;
  const key = indexName([name], 'fk');
  const inverseKey = indexName([name], 'ifk');
  const orders = [
    { column: link.orderColumn, index: indexName([name], 'ofk') },
    { column: link.inverseOrderColumn, index: indexName([name], 'oifk') },
  ].flatMap(({ column, index }) => (column === undefined ? [] : [{ column, index }]));
  const references = [link.sourceColumn, link.targetColumn].map((name) => column(name, 'reference'));
  return {
    name,
    origin,
    columns: [id, ...references, ...orders.map((order) => column(order.column, 'order'))],
    indexes: [
      plainIndex(key, link.sourceColumn),
      plainIndex(inverseKey, link.targetColumn),
      { name: indexName([name], 'uq'), columns: [link.sourceColumn, link.targetColumn], unique: true },
      ...orders.map(({ column, index }) => plainIndex(index, column)),
    ],
    foreignKeys: [
      { name: key, column: link.sourceColumn, references: source.table, onDelete: 'CASCADE' },
      { name: inverseKey, column: link.targetColumn, references: target, onDelete: 'CASCADE' },
    ],
    ownIndexes: indexesOfLinks(source, link),
  };
}

function morphTable(link: MorphLink, source: Schema, origin: Origin): Table {
  const name = link.table;
  const key = indexName([name], 'fk');
  return {
    name,
    origin,
    columns: [
      id,
      column(link.sourceColumn, 'reference'),
      column(link.idColumn, 'reference'),
      column(link.typeColumn, 'string'),
      column(link.fieldColumn, 'string'),
      column(link.orderColumn, 'order'),
    ],
    indexes: [
      plainIndex(key, link.sourceColumn),
      plainIndex(indexName([name], 'oidx'), link.orderColumn),
      plainIndex(indexName([name], 'idix'), link.idColumn),
    ],
    foreignKeys: [{ name: key, column: link.sourceColumn, references: source.table, onDelete: 'CASCADE' }],
    ownIndexes: indexesOfMorph(source, link),
  };
}
