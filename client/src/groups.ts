/** Types of `aggregate`: numbers of groups of documents. */
import type { EntryOf, IsLoose, TypeName, Uid, UidOf } from './names.ts';
import type { Filters, PublicationFilter, SearchFilter, Status } from './result.ts';
import type { AnySchema, GroupKind } from './schema.ts';

type Item<T> = T extends readonly (infer I)[] ? I : T;
type OneOrMore<T> = T | readonly T[];

/** The attributes that groups can name, with what each of them can be used for. */
type KindsOf<S extends AnySchema, U extends Uid<S>> = S['types'][U] extends { readonly groups: infer G } ? G : Record<string, GroupKind>;

type NameOf<S extends AnySchema, U extends Uid<S>, Kind> = {
  [K in keyof KindsOf<S, U>]: KindsOf<S, U>[K] extends Kind ? K : never;
}[keyof KindsOf<S, U>] &
  string;

type Name<S extends AnySchema, N extends TypeName<S>, Kind> = IsLoose<S> extends true ? string : NameOf<S, UidOf<S, N>, Kind>;

/** An attribute, or a date with its step: `visitedOn:year`. */
export type GroupBy<S extends AnySchema, N extends TypeName<S>> =
  | OneOrMore<Name<S, N, GroupKind>>
  | OneOrMore<Name<S, N, GroupKind> | `${Name<S, N, 'date'>}:${'year' | 'month' | 'day'}`>;

/** Attributes of which a sum or an average can be computed. */
export type Summable<S extends AnySchema, N extends TypeName<S>> = OneOrMore<Name<S, N, 'number'>>;

/** Attributes of which the least and the greatest value can be found. */
export type Comparable<S extends AnySchema, N extends TypeName<S>> = OneOrMore<Name<S, N, 'number' | 'date' | 'time'>>;

/** The parameters of `aggregate`. Each type parameter is inferred from one of them. */
export interface AggregateParams<S extends AnySchema, N extends TypeName<S>, B, C, A, T, L, G> {
  /** One or two attributes. Without it, all documents are one group. */
  readonly groupBy?: B | undefined;
  /** The number of documents; also where no function is named. */
  readonly count?: C | undefined;
  readonly avg?: A | undefined;
  readonly sum?: T | undefined;
  readonly min?: L | undefined;
  readonly max?: G | undefined;
  readonly filters?: (Filters<S, N> & SearchFilter) | undefined;
  readonly _q?: string | undefined;
  readonly status?: Status | undefined;
  readonly locale?: string | readonly string[] | undefined;
  readonly publicationFilter?: PublicationFilter | undefined;
  /** `-count` if not given. */
  readonly sort?: 'count' | '-count' | 'key' | '-key' | undefined;
  /** 100 groups if not given, 1,000 at most. */
  readonly pagination?: { readonly limit?: number | undefined } | undefined;
}

/** The groups, and whether there are more than the limit. */
export interface Groups<E> {
  data: E[];
  meta: { limit: number; more: boolean };
}

type ValueOf<S extends AnySchema, U extends Uid<S>, K> = K extends keyof KindsOf<S, U>
  ? KindsOf<S, U>[K] extends 'document'
    ? { documentId: string; [title: string]: unknown }
    : K extends keyof EntryOf<S, U>
      ? EntryOf<S, U>[K]
      : unknown
  : unknown;

type Head<T> = T extends `${infer H}:${string}` ? H : T;

type KeyOf<S extends AnySchema, U extends Uid<S>, B> = {
  [K in Item<B> & string as Head<K>]: (K extends `${string}:${string}` ? string : ValueOf<S, U, K>) | null;
};

type Values<S extends AnySchema, U extends Uid<S>, V, Result> = {
  [K in Item<V> & string]: ([Result] extends [never] ? ValueOf<S, U, K> : Result) | null;
};

type Result<Named extends string, V, R> = [V] extends [undefined] ? unknown : { [F in Named]: R };

type IsCounted<C, Others> = C extends true ? true : C extends false ? false : [Others] extends [undefined] ? true : false;

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** One group: its key, and the numbers that were asked for. */
export type Group<S extends AnySchema, N extends TypeName<S>, B, C, A, T, L, G> =
  IsLoose<S> extends true ? LooseGroup : Grouped<S, UidOf<S, N>, B, C, A, T, L, G>;

// A conditional type, so that editors show the members in place of `Grouped<…>`.
type Grouped<S extends AnySchema, U extends Uid<S>, B, C, A, T, L, G> = U extends unknown
  ? Flat<
      { key: [B] extends [undefined] ? object : KeyOf<S, U, B> } & (IsCounted<C, A | T | L | G> extends true
        ? { count: number }
        : unknown) &
        Result<'avg', A, Values<S, U, A, number>> &
        Result<'sum', T, Values<S, U, T, number>> &
        Result<'min', L, Values<S, U, L, never>> &
        Result<'max', G, Values<S, U, G, never>>
    >
  : never;

/** A group without a schema. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it, and each access would need a cast.
export type LooseGroup = { key: { [attribute: string]: any }; count: number; [computed: string]: any };
