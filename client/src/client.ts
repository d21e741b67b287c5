/** The methods of a client. */
import type { BatchOptions, BatchReport, BatchResult, Operation } from './batch.ts';
import type { AggregateParams, Comparable, Group, GroupBy, Groups, Summable } from './groups.ts';
import type { CallOptions, CreateOptions, WriteOptions } from './options.ts';
import type { Call } from './outcome.ts';
import type {
  CollectionName,
  CreateInput,
  EndpointName,
  EndpointRequest,
  EndpointResponse,
  Entry,
  Fields,
  List,
  ListParams,
  NoPopulate,
  NumberedPagination,
  Pagination,
  Params,
  Populate,
  SingleName,
  Status,
  TypeName,
  UpdateInput,
  Via,
} from './result.ts';
import type { AnySchema } from './schema.ts';
import type { Hits, SearchParams } from './search.ts';
import type { SignedIn } from './session.ts';
import type { FormerContent, FormerVersions, HistoryParams, Restored, Scheduled, ScheduleState, ScheduleTimes } from './versions.ts';

/** One document, and the entity tag for `ifMatch`. */
export interface One<E> {
  data: E;
  meta: Readonly<Record<string, unknown>>;
  etag?: string;
}

/** A write without a response. */
export interface Done {
  data: undefined;
}

export interface Client<S extends AnySchema = AnySchema> {
  /** Documents of a collection type, by its path below `/api`: `articles`. */
  collection<N extends CollectionName<S>>(name: N): Collection<S, N>;
  /** The document of a single type: `homepage`. */
  single<N extends SingleName<S>>(name: N): Single<S, N>;
  /** Searches several types by their words, the best entries first. */
  search(params: SearchParams<S>, options?: CallOptions): Call<Hits<S>>;
  /** Several writes in one transaction: all are done, or none. Sent with a random `Idempotency-Key`, so that it is safe to repeat. */
  batch<const D extends boolean | undefined = undefined>(
    operations: readonly Operation<S>[],
    options?: BatchOptions<D>,
  ): Call<{ data: D extends true ? BatchReport : BatchResult }>;
  /** What waits to be published or unpublished, of all types that the caller may publish; or what was done or has failed. */
  schedules(params?: { readonly state?: ScheduleState | undefined }, options?: CallOptions): Call<{ data: Scheduled[] }>;
  /** Calls an endpoint of the project's own code: `endpoint('POST /orders/:id/refund', { params: { id }, body: { amount: 5 } })`. `data` is its response. */
  endpoint<K extends EndpointName<S>>(
    name: K,
    ...request: [...EndpointRequest<S, K>, options?: CallOptions]
  ): Call<{ data: EndpointResponse<S, K> }>;
  readonly auth: Auth;
  readonly files: Files;
  /** The same as `files.upload`. */
  readonly upload: Files['upload'];
  /** As the global `fetch`, for everything else below `baseURL`: a path such as `/users/me`, or a URL of the same origin. It adds the credentials, refreshes
   *  them, and retries. Returns the response whatever its status is; rejects with a LecternError without a response. The time limit is that of the
   *  headers, since the caller reads the body. */
  fetch(path: string, init?: RequestInit & CallOptions): Promise<Response>;
}

type Shape<F, P, D> = { fields: F; populate: P; status: D };

export interface Collection<S extends AnySchema, N extends CollectionName<S>> {
  find<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
    const G extends Pagination | undefined = undefined,
  >(params?: ListParams<S, N, F, P, D, G>, options?: CallOptions): Call<List<Entry<S, N, Shape<F, P, D>>, G> & { etag?: string }>;

  findOne<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(documentId: string, params?: Params<S, N, F, P, D>, options?: CallOptions): Call<One<Entry<S, N, Shape<F, P, D>>>>;

  /** Sent with a random `Idempotency-Key`, so that it is safe to repeat. */
  create<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(
    data: CreateInput<S, N, NoInfer<D>>,
    params?: WriteParams<S, N, F, P, D>,
    options?: CreateOptions,
  ): Call<One<Entry<S, N, Shape<F, P, D>>>>;

  /** Changes the attributes that `data` names (PATCH). */
  update<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(
    documentId: string,
    data: UpdateInput<S, N>,
    params?: WriteParams<S, N, F, P, D>,
    options?: WriteOptions,
  ): Call<One<Entry<S, N, Shape<F, P, D>>>>;

  /** Deletes one locale, or with `*` the whole document. */
  delete(documentId: string, params?: LocaleParam, options?: WriteOptions): Call<Done>;

