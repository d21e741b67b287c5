/** Decides which indexes a database lacks. */
import type { Database, LiveIndex, LiveTable } from '../dialects/database.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ContentModel, ScalarAttribute, ScalarType, Schema } from '../model/content-model.ts';
import { recordedIndexName, sortedIndexName } from '../model/naming.ts';
import type { DatabaseOrigin } from '../tables/database-origin.ts';
import { createIndex, ownIndexesFor } from '../tables/index-statements.ts';
import { indexesOfSchema, searchedAttribute } from '../tables/own-indexes.ts';
import { physicalSchema } from '../tables/physical-schema.ts';
import type { Index } from '../tables/table.ts';
import { digestOf } from '../text/digest.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { serves } from './live-indexes.ts';
import type { RecordedShape } from './recorded-shape.ts';

export interface Proposal {
  readonly table: string;
  readonly index: Index;
  /** An unusable index of the same name: left by an interrupted statement, or different. */
  readonly replaces: LiveIndex | undefined;
}

export interface LiveDatabase {
  readonly tables: readonly LiveTable[];
  readonly indexes: readonly LiveIndex[];
}

/** The indexes of a model that a database lacks. */
export function proposalsOfModel(model: ContentModel, live: LiveDatabase, dialect: Dialect): Proposal[] {
  return physicalSchema(model).flatMap((table) => ownIndexesFor(table, dialect).flatMap((index) => proposalOf(table.name, index, live)));
}

/** A line for the start, or empty. A database that Lectern created has its indexes; Lectern adds
 *  none to a database of Strapi unless a person runs the command. */
export async function describeMissingIndexes(database: Database, model: ContentModel, origin: DatabaseOrigin): Promise<string> {
  if (origin !== 'strapi') return '';
  const count = proposalsOfModel(model, { tables: await database.tables(), indexes: await database.indexes() }, database.dialect).length;
  if (count === 0) return '';
  const indexes = count === 1 ? '1 index' : `${count} indexes`;
  return `\`${lecternCommand('indexes apply')}\` would add ${indexes} to the database, for look-ups by unique values, sorted lists and relations in their order; \`${lecternCommand('indexes advise')}\` prints them.\n`;
}

/** Nothing where the database has such an index, whoever created it, or lacks a column. */
function proposalOf(table: string, index: Index, { tables, indexes }: LiveDatabase): Proposal[] {
  const columns = tables.find(({ name }) => name === table)?.columns;
  const needed = [...index.columns, ...(index.where === undefined ? [] : [index.where.column])];
  if (columns === undefined || !needed.every((column) => columns.has(column))) return [];
  const present = indexes.filter((each) => each.table === table);
  if (present.some((each) => serves(each, index))) return [];
  return [{ table, index, replaces: present.find(({ name }) => name === index.name) }];
}

/** The indexes that recorded shapes would use. */
export function proposalsOfShapes(shapes: readonly RecordedShape[], model: ContentModel, live: LiveDatabase, dialect: Dialect): Proposal[] {
  const found = new Map<string, Wanted>();
  for (const shape of shapes) {
    const schema = model.contentTypes.get(shape.uid) ?? model.components.get(shape.uid);
    const index = schema === undefined ? undefined : indexOf(shape, schema, dialect);
    if (schema === undefined || index === undefined) continue;
    const isRead = shape.compared.length > 0;
    const served = ownIndexesFor({ ownIndexes: indexesOfSchema(schema) }, dialect).some(
      (own) => beginsWith(own, index) || (isRead && hasColumns(own, index)),
    );
    if (served) continue;
    found.set(index.name, { table: schema.table, index });
  }
  const all = [...found.values()];
  return all.filter((one) => !all.some((other) => isWider(other, one))).flatMap(({ table, index }) => proposalOf(table, index, live));
}

/** The indexes of texts for what searches read: the name or title of each type, and any other text
 *  that recorded reads compare alone. Only for a database that can have them. */
export function proposalsOfTexts(shapes: readonly RecordedShape[], model: ContentModel, live: LiveDatabase): Proposal[] {
  const wanted = new Map<string, Wanted>();
  const add = (schema: Schema, attribute: ScalarAttribute | undefined): void => {
    if (attribute === undefined) return;
    const hasDrafts = schema.kind !== 'component' && schema.draftAndPublish;
    const index: Index = {
      name: sortedIndexName(schema.table, attribute.column, 'texts'),
      columns: [attribute.column],
      unique: false,
      ofTexts: true,
      ...(hasDrafts ? { where: { column: 'published_at', isNull: false } } : {}),
    };
    wanted.set(index.name, { table: schema.table, index });
  };
  for (const type of model.contentTypes.values()) add(type, searchedAttribute(type));
  for (const { uid, status, compared } of shapes) {
    const schema = model.contentTypes.get(uid) ?? model.components.get(uid);
    if (schema === undefined || status === 'draft' || compared.length !== 1) continue;
    const attribute = schema.attributes.get(compared[0] ?? '');
    if (attribute?.kind === 'scalar' && !attribute.system && texts.has(attribute.type)) add(schema, attribute);
  }
  return [...wanted.values()].flatMap(({ table, index }) => proposalOf(table, index, live));
}

