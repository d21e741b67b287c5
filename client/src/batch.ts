/** Types of `batch`: several writes in one transaction. */
import type { CollectionUid, ContentUid, IsLoose, LooseObject, TargetsOf, Uid } from './names.ts';
import type { CreateOptions } from './options.ts';
import type { Status } from './result.ts';
import type { AnySchema } from './schema.ts';

/** An operation. `$0.documentId` stands for the document of the first one, as `documentId` and in relations of `data`. */
export type Operation<S extends AnySchema> = IsLoose<S> extends true ? LooseOperation : TypedOperation<S>;

type TypedOperation<S extends AnySchema> = {
  [U in ContentUid<S> & Uid<S>]: OperationOn<S, U, U extends CollectionUid<S> ? true : false>;
}[ContentUid<S> & Uid<S>];

type Key = 'create' | 'update' | 'connect' | 'publish' | 'unpublish' | 'delete';

/** An operation has one key that says what is done. */
type Does<K extends Key, U> = { readonly [Each in K]: U } & { readonly [Other in Exclude<Key, K>]?: never };

/** Single types have one document, which has no name. */
type At<Many> = Many extends true ? { readonly documentId: string } : { readonly documentId?: never };

interface InLocale {
  readonly locale?: string | undefined;
}

interface Changes extends InLocale {
  readonly status?: Status | undefined;
  /** The entity tag of the version that the write is for. */
  readonly ifMatch?: string | undefined;
}

interface Acts extends InLocale {
  readonly ifMatch?: string | undefined;
}

type OperationOn<S extends AnySchema, U extends Uid<S>, Many> =
  | (Many extends true ? Creates<S, U> : never)
  | (Does<'update', U> & At<Many> & Changes & { readonly data: Partial<S['types'][U]['input']> })
  | (Does<'connect', U> & At<Many> & Changes & { readonly data: Connected<S, U> })
  | (Does<'publish', U> & At<Many> & Acts)
  | (Does<'unpublish', U> & At<Many> & Acts)
  | (Does<'delete', U> & At<Many> & Acts);

/** A draft may lack attributes that the schema requires. */
type Creates<S extends AnySchema, U extends Uid<S>> = Does<'create', U> &
  InLocale & { readonly documentId?: never } & (
    | { readonly status: 'draft'; readonly data: Partial<S['types'][U]['input']> }
    | { readonly status?: 'published' | undefined; readonly data: S['types'][U]['input'] }
  );

/** Relations alone; components and media are no documents to connect. */
type Connected<S extends AnySchema, U extends Uid<S>> = {
  readonly [K in keyof TargetsOf<S, U> as TargetsOf<S, U>[K] extends IsRelation ? K : never]?: Linked | readonly Linked[];
};

type IsRelation =
  | { readonly one: `api::${string}` | `plugin::users${string}` }
  | { readonly many: `api::${string}` | `plugin::users${string}` }
  | { readonly any: string };

type Linked = string | number | LooseObject;

interface LooseOperation extends Changes {
  readonly create?: string;
  readonly update?: string;
  readonly connect?: string;
  readonly publish?: string;
  readonly unpublish?: string;
  readonly delete?: string;
  readonly documentId?: string;
  readonly data?: LooseObject;
}

/** The documents of the operations, in their order; null for single types. */
export type BatchResult = { documentId: string | null }[];

/** What is wrong with an operation. */
export interface BatchProblem {
  /** The position of the operation in the batch. */
  operation: number;
  status: number;
  code: string;
  path: (string | number)[];
  message: string;
  name: string;
}

/** What a dry run has found; `more` is the number of problems that are not listed. */
export interface BatchReport {
  valid: boolean;
  errors: BatchProblem[];
  more?: number;
}

export interface BatchOptions<D> extends CreateOptions {
  /** Only checks: nothing is written, and `data` says what is wrong. */
  readonly dryRun?: D | undefined;
}
