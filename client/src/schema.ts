/** What the types of this package need to know of a project's content types. `lectern types` writes an interface `Schema` that fits `AnySchema`; nothing
 *  of it exists at run time. */

export interface AnySchema {
  /** The paths of collection types below `/api` with their uids: `articles: 'api::article.article'`. */
  readonly collections: { readonly [path: string]: string };
  /** The paths of single types: `homepage: 'api::homepage.homepage'`. */
  readonly singles: { readonly [path: string]: string };
  /** Content types and components by uid. */
  readonly types: { readonly [uid: string]: AnyType };
  /** The endpoints of the project's own code: `'POST /orders/:id/refund'`. */
  readonly endpoints?: { readonly [name: string]: AnyEndpoint };
}

export interface AnyEndpoint {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly response: unknown;
}

export interface AnyType {
  /** Every attribute as responses have it; those of `populate` are optional. */
  readonly entry: object;
  /** The attributes that a body may set. Those that a new, published document needs are not optional. */
  readonly input: object;
  /** The attributes that are only in responses if a request populates them. */
  readonly populate: { readonly [attribute: string]: AnyTarget };
  /** The values that filters compare with, for attributes where these are other values than those of responses. */
  readonly filterValues: object;
  /** The names of attributes that are never null, except in drafts. */
  readonly nullInDrafts: string;
  /** The attributes that `aggregate` can name; missing in files of earlier versions. */
  readonly groups?: { readonly [attribute: string]: GroupKind };
}

/** What an attribute is for groups: a relation to one document, a number, a date, which may have a step, a time, or any other value, which can only be
 *  a key. */
export type GroupKind = 'document' | 'number' | 'date' | 'time' | 'value';

/** What an attribute leads to: one or many entries of a type (or component), the components of a dynamic zone, or entries of any type. */
export type AnyTarget = { readonly one: string } | { readonly many: string } | { readonly zone: string } | { readonly any: 'one' | 'many' };