  /** Publishes the draft as it is. */
  publish<const F extends Fields<S, N> | undefined = undefined, const P extends Populate<S, N> = NoPopulate<S, N>>(
    documentId: string,
    params?: ActionParams<S, N, F, P>,
    options?: WriteOptions,
  ): Call<One<Entry<S, N, Shape<F, P, 'published'>>>>;
  /** Removes the published version. */
  unpublish(documentId: string, params?: LocaleParam, options?: WriteOptions): Call<Done>;
  /** Replaces the draft by the published version. */
  discardDraft<const F extends Fields<S, N> | undefined = undefined, const P extends Populate<S, N> = NoPopulate<S, N>>(
    documentId: string,
    params?: ActionParams<S, N, F, P>,
    options?: WriteOptions,
  ): Call<One<Entry<S, N, Shape<F, P, 'draft'>>>>;

  /** Other documents that link the same targets by the relations of `via`, those with the most shared links first. */
  related<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
    const G extends NumberedPagination | undefined = undefined,
  >(
    documentId: string,
    params: ListParams<S, N, F, P, D, G> & Via<S, N>,
    options?: CallOptions,
  ): Call<List<Entry<S, N, Shape<F, P, D>>, G>>;

  /** Counts the documents in groups, and computes numbers of them. */
  aggregate<
    const B extends GroupBy<S, N> | undefined = undefined,
    const C extends boolean | undefined = undefined,
    const A extends Summable<S, N> | undefined = undefined,
    const T extends Summable<S, N> | undefined = undefined,
    const L extends Comparable<S, N> | undefined = undefined,
    const G extends Comparable<S, N> | undefined = undefined,
  >(params?: AggregateParams<S, N, B, C, A, T, L, G>, options?: CallOptions): Call<Groups<Group<S, N, B, C, A, T, L, G>>>;

  /** The former versions of a document, the newest first. */
  history(documentId: string, params?: HistoryParams, options?: CallOptions): Call<FormerVersions>;
  formerVersion(documentId: string, version: number, options?: CallOptions): Call<FormerContent<S, N>>;
  /** Writes a former version into the draft. */
  restore(documentId: string, version: number, options?: WriteOptions): Call<Restored<Entry<S, N, { status: 'draft' }>>>;

  /** Sets when a document is published, unpublished, or both; null cancels that one. */
  schedule(documentId: string, times: ScheduleTimes, options?: CallOptions): Call<{ data: Scheduled[] }>;
  /** What waits for a document, and what was done or has failed. */
  scheduled(documentId: string, options?: CallOptions): Call<{ data: Scheduled[] }>;
  /** Cancels what waits, in one locale. */
  unschedule(documentId: string, params?: LocaleParam, options?: CallOptions): Call<Done>;

  /** The entries of all pages, page by page. Entries that are added or deleted meanwhile shift nothing. Throws a LecternError. */
  pages<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(params?: PagesParams<S, N, F, P, D>, options?: CallOptions): AsyncGenerator<Entry<S, N, Shape<F, P, D>>[], void, undefined>;

  /** The entries of all pages, one by one; it holds one page at a time. */
  all<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(params?: PagesParams<S, N, F, P, D>, options?: CallOptions): AsyncGenerator<Entry<S, N, Shape<F, P, D>>, void, undefined>;
}

export interface Single<S extends AnySchema, N extends SingleName<S>> {
  find<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(params?: Params<S, N, F, P, D>, options?: CallOptions): Call<One<Entry<S, N, Shape<F, P, D>>>>;

  /** Changes the attributes that `data` names, and creates the document if there is none (PATCH). */
  update<
    const F extends Fields<S, N> | undefined = undefined,
    const P extends Populate<S, N> = NoPopulate<S, N>,
    const D extends Status | undefined = undefined,
  >(data: UpdateInput<S, N>, params?: WriteParams<S, N, F, P, D>, options?: WriteOptions): Call<One<Entry<S, N, Shape<F, P, D>>>>;

  delete(params?: LocaleParam, options?: WriteOptions): Call<Done>;
  publish<const F extends Fields<S, N> | undefined = undefined, const P extends Populate<S, N> = NoPopulate<S, N>>(
    params?: ActionParams<S, N, F, P>,
    options?: WriteOptions,
  ): Call<One<Entry<S, N, Shape<F, P, 'published'>>>>;
  unpublish(params?: LocaleParam, options?: WriteOptions): Call<Done>;
  discardDraft<const F extends Fields<S, N> | undefined = undefined, const P extends Populate<S, N> = NoPopulate<S, N>>(
    params?: ActionParams<S, N, F, P>,
    options?: WriteOptions,
  ): Call<One<Entry<S, N, Shape<F, P, 'draft'>>>>;

  history(params?: HistoryParams, options?: CallOptions): Call<FormerVersions>;
  formerVersion(version: number, options?: CallOptions): Call<FormerContent<S, N>>;
  /** Writes a former version into the draft. */
  restore(version: number, options?: WriteOptions): Call<Restored<Entry<S, N, { status: 'draft' }>>>;

