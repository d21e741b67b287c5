/** Types of parameters, responses and bodies, made from a `Schema` of `lectern types`. Without one, everything is loosely typed.
 *
 *  A method that reads a list looks like this; each of its type parameters is inferred from one parameter, so that TypeScript checks the others for
 *  unknown names by itself:
 *
 *      find<N extends CollectionName<S>, const F extends Fields<S, N> | undefined = undefined, const P extends Populate<S, N> = NoPopulate<S, N>,
 *        const D extends Status | undefined = undefined, const G extends Pagination | undefined = undefined>(
 *        name: N, params?: ListParams<S, N, F, P, D, G>): Promise<List<Entry<S, N, { fields: F; populate: P; status: D }>, G>> */
import type {
  CollectionName,
  EntryOf,
  IsLoose,
  LooseObject,
  RelatedName,
  ScalarName,
  SingleName,
  TargetsOf,
  TypeName,
  Uid,
  UidOf,
} from './names.ts';
import type { AnySchema, AnyTarget } from './schema.ts';

export type { CollectionName, SingleName, TypeName };

// Endpoints of the project

type Endpoints<S extends AnySchema> = S extends { readonly endpoints: infer E } ? E : never;

/** Method and path of an endpoint. */
export type EndpointName<S extends AnySchema> = IsLoose<S> extends true ? string : keyof Endpoints<S> & string;

/** `params`, `query` and `body`, as the endpoint has them. It may be left out if it needs none. */
export type EndpointRequest<S extends AnySchema, K> =
  IsLoose<S> extends true
    ? [request?: { readonly params?: { readonly [name: string]: string }; readonly query?: object; readonly body?: unknown }]
    : K extends keyof Endpoints<S>
      ? object extends Omit<Endpoints<S>[K], 'response'>
        ? [request?: Omit<Endpoints<S>[K], 'response'>]
        : [request: Omit<Endpoints<S>[K], 'response'>]
      : never;

// biome-ignore lint/suspicious/noExplicitAny: nothing is known of a response without a schema.
type AnyResponse = any;

export type EndpointResponse<S extends AnySchema, K> =
  IsLoose<S> extends true ? AnyResponse : K extends keyof Endpoints<S> ? In<Endpoints<S>[K], 'response'> : never;

// Parameters

export type Status = 'draft' | 'published';

export type PublicationFilter =
  | 'never-published'
  | 'never-published-document'
  | 'has-published-version'
  | 'has-published-version-document'
  | 'modified'
  | 'unmodified'
  | 'published-without-draft'
  | 'published-with-draft';

/** A page by its number (from 1) and size, by the number of entries before it, or by a cursor. */
export type Pagination = NumberedPagination | CursorPagination;

export type NumberedPagination = Only<'page' | 'pageSize' | 'withCount'> | Only<'start' | 'limit' | 'withCount'>;

interface PaginationKeys {
  readonly page?: number;
  readonly pageSize?: number;
  readonly start?: number;
  readonly limit?: number;
  /** `estimate`: long lists are counted only to a limit. */
  readonly withCount?: boolean | 'estimate';
  readonly cursor?: true;
  readonly after?: string;
}

type Only<K extends keyof PaginationKeys> = Pick<PaginationKeys, K> & { readonly [Other in Exclude<keyof PaginationKeys, K>]?: never };

/** The first page, or the one that begins where the cursor `meta.pagination.next` points. */
export type CursorPagination =
  | (Only<'limit' | 'cursor'> & { readonly cursor: true })
  | (Only<'limit' | 'cursor' | 'after'> & { readonly after: string });

/** `fields` of a type: names of its scalar attributes. */
export type Fields<S extends AnySchema, N extends TypeName<S>> =
  IsLoose<S> extends true ? string | readonly string[] : FieldsOf<S, UidOf<S, N>>;

/** `populate` of a type: `*`, a name or path (`category.parent`), a list of these, or an object with options for each name. */
export type Populate<S extends AnySchema, N extends TypeName<S>> = IsLoose<S> extends true ? LoosePopulate : PopulateOf<S, UidOf<S, N>>;

