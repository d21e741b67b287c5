/** The steps of a migration. */
import { type ColumnType, type StoredType, storedTypeOf } from '../dialects/column-type.ts';
import type { Uid } from '../model/content-model.ts';

/** A statement, a conversion of values one by one, or statements that depend on existing rows.
 *  Plain data, so that a journal can store it (`journal.ts`). */
export type Work = string | Conversion | RowWork;

export type RowWork = {
  readonly summary: string;
} & ( // Makes drafts of published rows that have none, of all these types together: they link to another.
  | { readonly kind: 'makeDrafts'; readonly types: readonly Uid[] }
  | SetRowsAside
  | { readonly kind: 'setLocale'; readonly type: Uid; readonly locale: string }
  // Notes in Strapi's settings that Draft & Publish was on for the type.
  | { readonly kind: 'noteDraftAndPublish'; readonly type: Uid }
);

/** Moves rows to tables of their own. */
export interface SetRowsAside {
  readonly kind: 'setRowsAside';
  readonly type: Uid;
  /** A condition on the rows, which are called `r`. */
  readonly which: string;
  /** The new name for each table, in pairs. */
  readonly keptAs: readonly (readonly [table: string, name: string])[];
  /** Whether links to these rows, which are drafts, lead to the published ones from then on. */
  readonly relink: boolean;
}

/** Copies a column's values to a column of another type, except where something would be lost. */
export interface Conversion {
  readonly table: string;
  readonly from: string;
  readonly fromType: StoredType;
  readonly to: string;
  readonly toType: ColumnType;
}

export interface Step {
  /** A sentence that describes the step and its reason. */
  readonly reason: string;
  readonly work: readonly Work[];
}

/** A step that removes data from use, but keeps it in the database. */
export interface DestructiveStep extends Step {
  readonly kind: 'table' | 'column' | 'type' | 'rows';
  readonly table: string;
  readonly column?: string;
  /** For rows: a description of them. */
  readonly what?: string;
  /** For a table of links: the attribute, which is now stored elsewhere. */
  readonly linksOf?: string;
  /** The new name; for rows, the name of their new table. */
  readonly keptAs: string;
  /** How Strapi handles this, if Strapi manages the database. */
  readonly remark?: string;
}

export const remark = (holds: boolean, text: string): Pick<DestructiveStep, 'remark'> => (holds ? { remark: text } : {});

/** The text of some work for messages; a conversion is not SQL, so it becomes a comment. */
export const describeWork = (work: Work): string => {
  if (typeof work === 'string') return `${work};`;
  if ('summary' in work) return `-- ${work.summary}`;
  const values = work.toType === 'blocks' ? 'JSON arrays' : nameOf[storedTypeOf(work.toType)];
  return `-- copies the values of "${work.from}" that are ${values} to "${work.to}"`;
};

const nameOf: Record<StoredType, string> = {
  id: 'whole numbers',
  reference: 'whole numbers',
  order: 'numbers',
  string: 'no longer than 255 characters',
  text: 'texts',
  json: 'JSON',
  integer: 'whole numbers',
  biginteger: 'whole numbers',
  float: 'numbers',
  decimal: 'numbers with at most two decimal places',
  boolean: 'true or false',
  date: 'dates',
  time: 'times',
  datetime: 'dates with time',
};
