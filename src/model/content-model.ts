/** The nouns of the content model: what the schema files of a project, and Strapi's built-in types, say, resolved to tables and
 *  columns. Made once at the start by `loadModel`, deeply immutable, shared by every request. */

/** `api::article.article`, `plugin::upload.file`, `shared.seo`. */
export type Uid = string;

export interface ContentModel {
  readonly contentTypes: ReadonlyMap<Uid, ContentType>;
  readonly components: ReadonlyMap<Uid, Component>;
  /** Mistakes in the schema files that are served because Strapi starts with them. For people. */
  readonly warnings: readonly ModelError[];
}

/** What a content type and a component have in common: a table, and attributes in schema order. */
interface SchemaBase {
  readonly uid: Uid;
  readonly displayName: string;
  /** Physical table name (Strapi's `collectionName`, shortened where needed). */
  readonly table: string;
  /** `<table>_cmps` when any attribute is a component or dynamic zone. */
  readonly componentsTable: ComponentsTable | undefined;
  /** Every attribute by name, schema order, then the ones that the system adds (see `ContentType`). */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Where the schema came from: a path relative to the project folder, or `built in`. For messages to people only. */
  readonly source: string;
}

/** In `attributes`: first `id` and `documentId`, then the schema's, then `createdAt updatedAt publishedAt locale createdBy updatedBy
 *  localizations`. `locale` and `localizations` are always there (the column exists everywhere) and are `private` unless the
 *  type is localized; `createdBy`/`updatedBy` are `private` unless `populateCreatorFields`. */
export interface ContentType extends SchemaBase {
  readonly kind: 'collectionType' | 'singleType';
  readonly singularName: string;
  readonly pluralName: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly populateCreatorFields: boolean;
  /** Has the generated `/api/<pluralName>` endpoints (project types); built-in types have endpoints of their own or none. */
  readonly routed: boolean;
}

/** In `attributes`: first `id`, then the schema's. */
export interface Component extends SchemaBase {
  readonly kind: 'component';
}

export type Schema = ContentType | Component;

export interface ComponentsTable {
  readonly table: string;
}
/** Column names of every components join table; Strapi uses the same everywhere. */
export const componentsColumns = {
  owner: 'entity_id',
  component: 'cmp_id',
  type: 'component_type',
  field: 'field',
  order: 'order',
} as const;

export type ScalarType =
  | 'string'
  | 'text'
  | 'richtext'
  | 'blocks'
  | 'email'
  | 'password'
  | 'uid'
  | 'enumeration'
  | 'integer'
  | 'biginteger'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'timestamp'
  | 'json';

interface AttributeBase {
  readonly name: string;
  /** Does not exist for a caller of the Content API: neither selected nor filtered, sorted, populated or searched. */
  readonly private: boolean;
  /** Differs between the locales of a document (i18n `localized: true` on the attribute, or the type's relations, components, zones). */
  readonly localized: boolean;
  readonly required: boolean;
  readonly writable: boolean;
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly column: string;
  /** `id` (the row id) and the columns that the server itself writes. */
  readonly system: boolean;
  /** `searchable: false` in the schema takes an attribute out of `_q`. */
  readonly searchable: boolean;
  readonly unique: boolean;
  readonly enumValues: readonly string[] | undefined;
  /** Schema options that validation of writes needs, as written: default, min, max, minLength, maxLength, regex, targetField, … */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation';
  readonly cardinality: 'one' | 'many';
  /** Strapi's word: oneToOne, oneToMany, manyToOne, manyToMany, morphToOne, morphToMany, morphOne, morphMany. */
  readonly relation: RelationKind;
  /** Undefined for morphToOne and morphToMany, whose target is named row by row. */
  readonly target: Uid | undefined;
  /** The attribute of the target that shows the same links, on the side that owns them. */
  readonly inversedBy: string | undefined;
  /** The attribute of the target that owns the links. */
  readonly mappedBy: string | undefined;
  /** The schema names another side, whether or not that side shows the same links. */
  readonly twoWay: boolean;
  /** `related` of a file, the built-in inverse of every media attribute. */
  readonly storage: RelationStorage;
}

