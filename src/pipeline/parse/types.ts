/** A read after parsing: every name is resolved against the model, every value has its type. An invalid request has no such value. */

import type {
  Component,
  ComponentAttribute,
  ContentType,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  Schema,
  Uid,
} from '../../model/content-model.ts';
import type { Restriction } from '../../rights/restrictions.ts';
import type { Envelope, ReadTarget, WriteAction, WriteCall } from '../call.ts';
import type { BodyData } from './body/types.ts';

export interface ReadRequest {
  readonly type: ContentType;
  /** Without the `key` of a single document: the plan is the same for all documents. */
  readonly target: ReadTarget['kind'];
  readonly keyedBy: 'documentId' | 'id';
  readonly envelope: Envelope;
  readonly restriction: Restriction | undefined;
  readonly selection: Selection;
  readonly status: Status;
  readonly locale: LocaleScope;
  readonly publicationFilter: PublicationFilter | undefined;
  readonly search: string | undefined;
  readonly pagination: Pagination;
}

export type Status = 'published' | 'draft';

/** The selection of one level: of the root, of a populated relation or of a component. */
export interface Selection {
  readonly schema: Schema;
  /** Undefined: every attribute that is returned by default. */
  readonly fields: readonly ScalarAttribute[] | undefined;
  readonly populate: readonly Population[];
  readonly filter: Filter | undefined;
  readonly sort: readonly SortTerm[];
  /** From `populate[name]=*`, which is refused where the caller may read an attribute below. */
  readonly endsHere: boolean;
}

export type Population =
  | {
      readonly kind: 'related';
      readonly attribute: RelationAttribute | MediaAttribute;
      readonly target: ContentType;
      readonly selection: Selection;
      /** Return the number of related rows instead of the rows. */
      readonly count: boolean;
      /** A path goes on from it and no path ends at it: left out where the caller may read nothing below. */
      readonly onTheWay: boolean;
    }
  | {
      readonly kind: 'component';
      readonly attribute: ComponentAttribute;
      readonly target: Component;
      readonly selection: Selection;
      readonly count: boolean;
      readonly onTheWay: boolean;
    }
  | {
      /** A dynamic zone, or a relation whose target is named row by row (morphToOne, morphToMany). */
      readonly kind: 'polymorphic';
      readonly attribute: DynamicZoneAttribute | RelationAttribute;
      /** The selection of each type; rows of other types are left out. */
      readonly branches: ReadonlyMap<Uid, Selection>;
      /** Types of which only rows of the requested status are shown; of the others, rows of either. */
      readonly scoped: ReadonlySet<Uid>;
      /** The name of the zone where known components are read that its schema does not list; see `UnlistedComponents`. */
      readonly zone: string | undefined;
      readonly count: boolean;
    };

/** Those through which filters and sort may pass: the target is one schema. */
export type HopAttribute = RelationAttribute | MediaAttribute | ComponentAttribute;

export interface Hop {
  readonly attribute: HopAttribute;
  readonly target: Schema;
  /** Attribute names from the root of this filter or sort, for messages. */
  readonly path: string;
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | { readonly kind: 'comparison'; readonly attribute: ScalarAttribute; readonly comparison: Comparison }
  /** There is a related row for which `filter` holds; without related rows, one whose every column is null. */
  | { readonly kind: 'hop'; readonly hop: Hop; readonly filter: Filter };

export type ComparableValue = string | number | bigint | boolean;
export type Comparison =
  | { readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly value: ComparableValue }
  | { readonly operator: 'in' | 'not in'; readonly values: readonly ComparableValue[] }
  | { readonly operator: 'between'; readonly low: ComparableValue; readonly high: ComparableValue }
  | { readonly operator: 'null' | 'not null' }
  | {
      readonly operator: 'text';
      readonly place: 'anywhere' | 'start' | 'end' | 'whole';
      readonly ignoreCase: boolean;
      readonly negated: boolean;
      readonly value: string;
    }
  /** A comparison that no value satisfies (`filters[id]=abc`); null stays unknown. */
  | { readonly operator: 'never' }
  /** One with null, of which it is not known whether it holds. */
  | { readonly operator: 'unknown' };

export interface SortTerm {
  readonly hops: readonly Hop[];
  readonly attribute: ScalarAttribute;
  readonly direction: 'asc' | 'desc';
}

/** A page with a start cannot exist. `offset` and `limit` are what the statement uses. */
export type Pagination =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'page';
      readonly page: number;
      readonly pageSize: number;
      readonly withCount: boolean;
      readonly offset: number;
      readonly limit: number;
    }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number; readonly withCount: boolean; readonly offset: number };

/** Undefined codes are refused or match nothing, by policy. `any` is `locale=*`, and what a filter on `locale` asks for. */
export type LocaleScope =
  | { readonly kind: 'codes'; readonly codes: readonly string[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'not localized' };

export const publicationFilters = [
  'never-published',
  'has-published-version',
  'modified',
  'unmodified',
  'never-published-document',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
] as const;
export type PublicationFilter = (typeof publicationFilters)[number];

/** A write, its keys checked. */
export interface WriteRequest {
  readonly type: ContentType;
  readonly action: WriteAction;
  readonly documentId: string | undefined;
  /** The locales concerned; one for whatever has a body. Null on types without locales. */
  readonly locale: WriteLocale;
  /** The version that the body changes. Publishing changes the draft first. Types without drafts ignore it. */
  readonly status: Status;
  readonly data: BodyData | undefined;
  /** What the body leaves out stays as it is. */
  readonly partial: boolean;
  readonly restriction: Restriction | undefined;
  readonly ifMatch: WriteCall['ifMatch'];
  /** How the written document is read for the response. */
  readonly answer: ReadRequest;
}

export type WriteLocale =
  | { readonly kind: 'one'; readonly code: string | null }
  | { readonly kind: 'several'; readonly codes: readonly string[] }
  | { readonly kind: 'all' };
