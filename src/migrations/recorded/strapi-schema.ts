/** Reads Strapi's record of the schema that it made its tables from. Two rows have it.
 *  `strapi_database_schema` has the tables and columns: by a three-way comparison with them, Strapi
 *  decides what it drops at its next start. The setting `strapi_content_types_schema` has the
 *  content types, also those of plugins. Together they distinguish tables of the project from those
 *  of plugins, whose schemas Lectern does not know and whose tables it must not change. */
import type { ColumnType } from '../../dialects/column-type.ts';
import type { Connection, LiveTable } from '../../dialects/database.ts';
import type { ContentModel, Uid } from '../../model/content-model.ts';
import {
  columnName,
  componentsTableName,
  idColumnName,
  linkTableName,
  morphTableName,
  tableName,
  typeColumnName,
} from '../../model/naming.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import { settingsTable, strapiSchemaTable } from '../../tables/system-tables.ts';
import type { ForeignKey, Index } from '../../tables/table.ts';
import { isObject, type JsonObject, objectAt, objectsAt, parsedObject, stringAt, stringsAt } from '../../text/json.ts';
import type { RecordedColumn, RecordedField, RecordedTable, TypeOptions } from './recorded-schema.ts';

export interface StrapiRecord {
  /** The tables of the project's own types and components. */
  readonly tables: ReadonlyMap<string, RecordedTable>;
  /** The options of the content types at Strapi's last start. */
  readonly options: ReadonlyMap<Uid, TypeOptions>;
  /** Whether Strapi's record has this table or column. */
  knows(table: string, column?: string): boolean;
}

const nothing: StrapiRecord = { tables: new Map(), options: new Map(), knows: () => false };

export async function readStrapiRecord(connection: Connection, live: readonly LiveTable[], model: ContentModel): Promise<StrapiRecord> {
  const { dialect } = connection;
  const { quote } = dialect;
  const names = new Set(live.map((table) => table.name));
  if (!names.has(strapiSchemaTable)) return nothing;
  // Strapi reads the latest row. A table without these columns is not Strapi's.
  const columns = live.find((table) => table.name === strapiSchemaTable)?.columns;
  if (!columns?.has('schema') || !columns.has('time')) return nothing;
  const [row] = await connection.query(
    `SELECT ${dialect.asText(quote('schema'), 'json')} FROM ${quote(strapiSchemaTable)} ORDER BY ${quote('time')} DESC, ${quote('id')} DESC LIMIT 1`,
    [],
  );
  const schema = parsedObject(row?.[0]);
  if (schema === undefined) return nothing;
  const [setting] = names.has(settingsTable)
    ? await connection.query(
        `SELECT ${quote('value')} FROM ${quote(settingsTable)} WHERE ${quote('key')} = 'strapi_content_types_schema'`,
        [],
      )
    : [];
  return recordFrom(schema, parsedObject(setting?.[0]) ?? {}, model);
}

/** Combines the two JSON values. Without content types, recognises only components, by prefix. */
function recordFrom(schema: JsonObject, contentTypes: JsonObject, model: ContentModel): StrapiRecord {
  const recorded = new Map(objectsAt(schema, 'tables').flatMap((table) => named(table)));
  const columns = new Map([...recorded].map(([name, table]) => [name, new Set(objectsAt(table, 'columns').map((each) => each.name))]));
  const owners = ownersOf(contentTypes, model, [...recorded]);
  const tables = new Map<string, RecordedTable>();
  for (const [name, json] of recorded) {
    const owner = owners.get(name);
    if (owner !== undefined) tables.set(name, tableFrom(name, json, owner));
  }
  return {
    tables,
    options: new Map(Object.entries(contentTypes).flatMap(([uid, json]) => (isObject(json) ? [[uid, optionsFrom(json)]] : []))),
    knows: (table, column) => (column === undefined ? recorded.has(table) : columns.get(table)?.has(column) === true),
  };
}

const optionsFrom = (json: JsonObject): TypeOptions => ({
  draftAndPublish: objectAt(json, 'options').draftAndPublish === true,
  localized: objectAt(objectAt(json, 'pluginOptions'), 'i18n').localized === true,
});

const named = (json: JsonObject): [string, JsonObject][] => {
  const name = stringAt(json, 'name');
  return name === undefined ? [] : [[name, json]];
};

/** The type of a table, and its columns that belong to attributes of the schema file. */
interface Owner {
  readonly uid?: Uid;
  readonly attribute?: string;
  /** Attributes by column; undefined if all columns belong to the schema file. */
  readonly attributes?: ReadonlyMap<string, string>;
  readonly fields?: readonly RecordedField[];
}

function ownersOf(contentTypes: JsonObject, model: ContentModel, recorded: readonly (readonly [string, JsonObject])[]): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  // Tables of the model, and their columns in the model, belong to the model.
  for (const { name, origin } of physicalSchema(model)) {
    if (origin.uid !== 'system') owners.set(name, { ...origin, attributes: new Map() });
  }
  const ofPlugins = new Set<string>();
  for (const [uid, json] of Object.entries(contentTypes)) {
    if (!isObject(json)) continue;
    const table = tableName(stringAt(json, 'collectionName') ?? '');
    const inModel = model.contentTypes.get(uid);
    // A built-in type may have other columns in this version of Strapi than in Lectern's.
    if (uid.startsWith('api::') || (inModel !== undefined && inModel.source !== 'built in')) addTypeTables(owners, uid, table, json);
    else ofPlugins.add(table);
  }
  addComponentTables(owners, model, recorded);
  for (const table of ofPlugins) if (!physicalSchemaHas(model, table)) owners.delete(table);
  return owners;
}