export type RelationKind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany' | 'morphToOne' | 'morphToMany' | 'morphOne' | 'morphMany';

/** Media is stored as an inverse of `plugin::upload.file`'s morphToMany `related`. */
export interface MediaAttribute extends AttributeBase {
  readonly kind: 'media';
  readonly cardinality: 'one' | 'many';
  readonly target: Uid;
  readonly allowedTypes: readonly string[] | undefined;
  readonly storage: InverseMorphLink;
}

export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component';
  readonly cardinality: 'one' | 'many';
  readonly component: Uid;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly kind: 'dynamiczone';
  readonly components: readonly Uid[];
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export type Attribute = ScalarAttribute | RelationAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute;

/** Where the related rows of a row are found, seen from the side of the attribute that holds it. */
export type RelationStorage =
  | LinkTable
  | OwnColumn
  | MorphColumns
  | MorphLink
  | InverseMorphColumns
  | InverseMorphLink
  | SameDocument
  | Nowhere;

/** `articles_category_lnk`: `sourceColumn` holds this side's row id, whichever side owns the table. */
export interface LinkTable {
  readonly kind: 'linkTable';
  readonly table: string;
  readonly sourceColumn: string;
  readonly targetColumn: string;
  /** Position of the target among the targets of one source; undefined where Strapi keeps none. */
  readonly orderColumn: string | undefined;
  /** Position of the source among the sources of one target. */
  readonly inverseOrderColumn: string | undefined;
  /** True on the side that declares the table (no `mappedBy`). */
  readonly owner: boolean;
}
/** A foreign key in the row itself: `created_by_id`. */
export interface OwnColumn {
  readonly kind: 'ownColumn';
  readonly column: string;
}
/** morphToOne: `target_id`, `target_type` in the row itself. */
export interface MorphColumns {
  readonly kind: 'morphColumns';
  readonly idColumn: string;
  readonly typeColumn: string;
}
/** morphToMany: `comments_attachments_mph`. */
export interface MorphLink {
  readonly kind: 'morphLink';
  readonly table: string;
  readonly sourceColumn: string;
  readonly idColumn: string;
  readonly typeColumn: string;
  readonly fieldColumn: string;
  readonly orderColumn: string;
}
/** morphOne/morphMany by a morphToOne: the target's own table points back at rows of this type. */
export interface InverseMorphColumns {
  readonly kind: 'inverseMorphColumns';
  readonly idColumn: string;
  readonly typeColumn: string;
  readonly typeValue: Uid;
}
/** morphOne/morphMany by a morphToMany, and media. `fieldValue` is what the `field` column holds. */
export interface InverseMorphLink {
  readonly kind: 'inverseMorphLink';
  readonly table: string;
  /** Holds the id of the target row (`file_id`). */
  readonly targetColumn: string;
  /** Holds the id of this row (`related_id`). */
  readonly idColumn: string;
  readonly typeColumn: string;
  readonly typeValue: Uid;
  readonly fieldColumn: string;
  readonly fieldValue: string;
  readonly orderColumn: string;
}
/** `localizations`: the other locales of the same document, in the same status. */
export interface SameDocument {
  readonly kind: 'sameDocument';
}

/** No table has links of this attribute, since its other side does not point back. Responses omit it, and writes to it change nothing. */
export interface Nowhere {
  readonly kind: 'nowhere';
}

/** One thing wrong with a project's schema files. */
export interface ModelError {
  /** Relative to the project folder. */
  readonly file: string;
  /** `attributes.category.target`; empty for the file as a whole. */
  readonly path: string;
  readonly problem: string;
  /** What would be right. */
  readonly remedy: string;
}