declare const unset: unique symbol;

/** The type of a `populate` that was not given. It has the names that may be given, so that editors offer them. */
export type NoPopulate<S extends AnySchema, N extends TypeName<S>> = PopulateTree<S, UidOf<S, N>> & { readonly [unset]?: never };

export type Filters<S extends AnySchema, N extends TypeName<S>> = IsLoose<S> extends true ? LooseObject : FiltersOf<S, UidOf<S, N>>;

export type Sort<S extends AnySchema, N extends TypeName<S>> =
  IsLoose<S> extends true ? string | readonly string[] | LooseObject | readonly LooseObject[] : SortOf<S, UidOf<S, N>>;

/** The parameters for one document. */
export interface Params<S extends AnySchema, N extends TypeName<S>, F = Fields<S, N>, P = Populate<S, N>, D = Status> {
  /** The attributes that the response has, besides `id` and `documentId`. */
  readonly fields?: F | undefined;
  /** The relations, media, components and dynamic zones that the response has. */
  readonly populate?: (P & KnownPopulate<S, N, P>) | undefined;
  /** A document that these exclude is not found. */
  readonly filters?: Filters<S, N> | undefined;
  readonly status?: D | undefined;
  readonly locale?: string | undefined;
  /** The locales that stand in for a missing one, in order; `true` takes those of the server's configuration. */
  readonly fallback?: string | readonly string[] | boolean | undefined;
}

/** The parameters for a list. */
export interface ListParams<S extends AnySchema, N extends TypeName<S>, F = Fields<S, N>, P = Populate<S, N>, D = Status, G = Pagination>
  extends Omit<Params<S, N, F, P, D>, 'filters' | 'locale'> {
  readonly filters?: (Filters<S, N> & SearchFilter) | undefined;
  readonly sort?: Sort<S, N> | RankSort<S, N> | undefined;
  readonly pagination?: G | undefined;
  /** A locale, several, or `*` for all. */
  readonly locale?: string | readonly string[] | undefined;
  /** Entries with this text in any of their searched attributes. */
  readonly _q?: string | undefined;
  readonly publicationFilter?: PublicationFilter | undefined;
}

/** The words of a full-text search, beside other filters. */
export interface SearchFilter {
  readonly $search?: string | undefined;
}

/** The relations whose links make documents related. */
export interface Via<S extends AnySchema, N extends TypeName<S>> {
  readonly via: IsLoose<S> extends true ? string | readonly string[] : LinkingName<S, UidOf<S, N>> | readonly LinkingName<S, UidOf<S, N>>[];
}

/** Relations to one content type. */
type LinkingName<S extends AnySchema, U extends Uid<S>> = {
  [K in RelatedName<S, U>]: TargetsOf<S, U>[K] extends { readonly one: infer T } | { readonly many: infer T }
    ? T extends 'plugin::upload.file'
      ? never
      : T extends `${string}::${string}`
        ? K
        : never
    : never;
}[RelatedName<S, U>];

type Rank = '$rank' | `$rank:${Direction}`;

/** By the rank of a search, and then by attributes. */
export type RankSort<S extends AnySchema, N extends TypeName<S>> =
  | Rank
  | readonly (Rank | (IsLoose<S> extends true ? string : SortText<S, UidOf<S, N>>))[];

type LoosePopulate = string | readonly string[] | LooseObject;

type FieldsOf<S extends AnySchema, U extends Uid<S>> = '*' | ScalarName<S, U> | readonly ('*' | ScalarName<S, U>)[];

type PopulatePath<S extends AnySchema, U extends Uid<S>> = RelatedName<S, U> | `${RelatedName<S, U>}.${string}`;

type PopulateOf<S extends AnySchema, U extends Uid<S>> = '*' | PopulatePath<S, U> | readonly PopulatePath<S, U>[] | PopulateTree<S, U>;

type PopulateTree<S extends AnySchema, U extends Uid<S>> = {
  readonly [K in keyof TargetsOf<S, U>]?: boolean | OptionsOf<S, TargetsOf<S, U>[K]>;
};

