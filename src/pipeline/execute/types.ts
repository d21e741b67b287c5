import type { Connection } from '../../dialects/dialect.ts';
import type { Uid } from '../../model/content-model.ts';
import type { FoundRow } from './found-row.ts';
import type { KnownPages } from './known-pages.ts';
import type { ListCache } from './list-cache.ts';
import type { ReadBudget } from './read-budget.ts';
import type { RowCache } from './row-cache.ts';

export interface Execution {
  readonly connection: Connection;
  /** What is known of lists, for plans with separate statements; undefined if the engine cannot report whether data has changed. */
  readonly lists?: ListCache | undefined;
  /** Plans with separate statements use it with `lists`, which knows the state of the snapshot; plans of one statement use it with `pages` and
   *  `currentVersion`. */
  readonly rowCache?: RowCache | undefined;
  /** Returns the present `WholeReads.version`; undefined if the database does not report it. */
  readonly currentVersion?: (() => Promise<string | undefined>) | undefined;
  /** The version of the tables of the list when the request arrived. */
  readonly listVersion?: string | undefined;
  /** What `WholeReads.version` was at that time. */
  readonly snapshot?: string | undefined;
  /** What is known of pages, for plans that are one statement. */
  readonly pages?: KnownPages | undefined;
  /** The budget of this read only. */
  readonly budget: ReadBudget;
}

export interface FoundInMemory {
  /** Milliseconds that reading the values took; 0 if they were held before. */
  readonly readTime: number;
}

/** The rows of one read, level by level. */
export interface ReadRows {
  readonly rows: readonly FoundRow[];
  /** Undefined when the total was not requested. */
  readonly total: number | undefined;
  readonly links: Links;
}

/** The populated rows of one level, in the order of the shape's links. */
export interface Links {
  readonly found: readonly LinkRows[];
  /** The order in which the links are written; filled in when everything has been read. */
  readonly order: number[];
}

export type LinkRows =
  | {
      readonly kind: 'rows';
      readonly byParent: ReadonlyMap<number, readonly FoundRow[]>;
      /** Whether a row is below several parents, which then have the same object. */
      readonly isShared: boolean;
      readonly links: Links;
    }
  | { readonly kind: 'count'; readonly byParent: ReadonlyMap<number, number> }
  | {
      readonly kind: 'polymorphic';
      readonly references: ReadonlyMap<number, readonly Reference[]>;
      readonly branches: ReadonlyMap<Uid, { readonly byId: ReadonlyMap<number, FoundRow>; readonly links: Links }>;
    };

export interface Reference {
  readonly id: number;
  readonly type: Uid;
}
