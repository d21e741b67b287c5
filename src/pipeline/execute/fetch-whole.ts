/** Runs the statement of a read that is one statement, and divides its rows into their parts. */
import type { ColumnType, Row, WholeReads } from '../../dialects/dialect.ts';
import type { Bindings, WholeStatement } from '../compile/types.ts';
import { boundValues } from './bound-values.ts';
import { HeldPage } from './held-page.ts';
import type { KnownPage } from './known-pages.ts';
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

/** What is known of a page before its rows are read. */
export interface ExpectedPage {
  readonly key: string;
  /** Undefined if nothing is known of the page. */
  readonly page: KnownPage | undefined;
  /** The version of the data for which the page is right. */
  readonly version: string | undefined;
  /** Undefined if the list is not searched in held values. */
  readonly search: HeldPage | undefined;
}

/** Returns what is known of the page that a statement selects; undefined if it selects no page, or if the reader remembers no pages. */
export async function expectedPage(whole: WholeStatement, bindings: Bindings, execution: Execution): Promise<ExpectedPage | undefined> {
  const { pages, listVersion, snapshot } = execution;
  if (whole.pageAt === undefined || pages === undefined) return undefined;
  const key = pages.keyOf(whole.statement, bindings);
  const search = whole.tested === undefined ? undefined : new HeldPage(whole.tested, bindings, execution, pages.held);
  const remembered = pages.get(key);
  const page = search === undefined ? remembered : await search.page(remembered);
  const isSameList = page !== undefined && listVersion !== undefined && page.listVersion === listVersion;
  return { key, page, version: isSameList && snapshot !== undefined ? snapshot : page?.version, search };
}

/** Returns what is reported of a page that was found among held values. `isKnown`: the page was right for the version that was read. */
export function heldPart({ search }: ExpectedPage, isKnown: boolean): FetchedParts['held'] {
  const searchTime = search?.end(isKnown);
  return search === undefined || searchTime === undefined ? undefined : { searchTime, readTime: search.readTime };
}

/** Throws an `ApiError` when the rows exceed the budget, while they are read. */
export async function fetchWhole(
  whole: WholeStatement,
  bindings: Bindings,
  { connection, budget, pages, listVersion }: Execution,
  expected: ExpectedPage | undefined,
): Promise<FetchedParts> {
  const { dialect } = connection;
  if (dialect.wholeReads === undefined) throw new Error(`${dialect.name} does not read all parts at once`);
  const readers = readersOf(whole, dialect.wholeReads);
  const { statement } = whole;
  const known = expected?.page;
  const values = boundValues(statement, bindings, {
    'known version': expected?.version ?? '',
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
  const isKnown = known !== undefined && version === expected?.version;
  const total = counted === undefined ? (isKnown ? known.total : totalOfPage(page?.length ?? 0, bindings.pagination)) : Number(counted);
  if (expected !== undefined && pages !== undefined) {
    pages.lookups.note(isKnown);
    if (typeof version === 'string' && (version !== known?.version || listVersion !== known.listVersion))
      pages.set(expected.key, { version, listVersion, total, ids: (page ?? []).map(([id]) => Number(id)) });
  }
  return {
    parts,
    version: typeof version === 'string' ? version : undefined,
    total,
    held: expected === undefined ? undefined : heldPart(expected, isKnown),
    statements: 1 + (expected?.search?.statements ?? 0),
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
