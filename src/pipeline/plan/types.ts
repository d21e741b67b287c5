/** A read's plan in terms of the model: a tree of nodes, one for each statement, with explicit
 *  conditions on status and locale. */
import type { DateStep, LetterCase, TextPosition } from '../../dialects/dialect.ts';
import type { SearchTerm } from '../../dialects/search/types.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { EventCaller } from '../../events/document-event.ts';
import type { ContentType, DynamicZoneAttribute, RelationAttribute, ScalarAttribute, Schema, Uid } from '../../model/content-model.ts';
import type { SearchColumn, SearchIndex } from '../../search/search-index.ts';
import type { PlanParameter } from '../../sql/plan-parameter.ts';
import type { Envelope, ReadTarget, WriteAction } from '../call.ts';
import type { BodyEntry } from '../parse/body/types.ts';
import type {
  Comparison,
  Cursor,
  Grouping,
  HopAttribute,
  LocaleChain,
  LocaleIfMade,
  Pagination,
  PublicationFilter,
  Status,
  WriteLocale,
} from '../parse/types.ts';

export interface ReadPlan {
  readonly type: ContentType;
  readonly target: ReadTarget['kind'];
  readonly keyedBy: 'documentId' | 'id';
  readonly envelope: Envelope;
  readonly root: Node;
  readonly pagination: Pagination;
  readonly cursor: Cursor | undefined;
  readonly grouping: PlannedGrouping | undefined;
  /** Whether rows beyond a limit are not counted. */
  readonly estimatesTotal: boolean;
}

export type PlannedGrouping = Omit<Grouping, 'by'> & { readonly by: readonly PlannedKey[] };

export type PlannedKey =
  | { readonly kind: 'value'; readonly attribute: ScalarAttribute; readonly step: DateStep | undefined }
  /** The documentId of the target and its title, as a list would be sorted by them. */
  | { readonly kind: 'related'; readonly name: string; readonly documentId: AttributeOrder; readonly title: AttributeOrder | undefined };

/** Rows of one table. `columns` are written in this order; the row id is always selected. */
export interface Node {
  readonly schema: Schema;
  readonly columns: readonly ScalarAttribute[];
  readonly where: Condition;
  readonly order: readonly Order[];
  /** Populated attributes, in the order in which they are written. */
  readonly links: readonly PlannedLink[];
  /** Set if links lead to other rows of the shown documents. */
  readonly linked?: LinkedVersion;
}

/** The row that a link leads to, where another locale of its document is shown. */
export interface LinkedVersion {
  /** Must match it, or the link leads nowhere. */
  readonly where: Condition | undefined;
  /** Whether the shown row must have the same status, since `where` names none. */
  readonly sameStatus: boolean;
}

export type PlannedLink =
  | { readonly kind: 'rows' | 'count'; readonly attribute: HopAttribute; readonly node: Node }
  | {
      readonly kind: 'polymorphic';
      readonly attribute: DynamicZoneAttribute | RelationAttribute;
      readonly branches: ReadonlyMap<Uid, Node>;
      readonly zone: string | undefined;
      readonly count: boolean;
    };

/** Conditions are not negated: `not` has been moved to the comparisons, so that a relation matches
 *  if one related row matches. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Condition[] }
  | {
      readonly kind: 'compare';
      readonly attribute: ScalarAttribute;
      readonly comparison: PlannedComparison;
      readonly negated: boolean;
      /** Whether a text equals only itself, even if the database's order equates others with it. */
      readonly isExact?: true;
    }
  | {
      readonly kind: 'exists';
      readonly attribute: HopAttribute;
      readonly target: Schema;
      readonly where: Condition;
      /** True if the condition holds without any related row: `where` is true of a row of nulls. */
      readonly orNone: boolean;
      /** Whether `where` must not be true of a related row, but false or unknown. */
      readonly isComplement?: boolean;
      /** Whether there must be no such row. */
      readonly negated?: boolean;
      /** Rows of the target that do not match it are treated as if they did not exist. */
      readonly scope: Condition | undefined;
    }
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'locales'; readonly codes: readonly string[] }
  | {
      /** The document has no row that matches `scope` in a locale that comes earlier. */
      readonly kind: 'fallback';
      readonly chain: LocaleChain;
      /** Whether only rows of the same status count, since `scope` names none. */
      readonly sameStatus: boolean;
      readonly scope: Condition | undefined;
    }
  | {
      readonly kind: 'publication';
      readonly filter: PublicationFilter;
      readonly status: Status;
      readonly type: ContentType;
      /** The condition on the other version, as in `exists`. */
      readonly scope: Condition | undefined;
    }
  | {
      readonly kind: 'search';
      readonly attributes: readonly ScalarAttribute[];
      readonly text: string | PlanParameter<string>;
      readonly letterCase: LetterCase;
    }
  | PlannedSearch
  | PlannedRelated;

