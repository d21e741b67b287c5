/** An entry is a row with its values, links and components. A write compares the stored and the
 *  wanted entry, and writes the difference. */
import type { StoredValue } from '../../model/attributes/attribute-type.ts';
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  Schema,
  Uid,
} from '../../model/content-model.ts';

/** An attribute that is in none of the maps was not loaded, or stays as it is. */
export interface Entry {
  readonly schema: Schema;
  /** Undefined until the row is inserted. */
  id: number | undefined;
  readonly values: Map<string, StoredValue>;
  /** The stored values of all attributes that tell rows apart (`model/names-rows.ts`), whatever
   *  else was loaded. Empty for an entry that is not stored. */
  readonly names: Map<string, StoredValue>;
  readonly links: Map<string, readonly Link[]>;
  readonly components: Map<string, readonly OwnedComponent[]>;
  /** The links to documents without a published version; only for a published entry, or one that
   *  is being published. */
  awaited?: readonly AwaitedLink[];
}

/** A link that an entry gets when its target is published. */
export interface AwaitedLink {
  readonly field: string;
  readonly uid: Uid;
  readonly documentId: string;
  /** Null for a type without locales. */
  readonly locale: string | null;
  /** Its place among the links of the attribute. */
  readonly position: number;
}

/** A component of an entry, and its position among the others of its attribute. */
export interface OwnedComponent {
  readonly entry: Entry;
  /** The join row and its position; undefined for a new component. */
  readonly join: { readonly id: number; readonly order: number | null } | undefined;
}

/** Returns the stored components by the ids of their join rows. */
export const byJoin = (components: readonly OwnedComponent[]): ReadonlyMap<number, OwnedComponent> =>
  new Map(components.flatMap((component) => (component.join === undefined ? [] : [[component.join.id, component] as const])));

export interface Link {
  readonly row: TargetRow;
  /** The link table's row; undefined for a new link, or one in a column of the entry's own row. */
  readonly id: number | undefined;
  readonly order: number | null;
  /** The position of the entry among the sources of the target; undefined until it is known. */
  inverseOrder: number | null | undefined;
  /** The link of another version that this link copies; it determines the position. */
  readonly like?: Link;
}

/** Whether the links lead to the same rows, in the same order. */
export const sameTargets = (a: readonly Link[], b: readonly Link[]): boolean =>
  a.length === b.length && a.every(({ row }, index) => row.id === b[index]?.row.id && row.uid === b[index]?.row.uid);

/** A row that links lead to. */
export interface TargetRow {
  readonly uid: Uid;
  /** 0 until the row is inserted. */
  id: number;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly published: boolean;
  /** The MIME type; only for files. */
  readonly mime?: string;
}

export type LinkAttribute = RelationAttribute | MediaAttribute;
export type ComponentsAttribute = ComponentAttribute | DynamicZoneAttribute;

export const isLinkAttribute = (attribute: Attribute): attribute is LinkAttribute =>
  attribute.kind === 'relation' || attribute.kind === 'media';
export const isComponentsAttribute = (attribute: Attribute): attribute is ComponentsAttribute =>
  attribute.kind === 'component' || attribute.kind === 'dynamiczone';

export const emptyEntry = (schema: Schema, id?: number): Entry => ({
  schema,
  id,
  values: new Map(),
  names: new Map(),
  links: new Map(),
  components: new Map(),
});

/** Returns the id of an entry whose row has been inserted; throws if it has not. */
export function insertedId({ id, schema }: Entry): number {
  if (id === undefined) throw new Error(`a row of ${schema.table} is named before it is inserted`);
  return id;
}

/** The row that links lead from. Drafts link to drafts, published rows to published rows. Rows of a
 *  type without drafts have no status and link to both. */
export interface LinkSource {
  readonly type: ContentType;
  readonly locale: string | null;
  readonly status: 'draft' | 'published' | undefined;
}

/** A row of a document: one locale in one status. */
export interface DocumentRow {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string | null;
  readonly published: boolean;
  /** Milliseconds. */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

/** Whether all locales of a document share the attribute's value. As in Strapi, they never share
 *  relations and uids, whatever the schema says. */
export function isShared(attribute: Attribute, type: ContentType): boolean {
  if (!type.localized || attribute.localized || attribute.kind === 'relation') return false;
  return attribute.kind !== 'scalar' || (!attribute.system && attribute.type !== 'uid');
}

/** Whether the attribute is content, that is, not written by the server. */
export const isContent = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar'
    ? !attribute.system
    : attribute.kind !== 'relation' ||
      (attribute.storage.kind !== 'sameDocument' && attribute.name !== 'createdBy' && attribute.name !== 'updatedBy');
