/** What a migration does, step by step. */
import type { ColumnType, Connection, Dialect } from '../dialects/dialect.ts';

/** One thing to run: a statement, values that are converted one by one, which no statement can do on every engine, or statements that depend on the
 *  rows there are. */
export type Work = string | Conversion | RowWork;

export interface RowWork {
  /** Describes the work to people, after `--`. */
  readonly summary: string;
  run(connection: Connection, dialect: Dialect): Promise<void>;
}

/** Copies the values of one column to another of another type, as far as nothing of them is lost. */
export interface Conversion {
  readonly table: string;
  readonly from: string;
  readonly fromType: ColumnType;
  readonly to: string;
  readonly toType: ColumnType;
}

export interface Step {
  /** A sentence that says what is done, and why. */
  readonly reason: string;
  readonly work: readonly Work[];
}

/** One that takes something out of the reach of the server, and keeps it in the database. */
export interface DestructiveStep extends Step {
  readonly kind: 'table' | 'column' | 'type' | 'rows';
  readonly table: string;
  readonly column?: string;
  /** Rows: which they are. */
  readonly what?: string;
  /** A table: the attribute whose links are in it, and which is stored elsewhere now. */
  readonly linksOf?: string;
  /** The name that it has afterwards; of rows, that of their table. */
  readonly keptAs: string;
  /** What Strapi does about it, where Strapi looks after the database. */
  readonly remark?: string;
}

/** The text of a piece of work, for people; a conversion is not SQL and becomes a comment. */
export const textOf = (work: Work): string => {
  if (typeof work === 'string') return `${work};`;
  return 'run' in work ? `-- ${work.summary}` : `-- copies the values of "${work.from}" that are ${nameOf[work.toType]} to "${work.to}"`;
};

const nameOf: Record<ColumnType, string> = {
  id: 'whole numbers',
  reference: 'whole numbers',
  order: 'numbers',
  string: 'no longer than 255 characters',
  email: 'no longer than 255 characters',
  password: 'no longer than 255 characters',
  uid: 'no longer than 255 characters',
  enumeration: 'no longer than 255 characters',
  text: 'texts',
  richtext: 'texts',
  blocks: 'JSON arrays',
  json: 'JSON',
  integer: 'whole numbers',
  biginteger: 'whole numbers',
  float: 'numbers',
  decimal: 'numbers with at most two decimal places',
  boolean: 'true or false',
  date: 'dates',
  time: 'times',
  datetime: 'dates with time',
  timestamp: 'dates with time',
};
