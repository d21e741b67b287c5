/** A parsed read: every name is resolved against the model, and every value has the right type. */

import type { DateStep } from '../../dialects/dialect.ts';
import type { SearchTerm } from '../../dialects/search/types.ts';
import type { ApiErrorData } from '../../errors/api-error.ts';
import type {
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
import type { SearchIndex } from '../../search/search-index.ts';
import type { PlanParameter } from '../../sql/plan-parameter.ts';
import type { Envelope, ReadTarget, WriteAction, WriteCall } from '../call.ts';
import type { BodyData } from './body/types.ts';

export interface ReadRequest {
  readonly type: ContentType;
  /** The kind of target without the `key` of a document: all documents have the same plan. */
  readonly target: ReadTarget['kind'];
  readonly keyedBy: 'documentId' | 'id';
  readonly envelope: Envelope;
  readonly restriction: Restriction | undefined;
  readonly selection: Selection;
  /** True if the setting `populate` says what is populated, and not the caller. */
  readonly isPopulatedByDefault: boolean;
  readonly status: Status;
  readonly locale: LocaleScope;
  readonly fallback: LocaleChain | undefined;
  readonly publicationFilter: PublicationFilter | undefined;
  readonly search: Search | undefined;
  readonly fullText: FullText | undefined;
  readonly pagination: Pagination;
  /** Set for a list by cursors. */
  readonly cursor: Cursor | undefined;
  /** Set if the list is counted in groups instead of being shown. */
  readonly grouping: Grouping | undefined;
  /** Set for entries that share links with the document of the path: the relations that count. */
  readonly related: readonly Hop[] | undefined;
}

/** `filters[$search]`. */
export interface FullText {
  readonly index: SearchIndex;
  readonly terms: readonly SearchTerm[];
}

/** `_q`. A number is searched in columns of numbers as well. */
export interface Search {
  readonly text: string | PlanParameter<string>;
  readonly isNumber: boolean;
}

export type Status = 'published' | 'draft';

/** The selection of one level: the root, a populated relation or a component. */
export interface Selection {
  readonly schema: Schema;
  /** The selected fields; undefined for every attribute that is returned by default. */
  readonly fields: readonly ScalarAttribute[] | undefined;
  readonly populate: readonly Population[];
  readonly filter: Filter | undefined;
  readonly sort: readonly SortTerm[];
  /** True for `populate[name]=*`, which is refused if the caller may read an attribute below. */
  readonly endsHere: boolean;
}

export type Population =
  | {
      readonly kind: 'related';
      readonly attribute: HopAttribute;
      readonly target: Schema;
      readonly selection: Selection;
      /** Return the number of related rows instead of the rows. */
      readonly count: boolean;
      /** True if paths continue from the attribute and no path ends at it: it is left out if the
       *  caller may read nothing below. */
      readonly onTheWay: boolean;
    }
  | {
      /** A dynamic zone, or a relation with a type for each row (morphToOne, morphToMany). */
      readonly kind: 'polymorphic';
      readonly attribute: DynamicZoneAttribute | RelationAttribute;
      /** The selection of each type; rows of other types are left out. */
      readonly branches: ReadonlyMap<Uid, Selection>;
      /** Types of which only rows of the requested status are shown; of others, rows of both. */
      readonly scoped: ReadonlySet<Uid>;
      /** The zone's name if components that its schema does not list are read too
       *  (`UnlistedComponents`). */
      readonly zone: string | undefined;
      readonly count: boolean;
    };

/** The attributes that filters and sort may pass through: their target is one schema. */
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
  /** True if `filter` holds for a related row or, without any, for a row whose columns are null. */
  | { readonly kind: 'hop'; readonly hop: Hop; readonly filter: Filter }
  /** True if `filter` holds for some, none or every one of the related rows. */
  | { readonly kind: 'quantified'; readonly quantifier: Quantifier; readonly hop: Hop; readonly filter: Filter };

export type Quantifier = 'some' | 'none' | 'every';

export type ComparableValue = string | number | bigint | boolean;
/** A value that the plan contains, or a parameter of it. */
export type Comparand = ComparableValue | PlanParameter<ComparableValue>;
export type Comparison =
  | { readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly value: Comparand }
  | { readonly operator: 'in' | 'not in'; readonly values: readonly Comparand[] }
  | { readonly operator: 'between'; readonly low: Comparand; readonly high: Comparand }
  | { readonly operator: 'null' | 'not null' }
  | {
      readonly operator: 'text';
      readonly position: 'anywhere' | 'start' | 'end' | 'whole';
      readonly ignoreCase: boolean;
      readonly negated: boolean;
      readonly value: string | PlanParameter<string>;
    }
  /** A comparison that no value satisfies (`filters[id]=abc`); null stays unknown. */
  | { readonly operator: 'never' }
  /** A comparison with null, whose result is unknown. */
  | { readonly operator: 'unknown' };

export type SortTerm = AttributeTerm | RankTerm;

export interface AttributeTerm {
  readonly kind: 'attribute';
  readonly hops: readonly Hop[];
  readonly attribute: ScalarAttribute;
  readonly direction: 'asc' | 'desc';
}

/** `$rank`: the rank in the full-text search of the request. */
export interface RankTerm {
  readonly kind: 'rank';
  readonly direction: 'asc' | 'desc';
}

export interface Cursor {
  /** What its cursors are encrypted with. */
  readonly key: string;
  /** The place after which the page begins; undefined for the first page. */
  readonly after: After | undefined;
}

export interface After {
  /** For each term of the sort. */
  readonly values: readonly (string | number | PlanParameter<string | number> | null)[];
  readonly id: number | PlanParameter<number>;
}

/** The most groups of a response, and those without `pagination[limit]`. */
export const groupLimits = { most: 1000, byDefault: 100 } as const;
export const groupFunctions = ['avg', 'sum', 'min', 'max'] as const;
export type GroupFunction = (typeof groupFunctions)[number];

/** How the entries of a list are counted in groups. */
export interface Grouping {
  readonly by: readonly GroupKey[];
  readonly functions: readonly { readonly name: GroupFunction; readonly attribute: ScalarAttribute }[];
  readonly withCount: boolean;
  readonly order: { readonly by: 'count' | 'key'; readonly direction: 'asc' | 'desc' };
}

export type GroupKey =
  | { readonly kind: 'value'; readonly attribute: ScalarAttribute; readonly step: DateStep | undefined }
  | {
      /** A relation to one document; entries whose target cannot be seen are in the group null. */
      readonly kind: 'related';
      readonly attribute: RelationAttribute;
      readonly hop: Hop;
      /** The attribute of the target that names it; only `authorise` sets it. */
      readonly title: ScalarAttribute | undefined;
    };

/** The pagination: pages or offsets, never both. The statement uses `offset` and `limit`. */
export type Pagination =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'page';
      readonly page: number;
      readonly pageSize: number;
      readonly withCount: boolean;
      readonly isEstimate?: boolean;
      readonly offset: number;
      readonly limit: number;
    }
  /** `limit` is one more than the shown entries. */
  | { readonly kind: 'cursor'; readonly limit: number; readonly offset: 0; readonly withCount: false }
  | { readonly kind: 'groups'; readonly limit: number; readonly offset: 0; readonly withCount: false }
  | {
      readonly kind: 'offset';
      readonly start: number;
      readonly limit: number;
      readonly withCount: boolean;
      readonly isEstimate?: boolean;
      readonly offset: number;
    };

