/** What `GET /api/_me` sends: the caller, and what it may do with each type, as far as its rights
 *  go. */
import type { AttributePresentation, PresentedGroup } from '../../../model/content-model.ts';

export interface DescribedMe extends DescribedCaller, DescribedRights {
  /** The locales of the project, the default one first; empty unless a type has locales. */
  readonly locales: readonly DescribedLocale[];
}

export interface DescribedCaller {
  readonly kind: 'public' | 'user' | 'api-token';
  /** The user who has signed in. */
  readonly user?: DescribedUser;
  /** Undefined for API tokens. */
  readonly role?: DescribedRole | undefined;
}

/** What equal rights have in common. */
export interface DescribedRights {
  /** Where the API is: `/api`. */
  readonly prefix: string;
  /** In the order of their labels. */
  readonly types: readonly DescribedType[];
  /** The components that these types contain, by uid. */
  readonly components: Readonly<Record<string, DescribedComponent>>;
  /** The further actions that the caller may use, by their names in `lectern routes`, in
   *  alphabetical order: `plugin::upload.content-api.upload`. */
  readonly actions: readonly string[];
}

export interface DescribedUser {
  readonly id: number;
  readonly documentId: string;
  readonly username: string | null;
  readonly email: string | null;
}

export interface DescribedRole {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

export interface DescribedLocale {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

export interface DescribedType {
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  /** `/api/articles` */
  readonly path: string;
  readonly singularName: string;
  readonly pluralName: string;
  readonly label: string;
  readonly description?: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** Whether former versions are kept, and the caller may see them. */
  readonly hasHistory: boolean;
  /** Whether the caller may publish and unpublish it at a time. */
  readonly hasSchedule: boolean;
  /** Whether the configuration has a full-text search of it, in something that the caller may read. */
  readonly hasSearch: boolean;
  readonly actions: DescribedActions;
  /** The attribute that stands for a document in lists: `lectern.title` of the schema file, else
   *  the first readable text. Undefined if the caller may read none. */
  readonly title?: string;
  /** Readable or writable, in the order of the schema file. */
  readonly attributes: readonly DescribedAttribute[];
  /** `lectern.groups` of the schema file: those that one of the attributes is in. */
  readonly groups: readonly PresentedGroup[];
}

/** A type as tools list it. `actions`: the names of `DescribedActions`. */
export interface ListedType extends Pick<DescribedType, 'uid' | 'kind' | 'label' | 'description' | 'draftAndPublish' | 'localized'> {
  readonly actions: readonly string[];
}

export interface DescribedOne {
  readonly type: DescribedType;
  /** The components that it contains, by uid. */
  readonly components: DescribedRights['components'];
}

/** The rights to a type that the caller has, as far as the server has routes for them. */
export type DescribedActions = Readonly<Partial<Record<TypeAction, DescribedAction>>>;
export type TypeAction = 'find' | 'findOne' | 'findDraft' | 'create' | 'update' | 'delete' | 'publish' | 'aggregate';

export interface DescribedAction {
  /** Whether the right is restricted to some documents. */
  readonly isRestricted: boolean;
}

export interface DescribedComponent {
  readonly uid: string;
  readonly label: string;
  readonly description?: string;
  /** As that of a type. */
  readonly title?: string;
  readonly attributes: readonly DescribedAttribute[];
  readonly groups: readonly PresentedGroup[];
}

export interface DescribedAttribute {
  readonly name: string;
  /** A type of schema files; of a custom field that of its values. */
  readonly type: string;
  /** `lectern.label` of the schema file, else made from the name: `readingMinutes` → `Reading minutes`. */
  readonly label: string;
  readonly description?: string;
  /** `lectern` of the attribute, without the label. */
  readonly lectern?: Omit<AttributePresentation, 'label'>;
  readonly customField?: string;
  readonly canRead: boolean;
  /** Whether the body of a new document may name it. */
  readonly canCreate: boolean;
  readonly canUpdate: boolean;
  readonly required: boolean;
  readonly unique: boolean;
  readonly localized: boolean;
  /** Whether lists can be filtered and sorted by it: a column of its own. */
  readonly hasColumn: boolean;
  /** `createdAt`, `updatedAt`, `publishedAt`, `locale`, `createdBy`, `updatedBy`, … */
  readonly isSystem: boolean;
  /** As written in the schema file. */
  readonly default?: unknown;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly regex?: string;
  readonly enum?: readonly string[];
  /** For a uid: the attribute that it is made from. */
  readonly targetField?: string;
  /** For a relation, as Strapi names its kind: `manyToMany`. */
  readonly relation?: string;
  /** For a relation to one type, its uid. */
  readonly target?: string;
  /** For relations, media, components and dynamic zones. */
  readonly isMany?: boolean;
  /** For media: `images`, `videos`, `audios`, `files`. */
  readonly allowedTypes?: readonly string[];
  /** For a component, its uid. */
  readonly component?: string;
  /** For a dynamic zone, their uids. */
  readonly components?: readonly string[];
}
