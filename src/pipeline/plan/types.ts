/** What will be read, in terms of the model: a tree of nodes, each one statement, with scopes (status, locale) made explicit. */
import type { LetterCase, TextPlace } from '../../dialects/dialect.ts';
import type { ApiError } from '../../errors/api-error.ts';
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
import type { Envelope, ReadTarget, WriteAction } from '../call.ts';
import type { BodyEntry } from '../parse/body/types.ts';
import type { ComparableValue, HopAttribute, Pagination, PublicationFilter, Status, WriteLocale } from '../parse/types.ts';

export interface ReadPlan {
  readonly type: ContentType;
  readonly target: ReadTarget['kind'];
  readonly keyedBy: 'documentId' | 'id';
  readonly envelope: Envelope;
  readonly root: Node;
  readonly pagination: Pagination;
}

/** Rows of one table. `columns` are written in this order; the row id is selected in any case. */
export interface Node {
  readonly schema: Schema;
  readonly columns: readonly ScalarAttribute[];
  readonly where: Condition;
  readonly order: readonly Order[];
  /** Populated attributes, in the order in which they are written. */
  readonly links: readonly Link[];
}

export type Link =
  | { readonly kind: 'rows'; readonly attribute: RelationAttribute | MediaAttribute | ComponentAttribute; readonly node: Node }
  | { readonly kind: 'count'; readonly attribute: RelationAttribute | MediaAttribute | ComponentAttribute; readonly node: Node }
  | {
      readonly kind: 'polymorphic';
      readonly attribute: DynamicZoneAttribute | RelationAttribute;
      readonly branches: ReadonlyMap<Uid, Node>;
      readonly zone: string | undefined;
      readonly count: boolean;
    };

/** Never negated as a whole: `not` has been moved to the leaves, so that a relation is passed through by asking for one row that fits. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Condition[] }
  | { readonly kind: 'compare'; readonly attribute: ScalarAttribute; readonly comparison: PlannedComparison; readonly negated: boolean }
  | {
      readonly kind: 'exists';
      readonly attribute: HopAttribute;
      readonly target: Schema;
      readonly where: Condition;
      /** True without any related row as well: `where` is true of a row of nulls. */
      readonly orNone: boolean;
      /** Rows of the target that do not match it are treated as if they did not exist. */
      readonly scope: Condition | undefined;
    }
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'locales'; readonly codes: readonly string[] }
  | {
      readonly kind: 'publication';
      readonly filter: PublicationFilter;
      readonly status: Status;
      readonly type: ContentType;
      /** On the other version, as in `exists`. */
      readonly scope: Condition | undefined;
    }
  | { readonly kind: 'search'; readonly attributes: readonly ScalarAttribute[]; readonly text: string; readonly letterCase: LetterCase };

export type PlannedComparison =
  | { readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly value: ComparableValue }
  | { readonly operator: 'in' | 'not in'; readonly values: readonly ComparableValue[] }
  | { readonly operator: 'between'; readonly low: ComparableValue; readonly high: ComparableValue }
  | { readonly operator: 'null' | 'not null' }
  | {
      readonly operator: 'text';
      readonly place: TextPlace;
      readonly letterCase: LetterCase;
      readonly negated: boolean;
      readonly value: string;
    }
  | { readonly operator: 'never' | 'unknown' };

export interface Order {
  readonly path: readonly { readonly attribute: HopAttribute; readonly target: Schema; readonly scope: Condition | undefined }[];
  readonly attribute: ScalarAttribute;
  readonly direction: 'asc' | 'desc';
}

export interface PlannedWrite {
  readonly plan: WritePlan;
  /** What is wrong with the body: what the response says unless a document that the request names is missing. Nothing has to be written. */
  readonly refusal: ApiError | undefined;
}

/** A write, as plain data: it may be run in another process. */
export interface WritePlan {
  readonly uid: Uid;
  readonly action: WriteAction;
  readonly documentId: string | undefined;
  /** The documentId of a new document. */
  readonly newDocumentId: string;
  readonly locale: WriteLocale;
  /** Where relations to types with locales lead from a type without them. */
  readonly defaultLocale: string;
  readonly status: Status;
  /** The values that it names have their types. */
  readonly body: BodyEntry | undefined;
  readonly partial: boolean;
  /** Attributes that the caller may write; undefined for all of them. */
  readonly writable: ReadonlySet<string> | undefined;
  readonly ifMatch: '*' | readonly string[] | undefined;
  /** Passwords of the body → their hashes. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Milliseconds. */
  readonly now: number;
  readonly rules: WriteRules;
}

export interface WriteRules {
  /** Rules of the schema that Strapi does not enforce over REST. */
  readonly enforceSchema: boolean;
  /** Required relations and media must lead somewhere. */
  readonly requireRelations: boolean;
  /** Publishing a locale copies its values that are not localized to the drafts of the other locales as well. */
  readonly syncDrafts: boolean;
  /** Components of one version of a document. */
  readonly components: number;
}