type OptionsOf<S extends AnySchema, T extends AnyTarget> = T extends { readonly one: infer U extends Uid<S> }
  ? PopulateOptions<S, U>
  : T extends { readonly many: infer U extends Uid<S> }
    ? PopulateOptions<S, U>
    : T extends { readonly zone: infer U extends Uid<S> }
      ? ZoneOptions<S, U>
      : { readonly on?: LooseObject; readonly count?: boolean };

interface PopulateOptions<S extends AnySchema, U extends Uid<S>> {
  readonly fields?: FieldsOf<S, U>;
  readonly populate?: PopulateOf<S, U>;
  readonly filters?: FiltersOf<S, U>;
  readonly sort?: SortOf<S, U>;
  /** Gives the number of entries in place of the entries. */
  readonly count?: boolean;
}

interface ZoneOptions<S extends AnySchema, U extends Uid<S>> {
  /** The options of each component. Entries of components that are not named are left out. */
  readonly on?: { readonly [C in U]?: boolean | PopulateOptions<S, C> };
  readonly populate?: '*';
  readonly count?: boolean;
}

/** An attribute or option that does not exist. No value fits it. */
interface NoSuchName {
  readonly unknown: never;
}

/** Refuses unknown names in `populate`, which TypeScript does not do by itself, because `populate` is inferred. */
type KnownPopulate<S extends AnySchema, N, P> = IsLoose<S> extends true ? unknown : Known<S, UidOf<S, N>, P>;

type Known<S extends AnySchema, U extends Uid<S>, P> = P extends string | boolean | undefined | readonly unknown[]
  ? unknown
  : { readonly [K in keyof P]: K extends keyof TargetsOf<S, U> ? KnownOptions<S, TargetsOf<S, U>[K], P[K]> : NoSuchName };

type KnownOptions<S extends AnySchema, T extends AnyTarget, O> = O extends boolean | undefined
  ? unknown
  : T extends { readonly one: infer U extends Uid<S> }
    ? KnownTarget<S, U, O>
    : T extends { readonly many: infer U extends Uid<S> }
      ? KnownTarget<S, U, O>
      : T extends { readonly zone: infer U extends Uid<S> }
        ? { readonly [K in keyof O]: K extends 'on' ? KnownBranches<S, U, O[K]> : K extends keyof ZoneOptions<S, U> ? unknown : NoSuchName }
        : unknown;

type KnownBranches<S extends AnySchema, U extends Uid<S>, On> = {
  readonly [C in keyof On]: C extends U ? (On[C] extends boolean ? unknown : KnownTarget<S, C, On[C]>) : NoSuchName;
};

type KnownTarget<S extends AnySchema, U extends Uid<S>, O> = {
  readonly [K in keyof O]: K extends 'populate'
    ? Known<S, U, O[K]>
    : K extends 'filters'
      ? { readonly [A in keyof O[K]]: A extends keyof FiltersOf<S, U> ? unknown : NoSuchName }
      : K extends keyof PopulateOptions<S, U>
        ? unknown
        : NoSuchName;
};

// Filters and sort

interface Comparisons<V> {
  readonly $eq?: V | null | readonly (V | null)[];
  readonly $ne?: V | null | readonly (V | null)[];
  readonly $lt?: V;
  readonly $lte?: V;
  readonly $gt?: V;
  readonly $gte?: V;
  readonly $in?: readonly (V | null)[];
  readonly $notIn?: readonly (V | null)[];
  readonly $between?: readonly [V, V];
  readonly $null?: boolean;
  readonly $notNull?: boolean;
  readonly $eqi?: string;
  readonly $nei?: string;
  readonly $contains?: string;
  readonly $notContains?: string;
  readonly $containsi?: string;
  readonly $notContainsi?: string;
  readonly $startsWith?: string;
  readonly $startsWithi?: string;
  readonly $endsWith?: string;
  readonly $endsWithi?: string;
}

interface Operators<V> extends Comparisons<V> {
  readonly $not?: Condition<V>;
}

type Condition<V> = V | null | readonly (V | null)[] | Operators<V>;

interface Groups<F> {
  readonly $and?: readonly F[];
  readonly $or?: readonly F[];
  readonly $not?: F;
}

