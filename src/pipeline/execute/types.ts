import type { Row } from '../../dialects/dialect.ts';
import type { Uid } from '../../model/content-model.ts';

/** The rows of one read, level by level. */
export interface ReadRows {
  readonly rows: readonly Row[];
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
  | { readonly kind: 'rows'; readonly byParent: ReadonlyMap<number, readonly Row[]>; readonly links: Links }
  | { readonly kind: 'count'; readonly byParent: ReadonlyMap<number, number> }
  | {
      readonly kind: 'polymorphic';
      readonly references: ReadonlyMap<number, readonly Reference[]>;
      readonly branches: ReadonlyMap<Uid, { readonly byId: ReadonlyMap<number, Row>; readonly links: Links }>;
    };

export interface Reference {
  readonly id: number;
  readonly type: Uid;
}
