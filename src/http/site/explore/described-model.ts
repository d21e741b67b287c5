/** What `GET /explore/types` sends: the types and attributes that the caller may read. */

export interface DescribedModel {
  /** Where the API is: `/api`. */
  readonly prefix: string;
  /** Types with endpoints that the caller may read, in the order of their names. */
  readonly roots: readonly DescribedRoot[];
  /** Every type and component that these lead to, and themselves, by uid. */
  readonly schemas: Readonly<Record<string, DescribedSchema>>;
  /** Whether the caller may list the locales. */
  readonly mayListLocales: boolean;
  /** Whether users can sign in with a password. */
  readonly canSignIn: boolean;
  /** Whether the server shows the statements of a read: `GET /explore/statements/api/…`. */
  readonly development: boolean;
}

export interface DescribedRoot {
  readonly uid: string;
  /** `/api/articles` */
  readonly path: string;
  readonly isSingle: boolean;
  /** Whether the caller may read the list, or the single document. */
  readonly mayFind: boolean;
  /** Whether the caller may read one document by its documentId. */
  readonly mayFindOne: boolean;
  readonly hasLocales: boolean;
  /** Whether the type has drafts that the caller may read. */
  readonly hasDrafts: boolean;
}

export interface DescribedSchema {
  readonly displayName: string;
  readonly attributes: readonly DescribedAttribute[];
}

export type DescribedAttribute =
  | { readonly name: string; readonly kind: 'scalar'; readonly type: string; readonly enum?: readonly string[] }
  /** `target`: a key of `schemas`; absent where each entry names its own type. */
  | { readonly name: string; readonly kind: 'relation' | 'media' | 'component'; readonly isMany: boolean; readonly target?: string }
  | { readonly name: string; readonly kind: 'dynamiczone'; readonly components: readonly string[] };
