/** The types of the content model, a project's and Strapi's built-in ones, with their tables and
 *  columns. `loadModel` creates it once at the start; it is deeply immutable, for every request. */
import type { Position } from '../text/json-position.ts';

/** `api::article.article`, `plugin::upload.file`, `shared.seo`. */
export type Uid = string;

export interface ContentModel {
  readonly contentTypes: ReadonlyMap<Uid, ContentType>;
  readonly components: ReadonlyMap<Uid, Component>;
  /** Mistakes in schema files that do not prevent a start, as in Strapi. For messages only. */
  readonly warnings: readonly ModelError[];
  /** Rights that endpoints of the project name, as actions by owner: `endpoint::orders` →
   *  `refund`. */
  readonly ownActions?: ReadonlyMap<string, readonly string[]>;
}

export const schemasOf = ({ contentTypes, components }: ContentModel): readonly Schema[] => [
  ...contentTypes.values(),
  ...components.values(),
];

export const schemaOf = ({ contentTypes, components }: ContentModel, uid: Uid): Schema | undefined =>
  contentTypes.get(uid) ?? components.get(uid);

/** Returns the schema that the attribute leads to, unless each of its rows names its own. */
export function targetOf(attribute: Attribute, model: ContentModel): Schema | undefined {
  if (attribute.kind === 'component') return model.components.get(attribute.component);
  if (attribute.kind !== 'relation' && attribute.kind !== 'media') return undefined;
  return attribute.target === undefined ? undefined : model.contentTypes.get(attribute.target);
}

/** The common properties of a content type and a component. */
interface SchemaBase {
  readonly uid: Uid;
  readonly displayName: string;
  /** `info.description` of the schema file, for people; undefined if there is none. */
  readonly description: string | undefined;
  /** How editors see it; undefined if the schema file says nothing. */
  readonly lectern: SchemaPresentation | undefined;
  /** Physical table name (Strapi's `collectionName`, shortened where needed). */
  readonly table: string;
  /** `<table>_cmps` when any attribute is a component or dynamic zone. */
  readonly componentsTable: ComponentsTable | undefined;
  /** Every attribute by name, in schema order, with those of the server (see `ContentType`). */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** The schema file, relative to the project folder, or `built in`. For messages only. */
  readonly source: string;
}

/** In `attributes`: first `id` and `documentId`, then the schema's, then
 *  `createdAt updatedAt publishedAt locale createdBy updatedBy localizations`. `locale` and
 *  `localizations` are always there (the column exists everywhere) and are `private` unless the
 *  type is localized; `createdBy`/`updatedBy` are `private` unless `populateCreatorFields`. */
export interface ContentType extends SchemaBase {
  readonly kind: 'collectionType' | 'singleType';
  readonly singularName: string;
  readonly pluralName: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly populateCreatorFields: boolean;
  /** Whether the type has the generated `/api/<pluralName>` endpoints (project types); built-in
   *  types have endpoints of their own or none. */
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
/** The column names of every components table; Strapi uses the same everywhere. */
export const componentsColumns = {
  owner: 'entity_id',
  component: 'cmp_id',
  type: 'component_type',
  field: 'field',
  order: 'order',
} as const;

/** `lectern` of a type or component in its schema file. */
export interface SchemaPresentation {
  readonly label?: string;
  /** The attribute that stands for a document. */
  readonly title?: string;
  readonly groups?: readonly PresentedGroup[];
}

export interface PresentedGroup {
  readonly name: string;
  readonly label: string;
}

/** `lectern` of an attribute. */
export interface AttributePresentation {
  readonly label?: string;
  readonly help?: string;
  readonly placeholder?: string;
  readonly group?: string;
  readonly width?: 'full' | 'half' | 'third';
  /** The code of ISO 4217 in which a number is an amount. */
  readonly currency?: string;
}

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
  /** For people; undefined if the schema file has none. */
  readonly description: string | undefined;
  readonly lectern: AttributePresentation | undefined;
  /** Hidden from Content API callers: not selected, filtered, sorted, populated or searched. */
  readonly private: boolean;
  /** Whether it differs between the locales of a document: `localized: true` on the attribute, or
   *  any relation, component or zone of a localized type. */
  readonly localized: boolean;
  readonly required: boolean;
  readonly writable: boolean;
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  /** Whether the schema file says another type than the column has, which `type` is. */
  readonly isChanged?: true;
  readonly column: string;
  /** `plugin::color-picker.color`; undefined unless it is a custom field. */
  readonly customField: string | undefined;
  /** `id` (the row id) and the columns that the server itself writes. */
  readonly system: boolean;
  /** `searchable: false` in the schema takes an attribute out of `_q`. */
  readonly searchable: boolean;
  readonly unique: boolean;
  readonly enumValues: readonly string[] | undefined;
  /** Options for validation, as written: default, min, max, minLength, maxLength, regex, … */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation';
  readonly cardinality: 'one' | 'many';
  /** Strapi's name of the kind, such as oneToMany or morphToOne. */
  readonly relation: RelationKind;
  /** Undefined for morphToOne and morphToMany, where each row names its target. */
  readonly target: Uid | undefined;
  /** The attribute of the target that shows the same links, on the side that owns them. */
  readonly inversedBy: string | undefined;
  /** The attribute of the target that owns the links. */
  readonly mappedBy: string | undefined;
  /** Whether the schema names another side, even if that side does not show the same links. */
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

/** Where the links of a relation are stored, seen from the side of its attribute. */
export type RelationStorage =
  | LinkTable
  | OwnColumn
  | MorphColumns
  | MorphLink
  | InverseMorphColumns
  | InverseMorphLink
  | SameDocument
  | Nowhere;

/** `articles_category_lnk`: `sourceColumn` has this side's row id, whoever owns the table. */
export interface LinkTable {
  readonly kind: 'linkTable';
  readonly table: string;
  readonly sourceColumn: string;
  readonly targetColumn: string;
  /** Position of the target among the targets of one source; undefined where Strapi stores none. */
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
/** The inverse (morphOne, morphMany) of a morphToOne: the target's table refers to these rows. */
export interface InverseMorphColumns {
  readonly kind: 'inverseMorphColumns';
  readonly idColumn: string;
  readonly typeColumn: string;
  readonly typeValue: Uid;
}
/** Inverse (morphOne, morphMany) of a morphToMany; also media. `fieldValue`: of column `field`. */
export interface InverseMorphLink {
  readonly kind: 'inverseMorphLink';
  readonly table: string;
  /** The column with the id of the target row (`file_id`). */
  readonly targetColumn: string;
  /** The column with the id of this row (`related_id`). */
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

/** No links: the other side does not point back. Responses omit it, and writes change nothing. */
export interface Nowhere {
  readonly kind: 'nowhere';
}

/** A mistake in a project's schema files. */
export interface ModelError {
  /** The schema file, relative to the project folder. */
  readonly file: string;
  /** `attributes.category.target`; empty for the file as a whole. */
  readonly path: string;
  /** Undefined for a file that is missing or has no JSON. */
  readonly position: Position | undefined;
  readonly problem: string;
  /** How to correct the mistake. */
  readonly remedy: string;
}
