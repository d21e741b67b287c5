/** The fifth stage: runs the statements of a plan on one connection, one for each path, whatever the number of rows. */
import { performance } from 'node:perf_hooks';
import type { Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Bindings, CompiledLink, CompiledRead, RootStatements, RowsFrom, Shape, WholeStatement } from '../compile/types.ts';
import type { Unlisted } from '../unlisted-components.ts';
import { boundValues, listKey } from './bound-values.ts';
import { type ExpectedPage, expectedPage, fetchWhole, heldPart } from './fetch-whole.ts';
import { type FoundRow, foundRow } from './found-row.ts';
import { costOfId, longestList, pageOf, totalOfPage } from './list-cache.ts';
import type { ListState } from './list-state.ts';
import { orderLinks } from './order-links.ts';
import { sizeOf } from './read-budget.ts';
import type { StatementRows } from './row-cache.ts';
import { searchHeld } from './search-held.ts';
import type { Execution, FoundInMemory, LinkRows, Links, ReadRows, Reference } from './types.ts';

export interface Executed {
  readonly rows: ReadRows;
  readonly statements: number;
  /** Milliseconds that the list took without the cache, if its total or its ids came from there; otherwise 0. */
  readonly saved: number;
  /** The list is right if its tables have `listVersion`. */
  readonly isListAssumed: boolean;
  /** Set if the list was found among values that are held in memory. `saved` is what the database takes to search it. */
  readonly held: FoundInMemory | undefined;
  /** Components for which the plan lacks a branch; undefined in nearly every read. */
  readonly unlisted: readonly Unlisted[] | undefined;
  /** The version of the data that the rows were read from (`WholeReads.version`), if the engine tells it. */
  readonly dataVersion: string | undefined;
}

/** Runs the statements of a compiled read.
 *
 *  `tags?fields=name` gives `{rows: [[1, 'abc', 'Bread'], …], total: 12, links: {found: [], order: []}}` and `statements: 2`. Throws an `ApiError` when the
 *  rows exceed the budget. */
export async function executeRead(read: CompiledRead, bindings: Bindings, execution: Execution): Promise<Executed> {
  const run = new Run(read, bindings, execution);
  return {
    rows: await run.read(),
    statements: run.statements,
    saved: run.saved,
    isListAssumed: run.isListAssumed,
    held: run.held,
    unlisted: run.unlisted,
    dataVersion: run.dataVersion,
  };
}

const noRows: readonly FoundRow[] = [];

class Run {
  statements = 0;
  saved = 0;
  isListAssumed = false;
  held: FoundInMemory | undefined;
  dataVersion: string | undefined;
  /** The rows of all paths, if they were read by one statement. */
  #parts: readonly (readonly Row[])[] | undefined;
  /** For a read by one statement: the version whose cached rows it uses and adds to; undefined if it does not use the row cache. */
  #cachedVersion: string | undefined;
  readonly #unlisted: Unlisted[] = [];
  #state: ListState | undefined;
  readonly #read: CompiledRead;
  readonly #bindings: Bindings;
  readonly #execution: Execution;

  constructor(read: CompiledRead, bindings: Bindings, execution: Execution) {
    this.#read = read;
    this.#bindings = bindings;
    this.#execution = execution;
  }

  get unlisted(): readonly Unlisted[] | undefined {
    return this.#unlisted.length === 0 ? undefined : this.#unlisted;
  }

  async read(): Promise<ReadRows> {
    const { shape, statements } = this.#read;
    return statements.kind === 'whole' ? this.#whole(statements, shape) : this.#linked(await this.#separatePage(statements, shape), shape);
  }

