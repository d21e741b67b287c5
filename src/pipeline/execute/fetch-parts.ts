/** Runs the single statement of a read, and divides its rows into their parts. */

import { oncePer } from '../../collections.ts';
import type { Row, SingleStatementReads } from '../../dialects/dialect.ts';
import type { Bindings, SingleStatement } from '../compile/types.ts';
import { boundValues } from './bound-values.ts';
import type { ReadBudget } from './read-budget.ts';
import { totalOfPage } from './total-of-page.ts';
import type { Execution } from './types.ts';

export interface FetchedParts {
  /** The rows of each part; the columns have the types that `Dialect.select` describes. */
  readonly parts: readonly (readonly Row[])[];
  readonly total: number | undefined;
}

/** Throws an `ApiError` when the rows exceed the budget, while they are read. */
export async function fetchParts(single: SingleStatement, bindings: Bindings, { connection, budget }: Execution): Promise<FetchedParts> {
  const { dialect } = connection;
  if (dialect.singleStatementReads === undefined) throw new Error(`${dialect.name} does not read all parts at once`);
  const readers = readersOf(dialect.singleStatementReads)(single);
  const { statement } = single;
  const values = boundValues(statement, bindings, dialect.bindIds([]));
  const { text, offset } = pageText(single, bindings, dialect.placeholder(statement.parameters.length + 1));
  if (offset !== undefined) values.push(offset);

  const parts: Row[][] = single.parts.map(() => []);
  const shared = single.parts.map(({ isLinked }) => (isLinked ? new Map<unknown, Row>() : undefined));
  await connection.each(text, values, (row) => {
    const number = Number(row[0]);
    if (number > 0) budget.countRow();
    parts[number]?.push(sharedRow(readRow(row, readers[number] ?? [], budget), shared[number]));
  });
  const [totals, page] = parts;
  const counted = totals?.[0]?.[0] ?? undefined;
  const known = counted === undefined ? bindings.total : Number(counted);
  return { parts, total: totalOfPage(page?.length ?? 0, bindings.pagination, known) };
}

type ReadText = (text: string) => unknown;

/** Made once for a statement, since it runs many times. */
const readersOf = oncePer(({ readText }: SingleStatementReads) =>
  oncePer(({ parts }: SingleStatement): readonly (readonly ReadText[])[] => parts.map(({ types }) => types.map((type) => readText(type)))),
);

/** Reads the columns of a row, which come after the number of its part. */
function readRow(row: Row, readers: readonly ReadText[], budget: ReadBudget): Row {
  let length = 0;
  const read = readers.map((readText, index) => {
    const text = row[index + 1];
    if (typeof text !== 'string') return null;
    length += text.length;
    return readText(text);
  });
  budget.receive(length);
  return read;
}

/** A row that several parents share arrives once for each of them. In memory they share it. */
function sharedRow(row: Row, byId: Map<unknown, Row> | undefined): Row {
  if (byId === undefined) return row;
  const [parent, id] = row;
  const known = byId.get(id);
  if (known !== undefined) return [parent, ...known.slice(1)];
  byId.set(id, row);
  return row;
}

/** Texts with a page: with the same text, PostgreSQL uses the prepared statement. */
const textsOf = oncePer((_: SingleStatement) => new Map<string, string>());
/** The maximum number of texts of one statement that are cached. */
const cachedTexts = 20;

/** Inserts the page into the text of the statement. The size is a number in the text; the offset is
 *  a further parameter, if there is one. */
export function pageText(
  single: SingleStatement,
  { pagination }: Bindings,
  offsetPlaceholder: string,
): { text: string; offset: number | undefined } {
  const { pageAt } = single;
  const { text } = single.statement;
  if (pageAt === undefined || pagination.kind === 'none') return { text, offset: undefined };
  const { limit, offset } = pagination;
  const clause = offset === 0 ? ` LIMIT ${limit}` : ` LIMIT ${limit} OFFSET ${offsetPlaceholder}::bigint`;
  const texts = textsOf(single);
  const paged = texts.get(clause) ?? text.slice(0, pageAt) + clause + text.slice(pageAt);
  if (texts.size < cachedTexts) texts.set(clause, paged);
  return { text: paged, offset: offset === 0 ? undefined : offset };
}