/** A full-text search, in the columns that the caller may filter by. */
export interface PlannedSearch {
  readonly kind: 'fullText';
  readonly index: SearchIndex;
  readonly columns: readonly SearchColumn[];
  readonly terms: readonly SearchTerm[];
}

export type PlannedComparison =
  | Exclude<Comparison, { operator: 'text' }>
  | {
      readonly operator: 'text';
      readonly position: TextPosition;
      readonly letterCase: LetterCase;
      readonly negated: boolean;
      readonly value: string | PlanParameter<string>;
    };

/** True of rows of other documents that share links with the source rows. */
export interface PlannedRelated {
  readonly kind: 'related';
  readonly type: ContentType;
  /** The rows of the document of the path whose links count. */
  readonly source: Condition;
  /** Relations; targets that do not match `scope` are treated as if they did not exist. */
  readonly via: readonly { readonly attribute: HopAttribute; readonly target: Schema; readonly scope: Condition | undefined }[];
}

export type Order = AttributeOrder | RankOrder | SharedOrder;

/** By the number of shared links, the most first. */
export interface SharedOrder {
  readonly kind: 'shared';
  readonly related: PlannedRelated;
}

/** By the rank in a search. */
export interface RankOrder {
  readonly kind: 'rank';
  readonly search: PlannedSearch;
  readonly direction: 'asc' | 'desc';
}

export interface AttributeOrder {
  readonly kind: 'attribute';
  readonly path: readonly { readonly attribute: HopAttribute; readonly target: Schema; readonly scope: Condition | undefined }[];
  readonly attribute: ScalarAttribute;
  readonly direction: 'asc' | 'desc';
}

export interface PlannedWrite {
  readonly plan: WritePlan;
  /** The error of a body with wrong values, if any; then nothing is written. A missing document or
   *  target is reported instead. */
  readonly refusal: ApiError | undefined;
}

/** A write as plain data: another process may run it. */
export interface WritePlan {
  readonly uid: Uid;
  readonly action: WriteAction;
  readonly documentId: string | undefined;
  /** The documentId of a new document. */
  readonly newDocumentId: string;
  /** Whether it is that of an earlier document, which may be there again. */
  readonly isRestored: boolean;
  readonly locale: WriteLocale;
  readonly localeIfMade: LocaleIfMade | undefined;
  /** The locale of targets with locales in relations from a type without them. */
  readonly defaultLocale: string;
  readonly status: Status;
  /** The body, with values of the right types. */
  readonly body: BodyEntry | undefined;
  /** As `PermittedWrite.own`. */
  readonly own: BodyEntry | undefined;
  readonly partial: boolean;
  /** The attributes that the caller may write; undefined for all of them. */
  readonly writable: ReadonlySet<string> | undefined;
  readonly ifMatch: '*' | readonly string[] | undefined;
  /** As `HookChanges.seen`. */
  readonly seen: readonly string[] | undefined;
  /** The hashes of the body's passwords, by password. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The time of the write. Milliseconds. */
  readonly now: number;
  /** Whom the events of the write name as its caller; undefined where none are kept. */
  readonly events: EventCaller | undefined;
  /** Whether what the write replaces is kept, and by whom it was replaced. */
  readonly history: { readonly versions: number; readonly caller: EventCaller } | undefined;
  /** By attribute, what is added to the stored number. */
  readonly increments: ReadonlyMap<string, number>;
  readonly rules: WriteRules;
}

export interface WriteRules {
  /** Enforces rules of the schema that Strapi does not enforce over REST. */
  readonly enforceSchema: boolean;
  /** Required relations and media must have a target. */
  readonly requireRelations: boolean;
  /** Publishing a locale also copies its values that are not localized to other locales' drafts. */
  readonly syncDrafts: boolean;
  /** Whether a uid that a new document's body omits is generated, and among which rows it is
   *  unique: the published ones, or drafts too. */
  readonly fillUids: 'no' | 'published' | 'all';
  /** The maximum number of components of one version of a document. */
  readonly components: number;
}
