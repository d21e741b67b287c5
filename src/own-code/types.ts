/** The types of hooks and endpoints, as a project writes them. */
import type {
  AnySchema,
  Entry,
  Fields,
  List,
  ListParams,
  NoPopulate,
  Pagination,
  Params,
  Populate,
  Status,
  TypeName,
  UpdateInput,
} from './client-types.ts';

/** The file of `lectern types` adds `schema`, so that names and values are checked. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be extended.
export interface Project {}

export type ProjectSchema = Project extends { readonly schema: infer S extends AnySchema } ? S : AnySchema;

/** A value of unknown type that can be used without casts. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
type Anything = any;

type S = ProjectSchema;
type Paths = S['collections'] & S['singles'];
type IsLoose = string extends keyof S['types'] ? true : false;

/** The uid of a content type: `api::article.article`. */
export type TypeUid = IsLoose extends true ? string : Paths[keyof Paths] & string;

/** The name of a type in the path of its endpoints: `articles`. */
type NameOf<U> = (IsLoose extends true ? string : { [N in keyof Paths]: Paths[N] extends U ? N : never }[keyof Paths]) & TypeName<S>;

export type DocumentOf<U extends TypeUid> = Entry<S, NameOf<U>>;

/** A document that hooks get: its relations and media are optional, since only `populate` reads them. */
export type StoredOf<U extends TypeUid> = IsLoose extends true
  ? DocumentOf<U>
  : U extends keyof S['types']
    ? S['types'][U]['entry']
    : never;

/** What a body may set. */
export type DataOf<U extends TypeUid> = IsLoose extends true ? Record<string, Anything> : UpdateInput<S, NameOf<U>>;

/** Reads documents, with the parameters and the shape of `GET`. */
export interface ReadDocuments<U extends TypeUid> {
  find<
    const F extends Fields<S, NameOf<U>> | undefined = undefined,
    const P extends Populate<S, NameOf<U>> = NoPopulate<S, NameOf<U>>,
    const D extends Status | undefined = undefined,
    const G extends Pagination | undefined = undefined,
  >(params?: ListParams<S, NameOf<U>, F, P, D, G>): Promise<List<Entry<S, NameOf<U>, { fields: F; populate: P; status: D }>, G>>;
  /** Undefined if there is none, or if the rights do not include it. Single types have no
   *  documentId. */
  findOne<
    const F extends Fields<S, NameOf<U>> | undefined = undefined,
    const P extends Populate<S, NameOf<U>> = NoPopulate<S, NameOf<U>>,
    const D extends Status | undefined = undefined,
  >(
    documentId: string | undefined,
    params?: Params<S, NameOf<U>, F, P, D>,
  ): Promise<Entry<S, NameOf<U>, { fields: F; populate: P; status: D }> | undefined>;
  count(params?: Pick<ListParams<S, NameOf<U>>, 'filters' | 'status' | 'locale' | '_q'>): Promise<number>;
}

/** The version and the locale that a write changes; as in a request, without them the published
 *  version and the default locale. */
export interface WriteParams {
  readonly status?: Status;
  readonly locale?: string;
}

/** Reads and writes documents by the rules of the Content API. A refusal is thrown as a
 *  `DocumentError`. */
export interface Documents<U extends TypeUid> extends ReadDocuments<U> {
  create(data: DataOf<U>, params?: WriteParams): Promise<DocumentOf<U>>;
  /** Changes the attributes that `data` names. */
  update(documentId: string | undefined, data: DataOf<U>, params?: WriteParams): Promise<DocumentOf<U>>;
  publish(documentId: string | undefined, params?: WriteParams): Promise<DocumentOf<U>>;
  unpublish(documentId: string | undefined, params?: WriteParams): Promise<void>;
  discardDraft(documentId: string | undefined, params?: WriteParams): Promise<DocumentOf<U>>;
  delete(documentId: string | undefined, params?: WriteParams): Promise<void>;
}

/** Who sent the request. */
export interface CodeCaller {
  readonly kind: 'public' | 'user' | 'token' | 'server' | 'hook';
  /** The row id of the user or of the API token; for `hook`, how many hooks in a row have led to
   *  the write. */
  readonly id: number | null;
}

export interface Log {
  debug(message: string, details?: object): void;
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  readonly replyTo?: string;
}

export interface BeforeContext<U extends TypeUid> {
  readonly uid: U;
  /** The attributes of the body, with what earlier functions have changed. Empty for writes without
   *  a body. */
  readonly data: Readonly<DataOf<U>>;
  /** The draft, or the only version, as it is stored: without passwords and private attributes,
   *  with components, and with the relations that `populate` of the hooks names. Undefined for a
   *  new document or a new locale. */
  readonly document: StoredOf<U> | undefined;
  readonly documentId: string | undefined;
  /** The attributes of `data` whose values are not written as in `document`. Components have ids
   *  there, and relations are documents, so bodies usually write these in another way. */
  readonly changed: readonly string[];
  /** Null for types without locales. */
  readonly locale: string | null;
  /** The version that is written. */
  readonly status: Status;
  readonly caller: CodeCaller;
  /** Whether code of the project writes with all rights (`asSystem`), and not the caller. */
  readonly isSystem: boolean;
  /** Reads documents with the rights of the caller, or all rights with `asSystem`. */
  read<V extends TypeUid>(uid: V): ReadDocuments<V>;
  readonly log: Log;
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
}

export interface BeforeResult<U extends TypeUid> {
  /** Attributes that replace those of the body. */
  readonly data?: DataOf<U>;
  /** Writes that happen in the same transaction, or not at all. */
  readonly also?: readonly AlsoWrite[];
}