  async #linked({ rows, total }: Page, shape: Shape): Promise<ReadRows> {
    const links = await this.#links(shape, rows);
    orderLinks(shape, links);
    return { rows, total, links };
  }

  async #whole(whole: WholeStatement, shape: Shape): Promise<ReadRows> {
    const expected = await expectedPage(whole, this.#bindings, this.#execution);
    const cached = await this.#cachedPage(expected, shape);
    if (cached !== undefined) return cached;
    const fetched = await fetchWhole(whole, this.#bindings, this.#execution, expected);
    this.statements += fetched.statements;
    this.dataVersion = fetched.version;
    this.#noteHeld(fetched.held);
    this.#parts = fetched.parts;
    this.#cachedVersion = this.#lastingVersion(expected, fetched.version);
    const rows = await this.#rows(rootPart, noIds, shape);
    const cache = this.#cached(rootPart, shape);
    const sameRows = cache === undefined ? rows : rows.map((row) => cache.same(row));
    return this.#linked({ rows: sameRows, total: fetched.total }, shape);
  }

  /** Returns the version of the rows just read if they are to be cached. */
  #lastingVersion(expected: ExpectedPage | undefined, version: string | undefined): string | undefined {
    const { rowCache } = this.#execution;
    // A page that is not known may never be asked for again.
    if (rowCache === undefined || expected?.page === undefined || version === undefined || !hasRowsOnly(this.#read.shape)) return undefined;
    return rowCache.isLasting(version) ? version : undefined;
  }

  /** Returns the page if all of its rows are cached and the data still has their version. */
  async #cachedPage(expected: ExpectedPage | undefined, shape: Shape): Promise<ReadRows | undefined> {
    const { rowCache, currentVersion, budget, pages } = this.#execution;
    const { page, version } = expected ?? {};
    if (expected === undefined || page === undefined || version === undefined) return undefined;
    if (rowCache?.has(version) !== true || currentVersion === undefined || !hasRowsOnly(shape)) return undefined;
    this.#cachedVersion = version;
    try {
      const found = await this.#linked({ rows: await this.#rowsOf(page.ids, rootPart, shape), total: page.total }, shape);
      if ((await currentVersion()) === version) {
        pages?.lookups.note(true);
        this.statements += expected.search?.statements ?? 0;
        this.dataVersion = version;
        this.#noteHeld(heldPart(expected, true));
        return found;
      }
    } catch (error) {
      // A page that exceeds the budget may be out of date.
      if (error !== notCached && !(error instanceof ApiError)) throw error;
    }
    this.#cachedVersion = undefined;
    budget.restart();
    return undefined;
  }

  #noteHeld(held: (FoundInMemory & { readonly searchTime: number }) | undefined): void {
    this.saved = held?.searchTime ?? 0;
    this.held = held;
  }

  async #separatePage({ rows: selected, count, pageAndTotal, list }: RootStatements, shape: Shape): Promise<Page> {
    const { lists } = this.#execution;
    const { pagination } = this.#bindings;
    if (count === undefined) return { rows: await this.#rows(selected, noIds, shape), total: undefined };
    if (lists === undefined || list === undefined) {
      const rows = await this.#rows(selected, noIds, shape);
      return { rows, total: totalOfPage(rows.length, pagination) ?? (await this.#count(count)) };
    }

    const state = this.#stateOf(lists);
    const key = listKey(list.ids, this.#bindings);
    const known = lists.get(key, state);
    this.saved = known?.cost ?? 0;
    this.isListAssumed = known !== undefined && known.state.seen !== state.seen;
    if (known?.ids !== undefined) {
      known.uses++;
      return { rows: await this.#rowsOf(pageOf(known.ids, pagination), list.rowsOfIds, shape), total: known.total };
    }
    const found =
      list.tested === undefined
        ? undefined
        : await searchHeld(list.tested, this.#bindings, {
            lists: lists.held,
            state,
            stateOf: () => state,
            mostCharacters: Number.POSITIVE_INFINITY,
            query: (each) => this.#query(each, noIds),
          });
    if (found !== undefined) {
      const { ids } = found;
      this.held = { readTime: found.readTime };
      const saved = lists.held.noteUse(found.key, found.time);
      this.saved = saved;
      this.isListAssumed = found.state.seen !== state.seen;
      lists.set(key, { state: found.state, total: ids.length, cost: saved, spent: 0, ids, uses: 0 });
      return { rows: await this.#rowsOf(pageOf(ids, pagination), list.rowsOfIds, shape), total: ids.length };
    }
    const repeated = known === undefined ? lists.usedBefore(key) : known.spent >= known.total * costOfId ? known : undefined;
    if (repeated !== undefined && repeated.total <= longestList) {
      const ids = Float64Array.from(await this.#query(list.ids, noIds), ([id]) => Number(id));
      lists.set(key, { ...repeated, state: known?.state ?? state, total: ids.length, ids, uses: 0 });
      return { rows: await this.#rowsOf(pageOf(ids, pagination), list.rowsOfIds, shape), total: ids.length };
    }
    const start = performance.now();
    if (known === undefined && pageAndTotal !== undefined) {
      const ids = (await this.#query(pageAndTotal, noIds)).map(([id]) => Number(id));
      const total = ids.pop() ?? 0;
      const spent = performance.now() - start;
      if (list.tested !== undefined) lists.held.noteSearch(listKey(list.tested.name, this.#bindings), spent, list.tested.mayUseIndex);
      lists.set(key, { state, total, cost: spent, spent, ids: ids.length === total ? Float64Array.from(ids) : undefined, uses: 0 });
      return { rows: await this.#rowsOf(ids, list.rowsOfIds, shape), total };
    }
    const rows = await this.#rows(selected, noIds, shape);
    const spent = (known?.spent ?? 0) + performance.now() - start;
    const total = known?.total ?? totalOfPage(rows.length, pagination) ?? (await this.#count(count));
    lists.set(key, { state: known?.state ?? state, total, cost: known?.cost ?? performance.now() - start, spent, ids: undefined, uses: 0 });
    return { rows, total };
  }

  /** Returns the rows in the order of the ids. */
  async #rowsOf(ids: readonly number[], from: RowsFrom, shape: Shape): Promise<readonly FoundRow[]> {
    if (ids.length === 0) return noRows;
    const cached = this.#cached(from, shape);
    const byId = new Map<number, FoundRow>();
    const missing: number[] = [];
    for (const id of ids) {
      const row = cached?.row(id);
      if (row === undefined) missing.push(id);
      else if (row !== null) byId.set(id, this.#counted(row));
    }
    if (missing.length > 0) {
      for (const row of await this.#rows(from, missing, shape)) byId.set(row.id, row);
      if (cached !== undefined) for (const id of missing) cached.addRow(id, byId.get(id) ?? null);
    }
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : [row];
    });
  }

  /** The cached rows of a path. */
  #cached(from: RowsFrom, shape: Shape): StatementRows | undefined {
    const { rowCache, lists } = this.#execution;
    const { envelope, statements, withIsUrlSigned } = this.#read;
    // `isUrlSigned` is written from the values of a row.
    if (rowCache === undefined || withIsUrlSigned) return undefined;
    const statement = typeof from !== 'number' ? from : statements.kind === 'whole' ? statements.partNames[from] : undefined;
    const seen = typeof from === 'number' ? this.#cachedVersion : lists && this.#stateOf(lists).seen;
    if (statement === undefined || seen === undefined) return undefined;
    // Another read has seen a newer version meanwhile, whose rows must stay.
    if (typeof from === 'number' && this.#parts === undefined && !rowCache.has(seen)) return undefined;
    return rowCache.of(statement, shape, { bindings: this.#bindings, isV4: envelope === 'v4', seen });
  }

  #stateOf(lists: NonNullable<Execution['lists']>): ListState {
    this.#state ??= lists.state(this.#execution.listVersion);
    return this.#state;
  }

  /** A row that was not read counts as one that was. */
  #counted(row: FoundRow): FoundRow {
    const { budget } = this.#execution;
    budget.countRow();
    budget.spend(row.size);
    return row;
  }

  /** Runs a statement for a total or for the ids of a list. These do not count towards the budget; the cache has its own limits. */
  async #query(statement: Statement, ids: readonly number[]): Promise<readonly Row[]> {
    this.statements++;
    const rows = this.#execution.connection.query(statement.text, this.#values(statement, ids));
    // A synchronous engine returns rows. Awaiting them would cost more than some of the statements.
    return Array.isArray(rows) ? rows : await rows;
  }

  /** Passes on rows of the response and counts them while they are read. Returns a promise if the engine reads asynchronously. */
  #each(rows: RowsFrom, ids: readonly number[], take: (row: Row) => void): void | Promise<void> {
    if (typeof rows === 'number') {
      if (this.#parts === undefined) throw notCached;
      for (const row of this.#parts[rows] ?? []) take(row);
      return;
    }
    this.statements++;
    const { connection, budget } = this.#execution;
    return connection.each(rows.text, this.#values(rows, ids), (row) => {
      budget.countRow();
      take(row);
    });
  }

  async #rows(from: RowsFrom, ids: readonly number[], shape: Shape): Promise<readonly FoundRow[]> {
    const rows: FoundRow[] = [];
    const { budget } = this.#execution;
    const sizeOfRow = sizeOf(shape);
    const done = this.#each(from, ids, (row) => {
      const size = sizeOfRow(row);
      budget.spend(size);
      rows.push(foundRow(Number(row[shape.id]), row, size));
    });
    if (done !== undefined) await done;
    return rows;
  }

  #values(statement: Statement, ids: readonly number[]): unknown[] {
    return boundValues(statement, this.#bindings, { ids: this.#execution.connection.dialect.bindIds(ids) });
  }

  async #count(statement: Statement): Promise<number> {
    return Number((await this.#query(statement, noIds))[0]?.[0] ?? 0);
  }

  #links(shape: Shape, rows: Iterable<FoundRow>): Links | Promise<Links> {
    return shape.links.length === 0 ? noLinks : this.#someLinks(shape, rows);
  }

  async #someLinks(shape: Shape, rows: Iterable<FoundRow>): Promise<Links> {
    const parents = distinct(rows);
    const found: LinkRows[] = [];
    for (const link of shape.links) found.push(await this.#link(link, parents));
    return { found, order: [] };
  }

  async #link(link: CompiledLink, parents: readonly number[]): Promise<LinkRows> {
    switch (link.kind) {
      case 'count': {
        const byParent = new Map<number, number>();
        if (parents.length > 0) {
          const done = this.#each(link.rows, parents, ([parent, count]) => void byParent.set(Number(parent), Number(count)));
          if (done !== undefined) await done;
        }
        return { kind: 'count', byParent };
      }
      case 'rows':
        return this.#related(link, parents);
      case 'polymorphic':
        return this.#polymorphic(link, parents);
    }
  }

  async #related({ rows, shape, cardinality }: LinkOf<'rows'>, parents: readonly number[]): Promise<LinkRows> {
    const byParent = new Map<number, readonly FoundRow[]>();
    const byId = new Map<number, FoundRow>();
    let isShared = false;
    const { budget } = this.#execution;
    const sizeOfRow = sizeOf(shape);
    const cached = isOrderedAlone(shape) ? this.#cached(rows, shape) : undefined;
    /** In memory, parents share a row. */
    const sharedRow = (id: number, make: () => FoundRow): FoundRow => {
      const known = byId.get(id);
      if (known !== undefined) {
        isShared = true;
        return known;
      }
      const row = make();
      byId.set(id, row);
      return row;
    };
    const counted = (row: FoundRow) => this.#counted(sharedRow(row.id, () => row));
    const missing: number[] = [];
    /** Whether the statement of all paths has read these rows. */
    const isRead = typeof rows === 'number' && this.#parts !== undefined;
    for (const parent of parents) {
      const group = isRead ? undefined : cached?.group(parent);
      if (group === undefined) missing.push(parent);
      else if (group.length > 0) byParent.set(parent, group.map(counted));
    }
    if (missing.length > 0) {
      const groups = new Map<number, FoundRow[]>();
      const done = this.#each(rows, missing, (row) => {
        const parent = Number(row[0]);
        const group = groups.get(parent);
        // If a relation to one has several rows, the first is shown.
        if (cardinality === 'one' && group !== undefined) return;
        // A row is written below each of its parents, so it counts for each.
        const size = sizeOfRow(row);
        budget.spend(size);
        const id = Number(row[shape.id]);
        const found = sharedRow(id, () => cached?.row(id) ?? foundRow(id, row, size));
        if (group === undefined) groups.set(parent, [found]);
        else group.push(found);
      });
      if (done !== undefined) await done;
      for (const [parent, group] of groups) byParent.set(parent, group);
      if (cached !== undefined)
        for (const parent of missing) if (cached.group(parent) === undefined) cached.addGroup(parent, groups.get(parent) ?? noRows);
    }
    const links = this.#links(shape, byId.values());
    return { kind: 'rows', byParent, isShared, links: links instanceof Promise ? await links : links };
  }

  async #polymorphic(link: LinkOf<'polymorphic'>, parents: readonly number[]): Promise<LinkRows> {
    const references = new Map<number, Reference[]>();
    const idsByType = new Map<string, Set<number>>();
    if (parents.length > 0) {
      const done = this.#each(link.references, parents, ([parent, target, targetType]) => {
        const reference = { id: Number(target), type: String(targetType) };
        addTo(references, Number(parent), reference);
        const ids = idsByType.get(reference.type);
        if (ids === undefined) idsByType.set(reference.type, new Set([reference.id]));
        else ids.add(reference.id);
      });
      if (done !== undefined) await done;
    }
    const branches = new Map<string, { byId: Map<number, FoundRow>; links: Links }>();
    for (const [type, ids] of idsByType) {
      const branch = link.branches.get(type);
      if (branch === undefined) {
        if (link.zone !== undefined) this.#unlisted.push({ zone: link.zone, component: type });
        continue;
      }
      const { rows } = branch;
      const found = await (typeof rows === 'number' ? this.#rows(rows, noIds, branch.shape) : this.#rowsOf([...ids], rows, branch.shape));
      const byId = new Map(found.map((row) => [row.id, row]));
      branches.set(type, { byId, links: await this.#links(branch.shape, found) });
    }
    return { kind: 'polymorphic', references, branches };
  }
}

type LinkOf<K extends CompiledLink['kind']> = Extract<CompiledLink, { readonly kind: K }>;

interface Page {
  readonly rows: readonly FoundRow[];
  readonly total: number | undefined;
}

/** Thrown when a row is not cached. `#cachedPage` catches it. */
const notCached = new Error('a row is not cached');

/** The part of the requested rows. */
const rootPart = 1;
const noLinks: Links = { found: [], order: [] };
const noIds: readonly number[] = [];

function distinct(rows: Iterable<FoundRow>): number[] {
  const ids = new Set<number>();
  for (const { id } of rows) ids.add(id);
  return [...ids];
}

/** Whether the order of the rows of different parents decides nothing. It decides the order of types, and so that of attributes (`order-links.ts`). */
const isOrderedAlone = ({ links }: Shape): boolean =>
  links.every((link) => link.kind === 'count' || (link.kind === 'rows' && isOrderedAlone(link.shape)));

/** Whether all populated attributes are rows that can be cached. */
const hasRowsOnly = ({ links }: Shape): boolean => links.every((link) => link.kind === 'rows' && hasRowsOnly(link.shape));

function addTo<T>(groups: Map<number, T[]>, key: number, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
