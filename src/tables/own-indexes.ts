/** Indexes that Strapi does not create: they serve the reads that a model makes likely. */
import { fileUid } from '../model/built-in-types.ts';
import {
  type ComponentsTable,
  componentsColumns,
  type LinkTable,
  type MorphLink,
  type ScalarAttribute,
  type ScalarType,
  type Schema,
} from '../model/content-model.ts';
import { ownIndexName, sortedIndexName, uniqueIndexName } from '../model/naming.ts';
import { type Index, plainIndex } from './table.ts';

/** Types whose unique values every database can index: a `text` may be
 *  too long for an index entry. */
const indexable: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'uid', 'email', 'enumeration', 'integer', 'biginteger']);

/** Indexes of the table of a type or component. */
export const indexesOfSchema = (schema: Schema): Index[] => [
  ...listIndexes(schema),
  ...sortedIndexes(schema),
  ...searchIndexes(schema),
  ...uniqueIndexes(schema),
];

/** Indexes for the most frequent request: a list of published (or draft) entries
 *  in the order of their ids. */
function listIndexes(schema: Schema): Index[] {
  if (schema.kind === 'component' || !schema.draftAndPublish) return [];
  const partial = (purpose: string, isNull: boolean): Index => ({
    ...plainIndex(ownIndexName(schema.table, purpose), 'locale', 'id'),
    where: { column: 'published_at', isNull },
  });
  return [partial('published', false), partial('drafts', true)];
}

/** Indexes for lists by the times that every entry has. Most lists begin with the newest entry.
 *  Read backwards, the same index serves the other direction, in which the engine sorts only
 *  entries with the same time. Partial indexes are smaller, and each of their rows is one of the
 *  list. `publishedAt` of drafts is null. */
function sortedIndexes(schema: Schema): Index[] {
  if (schema.kind !== 'collectionType' || !schema.routed) return [];
  const { table, localized, draftAndPublish } = schema;
  const published = 'published_at';
  return ['publishedAt', 'createdAt', 'updatedAt'].flatMap((name): Index[] => {
    const attribute = schema.attributes.get(name);
    if (attribute?.kind !== 'scalar' || (name === 'publishedAt' && !draftAndPublish)) return [];
    const { column, type } = attribute;
    const sorted = (rows: 'published' | 'drafts' | 'sorted', ...further: readonly string[]): Index => ({
      ...plainIndex(sortedIndexName(table, column, rows), ...(localized ? ['locale'] : []), column, 'id', ...further),
      sorted: { column, type, direction: 'desc' },
    });
    if (!draftAndPublish) return [sorted('sorted')];
    const partial = (rows: 'published' | 'drafts'): Index => ({ ...sorted(rows), where: { column: published, isNull: rows === 'drafts' } });
    // The index has drafts and published rows. `published_at` is in it, so the engine need not read
    // a row to skip it.
    const full: Index = { ...sorted('sorted', ...(column === published ? [] : [published])), replacesPartial: true };
    return [partial('published'), ...(column === published ? [] : [partial('drafts')]), full];
  });
}

/** Searches compare every row with a text, most often with the name or title of an entry, which is
 *  usually the first text of its type. The engine reads the index, many times smaller than the
 *  rows. Without the locale, the text comes first: SQLite would look up rows by ids in the index.
 *  It reads the column of the index's own condition, too. */
function searchIndexes(schema: Schema): Index[] {
  const searched = searchedAttribute(schema);
  if (schema.kind !== 'collectionType' || searched === undefined) return [];
  const { table, localized, draftAndPublish } = schema;
  const { column } = searched;
  const columns = localized ? ['locale', 'id', column] : [column, 'id'];
  const found = plainIndex(sortedIndexName(table, column, 'searched'), ...columns, ...(draftAndPublish ? ['published_at'] : []));
  return [draftAndPublish ? { ...found, where: { column: 'published_at', isNull: false } } : found];
}

/** The name or title of the entries of a type. */
export function searchedAttribute(schema: Schema): ScalarAttribute | undefined {
  if (schema.kind !== 'collectionType' || !schema.routed) return undefined;
  // Nobody may search by a private attribute.
  return [...schema.attributes.values()].find(
    (attribute): attribute is ScalarAttribute =>
      attribute.kind === 'scalar' && attribute.type === 'string' && !attribute.system && !attribute.private,
  );
}

/** Not partial: drafts are looked up by their values too, and a filter through a relation may
 *  accept both. With the locale, since SQLite without statistics takes an index on all columns that
 *  are compared for the better one, and the index of lists begins with the locale. */
const uniqueIndexes = (schema: Schema): Index[] =>
  [...schema.attributes.values()].flatMap((attribute) => {
    if (attribute.kind !== 'scalar' || attribute.system || !indexable.has(attribute.type)) return [];
    if (!attribute.unique && attribute.type !== 'uid') return [];
    const locale = schema.kind === 'component' ? [] : ['locale'];
    return [plainIndex(uniqueIndexName(schema.table, attribute.column), attribute.column, ...locale)];
  });

/** The links of one row in their order, from either side. All columns that a read needs are in the
 *  index, so it reads no row of the table. */
export function indexesOfLinks(schema: Schema, link: LinkTable): Index[] {
  if (!isServed(schema)) return [];
  const { table, sourceColumn, targetColumn, orderColumn, inverseOrderColumn } = link;
  return [
    ...(orderColumn === undefined ? [] : [plainIndex(ownIndexName(table, 'order'), sourceColumn, orderColumn, 'id', targetColumn)]),
    ...(inverseOrderColumn === undefined
      ? []
      : [plainIndex(ownIndexName(table, 'inverse_order'), targetColumn, inverseOrderColumn, 'id', sourceColumn)]),
  ];
}

export function indexesOfComponents(schema: Schema, { table }: ComponentsTable): Index[] {
  if (!isServed(schema)) return [];
  const { owner, order, field, type, component } = componentsColumns;
  return [plainIndex(ownIndexName(table, 'order'), owner, order, 'id', field, type, component)];
}

export function indexesOfMorph(schema: Schema, link: MorphLink): Index[] {
  const { table, sourceColumn, idColumn, typeColumn, fieldColumn, orderColumn } = link;
  const inverse = plainIndex(ownIndexName(table, 'inverse_order'), idColumn, orderColumn, 'id', fieldColumn, typeColumn, sourceColumn);
  // Files are read from the entries that they belong to.
  if (schema.uid === fileUid) return [inverse];
  return isServed(schema) ? [plainIndex(ownIndexName(table, 'order'), sourceColumn, orderColumn, 'id', idColumn, typeColumn), inverse] : [];
}

/** Whether callers read the relations of a schema often: built-in types have few rows, or are
 *  read by the server itself. */
const isServed = (schema: Schema): boolean => schema.kind === 'component' || schema.routed;
