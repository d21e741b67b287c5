/** The tables that a model needs, with the names and columns that Strapi 5 gives them. */
import {
  type ContentModel,
  componentsColumns,
  type LinkTable,
  type MorphLink,
  type ScalarType,
  type Schema,
  type Uid,
} from '../model/content-model.ts';
import { componentsOwnerName, indexName, ownIndexName, uniqueIndexName } from '../model/naming.ts';
import { builtInIndexes, systemTables } from './system-tables.ts';
import type { Column, ForeignKey, Index, Origin, Table } from './table.ts';

/** All tables. Where possible, a table comes after those that it refers to. */
export function physicalSchema(model: ContentModel): Table[] {
  const tableOf = (uid: Uid): string => (model.contentTypes.get(uid) ?? model.components.get(uid))?.table ?? '';
  const schemas: readonly Schema[] = [...model.contentTypes.values(), ...model.components.values()];
  return [
    ...systemTables,
    ...schemas.map((schema) => schemaTable(schema, tableOf)),
    ...schemas.flatMap((schema) => relationTables(schema, tableOf)),
  ];
}

const id: Column = { name: 'id', type: 'id' };
const plainIndex = (name: string, ...columns: readonly string[]): Index => ({ name, columns, unique: false });

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
    ownIndexes: ownIndexes(schema),
  };
}

/** Types whose unique values every database can index: a `text` may be too long for an index entry. */
const indexable: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'uid', 'email', 'enumeration', 'integer', 'biginteger']);

function ownIndexes(schema: Schema): Index[] {
  const unique = [...schema.attributes.values()].flatMap((attribute): Index[] => {
    if (attribute.kind !== 'scalar' || attribute.system || !indexable.has(attribute.type)) return [];
    if (!attribute.unique && attribute.type !== 'uid') return [];
    const index = plainIndex(uniqueIndexName(schema.table, attribute.column), attribute.column);
    return [schema.kind === 'component' ? index : { ...index, where: { column: 'published_at', isNull: false } }];
  });
  return [...listIndexes(schema), ...unique];
}

/** Indexes for the most frequent request: a list of published (or draft) entries in the order of their ids. */
function listIndexes(schema: Schema): Index[] {
  if (schema.kind === 'component' || !schema.draftAndPublish) return [];
  const partial = (purpose: string, isNull: boolean): Index => ({
    name: ownIndexName(schema.table, purpose),
    columns: ['locale', 'id'],
    unique: false,
    where: { column: 'published_at', isNull },
  });
  return [partial('published', false), partial('drafts', true)];
}

function relationTables(schema: Schema, tableOf: (uid: Uid) => string): Table[] {
  const tables: Table[] = [];
  if (schema.componentsTable !== undefined) tables.push(componentsTable(schema, schema.componentsTable.table));
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'relation') continue;
    const { storage } = attribute;
    const origin: Origin = { uid: schema.uid, attribute: attribute.name };
    if (storage.kind === 'morphLink') tables.push(morphTable(storage, schema.table, origin));
    else if (storage.kind === 'linkTable' && storage.owner && attribute.target !== undefined) {
      tables.push(linkTable(storage, schema.table, tableOf(attribute.target), origin));
    }
  }
  return tables;
}

function componentsTable(schema: Schema, name: string): Table {
  const { owner, component, type, field, order } = componentsColumns;
  const key = componentsOwnerName(schema.table);
  return {
    name,
    origin: { uid: schema.uid },
    columns: [
      id,
      { name: owner, type: 'reference' },
      { name: component, type: 'reference' },
      { name: type, type: 'string' },
      { name: field, type: 'string' },
      { name: order, type: 'order' },
    ],
    indexes: [
      plainIndex(indexName([schema.table, field], 'idx'), field),
      plainIndex(indexName([schema.table, type], 'idx'), type),
      plainIndex(key, owner),
      { name: indexName([schema.table], 'uq'), columns: [owner, component, field, type], unique: true },
    ],
    foreignKeys: [{ name: key, column: owner, references: schema.table, onDelete: 'CASCADE' }],
    ownIndexes: [],
  };
}

function linkTable(link: LinkTable, source: string, target: string, origin: Origin): Table {
  const name = link.table;
  const key = indexName([name], 'fk');
  const inverseKey = indexName([name], 'ifk');
  const orders = [
    { column: link.orderColumn, index: indexName([name], 'ofk') },
    { column: link.inverseOrderColumn, index: indexName([name], 'oifk') },
  ].flatMap(({ column, index }) => (column === undefined ? [] : [{ column, index }]));
  return {
    name,
    origin,
    columns: [
      id,
      { name: link.sourceColumn, type: 'reference' },
      { name: link.targetColumn, type: 'reference' },
      ...orders.map(({ column }): Column => ({ name: column, type: 'order' })),
    ],
    indexes: [
      plainIndex(key, link.sourceColumn),
      plainIndex(inverseKey, link.targetColumn),
      { name: indexName([name], 'uq'), columns: [link.sourceColumn, link.targetColumn], unique: true },
      ...orders.map(({ column, index }) => plainIndex(index, column)),
    ],
    foreignKeys: [
      { name: key, column: link.sourceColumn, references: source, onDelete: 'CASCADE' },
      { name: inverseKey, column: link.targetColumn, references: target, onDelete: 'CASCADE' },
    ],
    ownIndexes: [],
  };
}

function morphTable(link: MorphLink, source: string, origin: Origin): Table {
  const name = link.table;
  const key = indexName([name], 'fk');
  return {
    name,
    origin,
    columns: [
      id,
      { name: link.sourceColumn, type: 'reference' },
      { name: link.idColumn, type: 'reference' },
      { name: link.typeColumn, type: 'string' },
      { name: link.fieldColumn, type: 'string' },
      { name: link.orderColumn, type: 'order' },
    ],
    indexes: [
      plainIndex(key, link.sourceColumn),
      plainIndex(indexName([name], 'oidx'), link.orderColumn),
      plainIndex(indexName([name], 'idix'), link.idColumn),
    ],
    foreignKeys: [{ name: key, column: link.sourceColumn, references: source, onDelete: 'CASCADE' }],
    ownIndexes: [],
  };
}