  /** Sets when the document is published, unpublished, or both; null cancels that one. */
  schedule(times: ScheduleTimes, options?: CallOptions): Call<{ data: Scheduled[] }>;
  scheduled(options?: CallOptions): Call<{ data: Scheduled[] }>;
  /** Cancels what waits, in one locale. */
  unschedule(params?: LocaleParam, options?: CallOptions): Call<Done>;
}

export interface LocaleParam {
  /** The locale, or `*` for all of them. */
  readonly locale?: string | undefined;
}

/** What the response to a write has. */
export type WriteParams<S extends AnySchema, N extends TypeName<S>, F, P, D> = Omit<Params<S, N, F, P, D>, 'filters' | 'fallback'>;

export type ActionParams<S extends AnySchema, N extends TypeName<S>, F, P> = Omit<Params<S, N, F, P>, 'filters' | 'fallback' | 'status'>;

export type PagesParams<S extends AnySchema, N extends TypeName<S>, F, P, D> = Omit<ListParams<S, N, F, P, D>, 'pagination'> & {
  /** 100 if not given, or with `populate` what the server returns by default. */
  readonly pagination?: { readonly pageSize?: number | undefined } | undefined;
};

export interface Auth {
  login(
    body: { readonly identifier: string; readonly password: string; readonly deviceId?: string },
    options?: CallOptions,
  ): Call<{ data: SignedIn }>;
  register(
    body: { readonly username: string; readonly email: string; readonly password: string },
    options?: CallOptions,
  ): Call<{ data: SignedIn }>;
  /** Signs in with the code that another provider's sign-in has left at the front end. */
  exchangeCode(
    provider: string,
    body: { readonly code: string; readonly code_verifier?: string },
    options?: CallOptions,
  ): Call<{ data: SignedIn }>;
  changePassword(
    body: { readonly currentPassword: string; readonly password: string; readonly passwordConfirmation: string },
    options?: CallOptions,
  ): Call<{ data: SignedIn }>;
  /** Sends a mail with a code for `resetPassword`, if there is such a user. */
  forgotPassword(body: { readonly email: string }, options?: CallOptions): Call<Done>;
  resetPassword(
    body: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: CallOptions,
  ): Call<{ data: SignedIn }>;
  /** For a page that was loaded: `data` is true if the user is still signed in, and false if nobody is. All other calls refresh by themselves. */
  refresh(): Call<{ data: boolean }>;
  /** Ends the session, or with `scope` all of the user's. The tokens are removed here even if the server cannot be reached. */
  logout(body?: { readonly scope?: 'all'; readonly deviceId?: string }, options?: CallOptions): Call<Done>;
  /** The signed-in user. */
  me(params?: { readonly fields?: unknown; readonly populate?: unknown }, options?: CallOptions): Call<{ data: SignedIn['user'] }>;
}

/** The record of a file. */
export interface StoredFile {
  id: number;
  documentId: string;
  name: string;
  alternativeText: string | null;
  caption: string | null;
  focalPoint?: { x: number; y: number } | null;
  width: number | null;
  height: number | null;
  /** The variants of an image, by the names of sizes. */
  formats: Record<
    string,
    { url: string; width: number; height: number; mime: string; size: number; name: string; hash: string; ext: string }
  > | null;
  hash: string;
  ext: string | null;
  mime: string;
  /** Kilobytes of 1000 bytes. */
  size: number;
  /** A path on the server, or the URL in a bucket. */
  url: string;
  previewUrl: string | null;
  provider: string;
  createdAt: string;
  updatedAt: string;
}

export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** Percent. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

export interface UploadOptions extends CallOptions {
  /** For several files a list, in their order. */
  readonly fileInfo?: FileInfo | readonly FileInfo[];
  /** The type of the document that the files are attached to, its `documentId` or the `id` of its
   *  row, and the attribute. */
  readonly ref?: string;
  readonly refId?: number | string;
  readonly field?: string;
  /** The version that a `documentId` means: by default the draft in the default locale. */
  readonly locale?: string;
  readonly status?: 'draft' | 'published';
}

/** The `id` of a file, or its `documentId`. */
export type FileId = number | string;

export interface Files {
  /** One file or several; all are stored, or none. */
  upload(files: Blob | readonly Blob[], options?: UploadOptions): Call<{ data: StoredFile[] }>;
  find(
    params?: { readonly filters?: object; readonly sort?: unknown; readonly pagination?: Pagination },
    options?: CallOptions,
  ): Call<{ data: StoredFile[] }>;
  findOne(id: FileId, options?: CallOptions): Call<{ data: StoredFile }>;
  /** Changes the information about a file. */
  update(id: FileId, fileInfo: FileInfo, options?: CallOptions): Call<{ data: StoredFile }>;
  /** Replaces the bytes of a file. */
  replace(id: FileId, file: Blob, options?: CallOptions & { readonly fileInfo?: FileInfo }): Call<{ data: StoredFile }>;
  delete(id: FileId, options?: CallOptions): Call<{ data: StoredFile }>;
}