/** The requested locales. By policy, unknown codes are refused or match nothing. `any` is
 *  `locale=*`, or a request with a filter on `locale`. */
export type LocaleScope =
  | { readonly kind: 'codes'; readonly codes: readonly string[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'not localized' };

/** The requested locale and those that stand in for it, in order: each document is shown in the
 *  first one that it has. */
export type LocaleChain = readonly string[];

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

/** A parsed write whose keys have been checked. */
export interface WriteRequest {
  readonly type: ContentType;
  readonly action: WriteAction;
  readonly documentId: string | undefined;
  /** The locales of the request. A write with a body has one. Null for types without locales. */
  readonly locale: WriteLocale;
  readonly localeIfMade: LocaleIfMade | undefined;
  /** The version to change. For `published`, the draft changes first. Ignored without drafts. */
  readonly status: Status;
  readonly data: BodyData | undefined;
  /** If true, attributes that the body omits stay as they are. */
  readonly partial: boolean;
  readonly restriction: Restriction | undefined;
  readonly ifMatch: WriteCall['ifMatch'];
  /** How the written document is read for the response. */
  readonly response: ReadRequest;
}

/** The body's locale, which counts if an update makes the document of a single type; or the error
 *  of a locale that cannot be written. */
export type LocaleIfMade = { readonly code: string } | { readonly refusal: ApiErrorData };

export type WriteLocale =
  | { readonly kind: 'one'; readonly code: string | null }
  | { readonly kind: 'several'; readonly codes: readonly string[] }
  | { readonly kind: 'all' };