type Wanted = Pick<Proposal, 'table' | 'index'>;

/** What is compared with texts, of any length. */
const texts: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'uid', 'email', 'enumeration', 'text', 'richtext']);

/** Types of columns whose values fit into an index entry on every engine. */
const sortable: ReadonlySet<ScalarType> = new Set<ScalarType>([
  ...(['string', 'uid', 'email', 'enumeration', 'integer', 'biginteger', 'float', 'decimal'] as const),
  ...(['boolean', 'date', 'time', 'datetime', 'timestamp'] as const),
]);
/** PostgreSQL refuses index entries of more than 2,700 bytes; 255 characters may have 1,020. */
const long: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'uid', 'email']);
const maxLong = 2;
const maxColumns = 3;
/** The maximum number of further columns of an index that is read instead of its table. */
const maxCompared = 4;

/** Equal values first, so that the rows that have them follow each other in the order that is
 *  asked for. Columns that are compared come last: the engine reads the whole index, which is many
 *  times smaller than the rows. */
function indexOf({ status, inOneLocale, equal, ordered, compared }: RecordedShape, schema: Schema, dialect: Dialect): Index | undefined {
  const attributes = scalarsOf(schema, [...equal, ...(ordered === undefined ? [] : [ordered])]);
  if (attributes === undefined || attributes.length > maxColumns) return undefined;
  // Few rows have such a value: an index on it alone is proposed for the model, or is Strapi's.
  if (equal.some((name) => isSelective(schema, name))) return undefined;
  const rest = scalarsOf(schema, compared);
  const fitsIndex = rest !== undefined && rest.length <= maxCompared && countLong([...attributes, ...rest]) <= maxLong;
  const isRead = compared.length > 0 && fitsIndex;
  if (countLong(attributes) > maxLong || (attributes.length === 0 && !isRead)) return undefined;
  const last = ordered === undefined ? undefined : attributes.at(-1);
  const locale = inOneLocale && schema.attributes.has('locale') ? ['locale'] : [];
  const columns = [...locale, ...attributes.map(({ column }) => column)];
  // SQLite reads the column of the index's own condition, too.
  const published = status === undefined ? [] : ['published_at'];
  const read = isRead ? [...rest.map(({ column }) => column), ...published].filter((column) => !columns.includes(column)) : [];
  const index: Index = {
    name: '',
    columns: [...columns, 'id', ...read],
    unique: false,
    ...(last === undefined ? {} : { sorted: { column: last.column, type: last.type } }),
    ...(status === undefined || !dialect.tables.partialIndexes ? {} : { where: { column: 'published_at', isNull: status === 'draft' } }),
  };
  // An index for another order is another one: its name contains a digest of the definition.
  const digest = digestOf(createIndex({ name: schema.table }, index, dialect))
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .slice(0, 6)
    .toLowerCase();
  return { ...index, name: recordedIndexName(schema.table, [...columns, ...read], digest) };
}

/** Undefined if an index cannot hold all of them. */
function scalarsOf(schema: Schema, names: readonly string[]): ScalarAttribute[] | undefined {
  const attributes = names.map((name) => schema.attributes.get(name));
  const fits = attributes.every(
    (each): each is ScalarAttribute => each?.kind === 'scalar' && sortable.has(each.type) && each.name !== 'id',
  );
  return fits ? attributes : undefined;
}

const countLong = (attributes: readonly ScalarAttribute[]): number => attributes.filter(({ type }) => long.has(type)).length;

function isSelective(schema: Schema, name: string): boolean {
  const attribute = schema.attributes.get(name);
  return attribute?.kind === 'scalar' && (attribute.unique || attribute.type === 'uid' || name === 'documentId');
}

/** Whether an index for lists by a column, in both directions, begins with the columns. */
const beginsWith = (own: Index, { columns, sorted, where }: Index): boolean =>
  own.sorted !== undefined &&
  own.sorted.column === sorted?.column &&
  JSON.stringify(own.where) === JSON.stringify(where) &&
  columns.every((column, position) => own.columns[position] === column);

/** Whether an index that is read entirely, for its texts, has the same columns. */
const hasColumns = (own: Index, { columns, sorted, where }: Index): boolean =>
  own.sorted === undefined &&
  sorted === undefined &&
  JSON.stringify(own.where) === JSON.stringify(where) &&
  JSON.stringify([...own.columns].sort()) === JSON.stringify([...columns].sort());

/** Whether another index begins with the same columns in the same order, and goes on. */
function isWider({ table, index: other }: Wanted, { table: own, index }: Wanted): boolean {
  const isSameSort = JSON.stringify(other.sorted) === JSON.stringify(index.sorted);
  const { columns } = index;
  // Without a sort, the order of the ids matters less than one index more.
  const needed = index.sorted === undefined && columns.at(-1) === 'id' ? columns.slice(0, -1) : columns;
  return (
    table === own &&
    (isSameSort || index.sorted === undefined) &&
    other.columns.length > columns.length &&
    JSON.stringify(other.where) === JSON.stringify(index.where) &&
    needed.every((column, position) => other.columns[position] === column)
  );
}
