/** What a row is and owns: its values, where it links to, its components. A write compares the entry that is there with the one that is
 *  wanted, and writes the difference. */
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

/** An attribute that is in none of the maps is not concerned: it was not loaded, or stays as it is. */
export interface Entry {
  readonly schema: Schema;
  /** Undefined until the row is inserted. */
  id: number | undefined;
  readonly values: Map<string, StoredValue>;
  readonly links: Map<string, readonly Link[]>;
  readonly components: Map<string, readonly OwnedComponent[]>;
}

/** A component of an entry, and its position among the others of its attribute. */
export interface OwnedComponent {
  readonly entry: Entry;
  /** The join row and its position; undefined for a new component. */
  readonly join: { readonly id: number; readonly order: number | null } | undefined;
}

/** Components that are there, by their join rows. */
export const byJoin = (components: readonly OwnedComponent[]): ReadonlyMap<number, OwnedComponent> =>
  new Map(components.flatMap((component) => (component.join === undefined ? [] : [[component.join.id, component] as const])));

export interface Link {
  readonly row: TargetRow;
  /** The row of the link table; undefined for a new link, and for one that is a column of the entry itself. */
  readonly id: number | undefined;
  readonly order: number | null;
  /** The position of the entry among those that link to the target; undefined until it is known. */
  inverseOrder: number | null | undefined;
  /** The link that this is a copy of, in another version: it gives the position. */
  readonly like?: Link;
}

/** A row that links lead to. */
export interface TargetRow {
  readonly uid: Uid;
  /** 0 until the row is inserted. */
  id: number;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly published: boolean;
  /** Of files. */
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
  links: new Map(),
  components: new Map(),
});

/** The row that links lead from: drafts link to drafts and published rows to published rows. Undefined status: a type without drafts, which links
 *  to both. */
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

/** What differs between locales stays out of what they share: relations and uids, whatever the schema says, as in Strapi. */
export function isShared(attribute: Attribute, type: ContentType): boolean {
  if (!type.localized || attribute.localized || attribute.kind === 'relation') return false;
  return attribute.kind !== 'scalar' || (!attribute.system && attribute.type !== 'uid');
}

/** Attributes that an entry of the content itself is made of: all but those that the server writes. */
export const isContent = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar'
    ? !attribute.system
    : attribute.kind !== 'relation' ||
      (attribute.storage.kind !== 'sameDocument' && attribute.name !== 'createdBy' && attribute.name !== 'updatedBy');