type FilterValue<S extends AnySchema, U extends Uid<S>, K extends keyof EntryOf<S, U>> = K extends keyof S['types'][U]['filterValues']
  ? S['types'][U]['filterValues'][K]
  : NonNullable<EntryOf<S, U>[K]>;

/** The attributes that filters and sort can name. They cannot pass through dynamic zones and relations to any type. */
type ComparedName<S extends AnySchema, U extends Uid<S>, K> = K extends keyof TargetsOf<S, U>
  ? TargetsOf<S, U>[K] extends { readonly one: string } | { readonly many: string }
    ? K
    : never
  : K;

type AttributeFilters<S extends AnySchema, U extends Uid<S>> = {
  readonly [K in keyof EntryOf<S, U> as ComparedName<S, U, K>]?: K extends keyof TargetsOf<S, U>
    ? RelatedFilters<S, TargetsOf<S, U>[K]>
    : Condition<FilterValue<S, U, K>>;
};

type FiltersOf<S extends AnySchema, U extends Uid<S>> = AttributeFilters<S, U> & Groups<FiltersOf<S, U>>;

/** The filters of related entries; the operators compare their `id`. */
type TargetFilters<S extends AnySchema, U extends Uid<S>> = AttributeFilters<S, U> & Comparisons<number> & Groups<TargetFilters<S, U>>;

type RelatedFilters<S extends AnySchema, T extends AnyTarget> = T extends { readonly one: infer U extends Uid<S> }
  ? number | readonly number[] | TargetFilters<S, U>
  : T extends { readonly many: infer U extends Uid<S> }
    ? number | readonly number[] | (TargetFilters<S, U> & Quantifiers<TargetFilters<S, U>>)
    : never;

/** How many of the related entries satisfy a condition. */
interface Quantifiers<F> {
  readonly $some?: F;
  readonly $none?: F;
  readonly $every?: F;
}

type Direction = 'asc' | 'desc';

type SortText<S extends AnySchema, U extends Uid<S>> =
  | ScalarName<S, U>
  | `${ScalarName<S, U>}:${Direction}`
  | `${RelatedName<S, U>}.${string}`;

type SortObject<S extends AnySchema, U extends Uid<S>> = {
  readonly [K in keyof EntryOf<S, U> as ComparedName<S, U, K>]?: K extends keyof TargetsOf<S, U>
    ? TargetsOf<S, U>[K] extends { readonly one: infer T extends Uid<S> } | { readonly many: infer T extends Uid<S> }
      ? SortObject<S, T>
      : never
    : Direction;
};

type SortOf<S extends AnySchema, U extends Uid<S>> =
  | SortText<S, U>
  | readonly SortText<S, U>[]
  | SortObject<S, U>
  | readonly SortObject<S, U>[];

// Responses

/** A document without a schema. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it, and each access would need a cast.
export type LooseEntry = { id: number; documentId: string; [attribute: string]: any };

/** A document as the response to a request with `fields`, `populate` and `status` has it. Without `populate`, it has no relations, media, components
 *  and dynamic zones. */
export type Entry<
  S extends AnySchema,
  N extends TypeName<S>,
  P extends { readonly fields?: unknown; readonly populate?: unknown; readonly status?: unknown } = object,
> = IsLoose<S> extends true ? LooseEntry : Shown<S, UidOf<S, N>, P['fields'], P['populate'], P['status']>;

// A conditional type, so that editors show the attributes in place of `Shown<…>`.
type Shown<S extends AnySchema, U extends Uid<S>, F, P, D> = U extends unknown
  ? {
      [K in keyof EntryOf<S, U> as K extends keyof TargetsOf<S, U> ? Extract<K, PopulatedName<P>> : SelectedName<K, F>]-?:
        | (K extends keyof TargetsOf<S, U> ? Related<S, TargetsOf<S, U>[K], EntryOf<S, U>[K], OptionsIn<P, K>, D> : EntryOf<S, U>[K])
        | (D extends 'draft' ? (K extends S['types'][U]['nullInDrafts'] ? null : never) : never);
    }
  : never;

