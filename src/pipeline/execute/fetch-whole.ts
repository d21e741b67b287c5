/** Runs the statement of a read that is one statement, and divides its rows into their parts. */
import type { ColumnType, Row, WholeReads } from '../../dialects/dialect.ts';
import type { Bindings, WholeStatement } from '../compile/types.ts';
import { boundValues } from './bound-values.ts';
import { HeldPage } from './held-page.ts';
import { totalOfPage } from './list-cache.ts';
import type { ReadBudget } from './read-budget.ts';
import type { Execution, FoundInMemory } from './types.ts';

export interface FetchedParts {
  /** The rows of each part; the columns have the types that `Dialect.select` describes. */
  readonly parts: readonly (readonly Row[])[];
  /** The version of the data; undefined if the engine cannot tell. */
  readonly version: string | undefined;
  readonly total: number | undefined;
  /** Set if the page was found among held values. `searchTime`: milliseconds that the database takes to search the list. */
  readonly held: (FoundInMemory & { readonly searchTime: number }) | undefined;
  /** The number of statements that were run. */
  readonly statements: number;
}

/** Throws an `ApiError` when the rows exceed the budget, while they are read. */
export async function fetchWhole(whole: WholeStatement, bindings: Bindings, execution: Execution): Promise<FetchedParts> {
  const { connection, budget, pages, listVersion, snapshot } = execution;
  const { dialect } = connection;
  if (dialect.wholeReads === undefined) throw new Error(`${dialect.name} does not read all parts at once`);
  const readers = readersOf(whole, dialect.wholeReads);
  const { statement } = whole;
  const isPage = whole.pageAt !== undefined && pages !== undefined;
  const key = isPage ? pages.keyOf(statement, bindings) : '';
  const search = isPage && whole.tested !== undefined ? new HeldPage(whole.tested, bindings, execution, pages.held) : undefined;
  const remembered = isPage ? pages.get(key) : undefined;
  const known = search === undefined ? remembered : await search.page(remembered);
  const isSameList = known !== undefined && listVersion !== undefined && known.listVersion === listVersion;
  const expected = isSameList && snapshot !== undefined ? snapshot : known?.version;
  const values = boundValues(statement, bindings, {
    'known version': expected ?? '',
    'known ids': dialect.bindIds(known?.ids ?? []),
  });
  const { text, offset } = pageText(whole, bindings, dialect.placeholder(statement.parameters.length + 1));
  if (offset !== undefined) values.push(offset);

  const parts: Row[][] = whole.parts.map(() => []);
  const shared = whole.parts.map(({ isLinked }) => (isLinked ? new Map<unknown, Row>() : undefined));
  await connection.each(text, values, (row) => {
    const number = Number(row[0]);
    if (number > 0) budget.countRow();
    parts[number]?.push(sharedRow(readRow(row, readers[number] ?? [], budget), shared[number]));
  });
  const [state, page] = parts;
  const version = state?.[0]?.[0] ?? undefined;
  const counted = state?.[0]?.[1] ?? undefined;
  const isKnown = known !== undefined && version === expected;
  const total = counted === undefined ? (isKnown ? known.total : totalOfPage(page?.length ?? 0, bindings.pagination)) : Number(counted);
  if (isPage) pages.lookups.note(isKnown);
  if (isPage && typeof version === 'string' && (version !== known?.version || listVersion !== known.listVersion)) {
    pages.set(key, { version, listVersion, total, ids: (page ?? []).map(([id]) => Number(id)) });
  }
  const searchTime = search?.end(isKnown);
  const held = search === undefined || searchTime === undefined ? undefined : { searchTime, readTime: search.readTime };
  return {
    parts,
    version: typeof version === 'string' ? version : undefined,
    total,
    held,
    statements: 1 + (search?.statements ?? 0),
  };
}

type ReadText = (text: string) => unknown;

/** Made once for a statement, since it runs many times. */
const readersOfStatements = new WeakMap<WholeStatement, readonly (readonly ReadText[])[]>();
function readersOf(whole: WholeStatement, { readText }: WholeReads): readonly (readonly ReadText[])[] {
  let readers = readersOfStatements.get(whole);
  if (readers === undefined) {
    readers = whole.parts.map(({ types }) => types.map((type: ColumnType) => readText(type)));
    readersOfStatements.set(whole, readers);
  }
  return readers;
}

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

/** A row that several parents share arrives once for each of them. In memory they share its values. */
function sharedRow(row: Row, byId: Map<unknown, Row> | undefined): Row {
  if (byId === undefined) return row;
  const [parent, id] = row;
  const known = byId.get(id);
  if (known !== undefined) return [parent, ...known.slice(1)];
  byId.set(id, row);
  return row;
}

/** Texts with a page, by the size of the page: with the same text, PostgreSQL uses the prepared statement. */
const textsOfStatements = new WeakMap<WholeStatement, Map<string, string>>();
/** The most texts of one statement that are cached. */
const cachedTexts = 20;

/** Inserts the page into the text of the statement. The size is a number in the text; the offset is a further parameter, if there is one. */
export function pageText(
  whole: WholeStatement,
  { pagination }: Bindings,
  offsetPlaceholder: string,
): { text: string; offset: number | undefined } {
  const { pageAt } = whole;
  const { text } = whole.statement;
  if (pageAt === undefined || pagination.kind === 'none') return { text, offset: undefined };
  const { limit, offset } = pagination;
  const clause = offset === 0 ? ` LIMIT ${limit}` : ` LIMIT ${limit} OFFSET ${offsetPlaceholder}::bigint`;
  const texts = textsOfStatements.get(whole) ?? new Map<string, string>();
  textsOfStatements.set(whole, texts);
  const paged = texts.get(clause) ?? text.slice(0, pageAt) + clause + text.slice(pageAt);
  if (texts.size < cachedTexts) texts.set(clause, paged);
  return { text: paged, offset: offset === 0 ? undefined : offset };
}