export type Before<U extends TypeUid> = (context: BeforeContext<U>) => BeforeResult<U> | Nothing | Promise<BeforeResult<U> | Nothing>;

// biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` is of this type.
type Nothing = undefined | void;

export type BeforeAction = 'create' | 'update' | 'publish' | 'unpublish' | 'discard' | 'delete';
export type CommittedEvent = BeforeAction;

/** A write of another document: `update('api::author.author', id, { articles: increment(1) })`. */
export interface AlsoWrite {
  readonly write: 'create' | 'update' | 'publish' | 'unpublish' | 'delete';
  readonly uid: string;
  readonly documentId?: string | undefined;
  readonly data?: object | undefined;
  readonly params?: WriteParams | undefined;
}

export interface CommittedContext<U extends TypeUid> {
  readonly event: {
    readonly id: number;
    readonly type: CommittedEvent;
    readonly uid: string;
    readonly documentId: string;
    readonly locale: string | null;
    readonly status: Status | null;
    readonly isNew: boolean;
    /** The paths of what was changed: `title`, `seo.metaTitle`. */
    readonly changed: readonly string[];
    readonly caller: CodeCaller;
    readonly createdAt: string;
  };
  /** The document as it is now; undefined if it is gone. */
  readonly document: StoredOf<U> | undefined;
  /** With all rights. Its writes make events, too. */
  documents<V extends TypeUid>(uid: V): Documents<V>;
  /** Resolves when the mail server has accepted the mail. */
  mail(mail: Mail): Promise<void>;
  readonly fetch: typeof fetch;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type Committed<U extends TypeUid> = (context: CommittedContext<U>) => unknown;

/** Computes the value of one attribute. */
export type Compute<U extends TypeUid> = ComputeFunction<U> | ComputeRule;

/** Gets the attributes as they will be: those of the document, with those of the body. */
export type ComputeFunction<U extends TypeUid> = (entry: DataOf<U>, context: BeforeContext<U>) => unknown;

export interface ComputeRule {
  /** The attributes that are read. The value is computed when one of them is written. */
  readonly from: readonly string[];
  /** Whether the rule also runs when a body names its own attribute; otherwise what was sent
   *  stays. */
  readonly own?: boolean;
  /** Attributes that the rule writes besides its own. */
  readonly writes?: readonly string[];
  /** Returns the attributes to write; those that it leaves out stay as they are. `name`: the rule's
   *  own attribute. */
  readonly values: (
    entry: Record<string, Anything>,
    name: string,
    context: BeforeContext<Anything>,
  ) => ComputedValues | Promise<ComputedValues>;
}

export interface ComputedValues {
  readonly data: Record<string, unknown>;
  readonly also?: readonly AlsoWrite[];
}

export interface Hooks<U extends TypeUid> {
  readonly before?: { readonly [A in BeforeAction]?: Before<U> };
  readonly compute?: { readonly [attribute: string]: Compute<U> };
  readonly committed?: { readonly [E in CommittedEvent]?: Committed<U> };
  /** Relations and media of `document`. */
  readonly populate?: readonly string[];
  /** The rights of the caller do not limit what `before` reads, returns and adds. */
  readonly asSystem?: boolean;
  /** Milliseconds that the functions of the file may take for one write or event: 1,000 for
   *  `before` and `compute`, at most 10,000; 30,000 for `committed`, at most 300,000 in a file
   *  without `before` and `compute`. */
  readonly timeLimit?: number;
}

/** A schema of zod, valibot, arktype or another library of https://standardschema.dev, or JSON
 *  Schema. */
export type ValueSchema = StandardSchema | JsonSchema;
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type ValueOf<T> = T extends { readonly '~standard': { readonly types?: infer V } } ? OutputOf<V> : unknown extends T ? undefined : Anything;
type OutputOf<V> = NonNullable<V> extends { readonly output: infer O } ? O : unknown;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint<Q, B, R, P extends string = string> {
  readonly method: Method;
  /** Below `/api`, with `:name` for parameters: `/search`, `/orders/:id/refund`. */
  readonly path: P;
  /** `public`, a right of its own such as `orders.refund`, or that of a content route such as
   *  `api::article.article.find`. */
  readonly right: string;
  readonly description?: string;
  /** Schema of the query's parameters. */
  readonly query?: Q;
  /** Schema of the JSON body. */
  readonly body?: B;
  /** Schema of the response, for OpenAPI and `lectern types`; responses are not checked. */
  readonly response?: R;
  /** Milliseconds until the handler has to return: 30,000, at most 300,000. */
  readonly timeLimit?: number;
  readonly handler: (context: EndpointContext<ValueOf<Q>, ValueOf<B>, P>) => unknown;
}

/** The parameters of a path: `documentId` of `/articles/:documentId/feature`. */
export type ParamsOf<P extends string> = string extends P ? Readonly<Record<string, string>> : { readonly [N in ParamName<P>]: string };
type ParamName<P extends string> = P extends `${string}:${infer N}/${infer Rest}`
  ? N | ParamName<`/${Rest}`>
  : P extends `${string}:${infer N}`
    ? N
    : never;

export interface EndpointContext<Q, B, P extends string = string> {
  readonly params: ParamsOf<P>;
  readonly query: Q;
  readonly body: B;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: Method;
  /** Path and query, as they came. */
  readonly url: string;
  readonly caller: CodeCaller;
  /** With the rights of the caller. */
  documents<V extends TypeUid>(uid: V): Documents<V>;
  /** With all rights. */
  readonly asSystem: { documents<V extends TypeUid>(uid: V): Documents<V> };
  mail(mail: Mail): Promise<void>;
  readonly fetch: typeof fetch;
  readonly log: Log;
  /** Aborted when the client has left, or the time is over. */
  readonly signal: AbortSignal;
}