type SelectedName<K, F> = [F] extends [undefined]
  ? K
  : F extends string | readonly unknown[]
    ? '*' extends Item<F>
      ? K
      : Extract<K, 'id' | 'documentId' | Item<F>>
    : K;

type Item<F> = F extends readonly (infer I)[] ? I : F;

type Head<T> = T extends `${infer H}.${string}` ? H : T;
type Tail<T, K> = K extends string ? (T extends `${K}.${infer R}` ? R : never) : never;

/** The names that `populate` names; `string` for `*`. */
type PopulatedName<P> = [P] extends [undefined]
  ? never
  : typeof unset extends keyof P
    ? never
    : P extends '*'
      ? string
      : P extends string | readonly unknown[]
        ? Head<Item<P>>
        : { [K in keyof P]: P[K] extends false | undefined ? never : K }[keyof P];

/** The options of one name in `populate`. */
type OptionsIn<P, K> = P extends readonly (infer I)[]
  ? { populate: readonly Tail<I, K>[] }
  : P extends string
    ? { populate: Tail<P, K> }
    : K extends keyof P
      ? P[K]
      : unknown;

type In<O, K extends string> = O extends { readonly [N in K]?: infer V } ? V : undefined;

type Related<S extends AnySchema, T extends AnyTarget, V, O, D> = O extends { readonly count: true }
  ? { count: number }
  : T extends { readonly one: infer U extends Uid<S> }
    ? Shown<S, U, In<O, 'fields'>, In<O, 'populate'>, D> | Extract<V, null>
    : T extends { readonly many: infer U extends Uid<S> }
      ? Shown<S, U, In<O, 'fields'>, In<O, 'populate'>, D>[]
      : T extends { readonly zone: infer U extends Uid<S> }
        ? ZoneEntry<S, U, O, D>[]
        : NonNullable<V> | Extract<V, null>;

type ZoneEntry<S extends AnySchema, U extends Uid<S>, O, D> = U extends unknown
  ? O extends { readonly on: infer On }
    ? U extends keyof On
      ? On[U] extends false | undefined
        ? never
        : Block<S, U, In<On[U], 'fields'>, In<On[U], 'populate'>, D>
      : never
    : Block<S, U, undefined, In<O, 'populate'>, D>
  : never;

/** An entry of a dynamic zone. */
type Block<S extends AnySchema, U extends Uid<S>, F, P, D> = Simplify<{ __component: U } & Shown<S, U, F, P, D>>;

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** A page of a list. */
export interface List<E, G = undefined> {
  data: E[];
  meta: { pagination: PaginationMeta<G> };
}

export interface PageMeta {
  page: number;
  pageSize: number;
  pageCount: number;
  total: number;
}

export interface OffsetMeta {
  start: number;
  limit: number;
  total: number;
}

/** `next` is the cursor of the next page, and null on the last one. */
export interface CursorMeta {
  limit: number;
  next: string | null;
}

/** `meta.pagination` of a response, for the `pagination` of the request. Without the count, it has no `total` and `pageCount`. */
export type PaginationMeta<G = undefined> = G extends { readonly cursor: true } | { readonly after: string }
  ? CursorMeta
  : Counted<G, G extends { readonly start: number } | { readonly limit: number } ? OffsetMeta : PageMeta>;

type Counted<G, M> = G extends { readonly withCount: false }
  ? Omit<M, 'total' | 'pageCount'>
  : G extends { readonly withCount: 'estimate' }
    ? M & { isEstimate?: true }
    : M;

// Bodies

/** The `data` of a new document. A draft may lack attributes that the schema requires. */
export type CreateInput<S extends AnySchema, N extends TypeName<S>, D = undefined> =
  IsLoose<S> extends true ? LooseObject : D extends 'draft' ? Partial<S['types'][UidOf<S, N>]['input']> : S['types'][UidOf<S, N>]['input'];

/** The `data` that changes some attributes of a document. */
export type UpdateInput<S extends AnySchema, N extends TypeName<S>> =
  IsLoose<S> extends true ? LooseObject : Partial<S['types'][UidOf<S, N>]['input']>;