const physicalSchemaHas = (model: ContentModel, table: string) => [...model.contentTypes.values()].some((each) => each.table === table);

/** `__schema__` is the former schema file. It lacks the attributes that plugins and Strapi added,
 *  so their columns are left alone. */
function addTypeTables(owners: Map<string, Owner>, uid: Uid, table: string, json: JsonObject): void {
  const collection = stringAt(json, 'collectionName') ?? '';
  const attributes = new Map<string, string>();
  const fields: RecordedField[] = [];
  for (const [name, attribute] of Object.entries(objectAt(objectAt(json, '__schema__'), 'attributes'))) {
    if (!isObject(attribute)) continue;
    const kind = fieldKind(attribute);
    if (kind !== undefined) fields.push({ name, kind });
    for (const column of columnsFor(name, attribute)) attributes.set(column, name);
    if (attribute.type !== 'relation') continue;
    for (const link of [linkTableName(table, name), morphTableName(table, name)]) owners.set(link, { uid, attribute: name });
  }
  owners.set(table, { uid, attributes, fields });
  owners.set(componentsTableName(collection), { uid });
}

function columnsFor(name: string, attribute: JsonObject): string[] {
  if (attribute.type !== 'relation') return [columnName(name)];
  if (attribute.relation === 'morphToOne') return [idColumnName('target'), typeColumnName('target')];
  return attribute.useJoinTable === false ? [stringAt(objectAt(attribute, 'joinColumn'), 'name') ?? idColumnName(name)] : [];
}

function fieldKind(attribute: JsonObject): string | undefined {
  const cardinality = (key: string) => (attribute[key] === true ? 'many' : 'one');
  if (attribute.type === 'component') return `component ${stringAt(attribute, 'component')} ${cardinality('repeatable')}`;
  if (attribute.type === 'media') return `media ${cardinality('multiple')}`;
  return attribute.type === 'dynamiczone' ? 'dynamiczone' : undefined;
}

/** Strapi records no components. Their tables, and no others, begin with `components_`. */
function addComponentTables(owners: Map<string, Owner>, model: ContentModel, recorded: readonly (readonly [string, JsonObject])[]): void {
  const components = new Map([...model.components.values()].map((component) => [component.table, component.uid]));
  for (const [name, json] of recorded) {
    const uid = components.get(name);
    if (uid !== undefined) owners.set(name, { uid });
    else if (name.startsWith('components_') && !owners.has(name)) owners.set(name, componentOwner(name, json, components));
  }
}

/** The owner of a table such as `components_shared_links_article_lnk`: the first foreign key refers
 *  to the component, and the rest of the name is the attribute. */
function componentOwner(name: string, json: JsonObject, components: ReadonlyMap<string, Uid>): Owner {
  const [key] = objectsAt(json, 'foreignKeys');
  const owner = key === undefined ? undefined : stringAt(key, 'referencedTable');
  const attribute = owner === undefined ? undefined : /^_(.+)_(?:lnk|mph)$/.exec(name.slice(owner.length))?.[1];
  return { ...textMember('uid', components.get(owner ?? '')), ...textMember('attribute', attribute) };
}

const textMember = <Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } =>
  // The compiler widens a computed key to `string`.
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: string };

const columnTypes: Readonly<Record<string, ColumnType>> = {
  increments: 'id',
  string: 'string',
  text: 'text',
  jsonb: 'json',
  integer: 'integer',
  bigInteger: 'biginteger',
  double: 'float',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'timestamp',
};

function tableFrom(name: string, json: JsonObject, owner: Owner): RecordedTable {
  return {
    name,
    origin: { ...textMember('uid', owner.uid), ...textMember('attribute', owner.attribute) },
    columns: objectsAt(json, 'columns').flatMap((column) => columnFrom(column, owner)),
    indexes: objectsAt(json, 'indexes').flatMap(indexFrom),
    foreignKeys: objectsAt(json, 'foreignKeys').flatMap(foreignKeyFrom),
    fields: owner.fields ?? [],
  };
}

/** Columns that every table of a type has. Other columns without an attribute are a plugin's. */
const systemColumns = new Set(
  ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale']
    .map(columnName)
    .concat(['createdBy', 'updatedBy'].map(idColumnName)),
);

function columnFrom(json: JsonObject, { attributes }: Owner): RecordedColumn[] {
  const [name, type] = [stringAt(json, 'name'), columnTypes[stringAt(json, 'type') ?? '']];
  if (name === undefined || type === undefined) return [];
  const attribute = attributes?.get(name);
  if (attributes !== undefined && attribute === undefined && !systemColumns.has(name)) return [];
  // Only the columns of references and positions are unsigned.
  const unsigned = json.unsigned === true;
  const refined = unsigned && type === 'integer' ? 'reference' : unsigned && type === 'float' ? 'order' : type;
  return [{ name, type: refined, ...textMember('attribute', attribute) }];
}

function indexFrom(json: JsonObject): Index[] {
  const [name, columns] = [stringAt(json, 'name'), stringsAt(json, 'columns')];
  return name === undefined || columns === undefined || json.type === 'primary' ? [] : [{ name, columns, unique: json.type === 'unique' }];
}

function foreignKeyFrom(json: JsonObject): ForeignKey[] {
  const [name, references, [column] = []] = [stringAt(json, 'name'), stringAt(json, 'referencedTable'), stringsAt(json, 'columns')];
  if (name === undefined || references === undefined || column === undefined) return [];
  return [{ name, column, references, onDelete: json.onDelete === 'CASCADE' ? 'CASCADE' : 'SET NULL' }];
}
