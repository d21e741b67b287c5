/** The fifth stage: runs the statements of a plan on one connection, one for each path,
 *  whatever the number of rows. */
import type { Row } from '../../dialects/dialect.ts';
import type { Statement } from '../../sql/statement.ts';
import type {
  Bindings,
  CompiledCursor,
  CompiledEstimate,
  CompiledLink,
  CompiledRead,
  RootStatements,
  RowsFrom,
  Shape,
  SingleStatement,
} from '../compile/types.ts';
import { type Place, writeCursor } from '../cursor-token.ts';
import type { Unlisted } from '../unlisted-components.ts';
import { boundValues } from './bound-values.ts';
import { fetchParts } from './fetch-parts.ts';
import { orderLinks } from './order-links.ts';
import { sizeOf } from './read-budget.ts';
import { totalOfPage } from './total-of-page.ts';
import type { Execution, FoundRow, LinkRows, Links, ReadRows, Reference } from './types.ts';

export interface Executed {
  readonly rows: ReadRows;
  readonly statements: number;
  /** Components for which the plan lacks a branch; undefined in nearly every read. */
  readonly unlisted: readonly Unlisted[] | undefined;
}

/** Runs the statements of a compiled read.
 *
 *  `tags?fields=name` gives `{rows: [[1, 'abc', 'Bread'], …], total: 12, links: {found: [], order:
 *  []}}` and `statements: 2`. Throws an `ApiError ` when the rows exceed the budget. */
export async function executeRead(read: CompiledRead, bindings: Bindings, execution: Execution): Promise<Executed> {
  const run = new Run(read, bindings, execution);
  return { rows: await run.read(), statements: run.statements, unlisted: run.unlisted };
}

class Run {
  statements = 0;
  /** The rows of all paths, if one statement reads them. */
  #parts: readonly (readonly Row[])[] = [];
  readonly #unlisted: Unlisted[] = [];
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
    const { shape, total: counted } = this.#read;
    const statements = (this.#bindings.total === undefined ? undefined : counted?.without) ?? this.#read.statements;
    const page = statements.kind === 'single' ? await this.#single(statements, shape) : await this.#page(statements, shape);
    const { cursor } = this.#read;
    if (cursor !== undefined) return this.#byCursor(page.rows, cursor, shape);
    const { rows, total } = page;
    const links = await this.#links(shape, rows);
    orderLinks(shape, links);
    const estimated = this.#read.estimate && (await this.#estimated(rows.length, total, this.#read.estimate));
    return estimated === undefined ? { rows, total, links } : { rows, total: estimated, links, isEstimate: true };
  }

  async #single(single: SingleStatement, shape: Shape): Promise<Page> {
    this.statements++;
    const { parts, total } = await fetchParts(single, this.#bindings, this.#execution);
    this.#parts = parts;
    return { rows: await this.#rows(rootPart, noIds, shape), total };
  }

  async #page({ rows: selected, count, found }: RootStatements, shape: Shape): Promise<Page> {
    if (this.#read.groups !== undefined) return this.#groups(selected);
    if (found !== undefined && this.#bindings.total === undefined) {
      const ids = (await this.#query(found.pageAndTotal)).map(([id]) => Number(id));
      const total = ids.pop() ?? 0;
      return { rows: await this.#rowsOf(ids, found.rowsOfIds, shape), total };
    }
    const rows = await this.#rows(selected, noIds, shape);
    if (count === undefined) return { rows, total: undefined };
    const { pagination, total: known } = this.#bindings;
    const total = totalOfPage(rows.length, pagination, known) ?? Number((await this.#query(count))[0]?.[0] ?? 0);
    return { rows, total };
  }

  /** The page has one row more than it shows if others follow. */
  async #byCursor(found: readonly FoundRow[], { key, places }: CompiledCursor, shape: Shape): Promise<ReadRows> {
    const { pagination } = this.#bindings;
    const rows = pagination.kind === 'none' ? found : found.slice(0, pagination.limit - 1);
    const links = await this.#links(shape, rows);
    orderLinks(shape, links);
    const last = rows.length < found.length ? rows.at(-1) : undefined;
    if (last === undefined) return { rows, total: undefined, links, next: null };
    let next: string | null = null;
    const done = this.#each(places, [last.id], ([id, ...values]) => {
      if (Number(id) === last.id) next = writeCursor(key, { values: values as Place['values'], id: last.id });
    });
    if (done !== undefined) await done;
    return { rows, total: undefined, links, next };
  }

  /** Returns the estimated total; undefined if the total is exact. */
  async #estimated(rows: number, total: number | undefined, { counted, expected }: CompiledEstimate): Promise<number | undefined> {
    const { pagination } = this.#bindings;
    if (total === undefined || total <= counted || totalOfPage(rows, pagination, undefined) !== undefined) return undefined;
    const { dialect } = this.#execution.connection;
    const plan = expected && (await this.#query({ ...expected, text: dialect.explain(expected.text) }));
    const seen = pagination.kind === 'none' ? 0 : pagination.offset + rows;
    return Math.max(counted, seen, (plan && dialect.expectedRows?.(plan)) ?? 0);
  }

  /** There are few, and they have no ids. */
  async #groups(statement: Statement): Promise<Page> {
    const rows = await this.#query(statement);
    for (const _ of rows) this.#execution.budget.countRow();
    return { rows: rows.map((values, id) => ({ id, values })), total: undefined };
  }

  /** Returns the rows in the order of the ids. */
  async #rowsOf(ids: readonly number[], from: RowsFrom, shape: Shape): Promise<readonly FoundRow[]> {
    if (ids.length === 0) return [];
    const byId = new Map((await this.#rows(from, ids, shape)).map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Runs a statement for a total or for the ids of a page. The page limits the number of its rows,
   *  so they do not count towards the budget. */
  async #query(statement: Statement): Promise<readonly Row[]> {
    this.statements++;
    const rows = this.#execution.connection.query(statement.text, this.#values(statement, noIds));
    // A synchronous engine returns rows. Awaiting them would cost more than some of the statements.
    return Array.isArray(rows) ? rows : await rows;
  }

  /** Passes on rows of the response and counts them while they are read. Returns a promise if the
   *  engine reads asynchronously. */
  #each(rows: RowsFrom, ids: readonly number[], take: (row: Row) => void): void | Promise<void> {
    if (typeof rows === 'number') {
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

  /** The same for rows that are linked to parents. Without parents, there are none. */
  #below(rows: RowsFrom, parents: readonly number[], take: (row: Row) => void): void | Promise<void> {
    return parents.length === 0 ? undefined : this.#each(rows, parents, take);
  }

  async #rows(from: RowsFrom, ids: readonly number[], shape: Shape): Promise<readonly FoundRow[]> {
    const rows: FoundRow[] = [];
    const { budget } = this.#execution;
    const sizeOfRow = sizeOf(shape);
    const done = this.#each(from, ids, (row) => {
      budget.spend(sizeOfRow(row));
      rows.push({ id: Number(row[shape.id]), values: row });
    });
    if (done !== undefined) await done;
    return rows;
  }

  #values(statement: Statement, ids: readonly number[]): unknown[] {
    return boundValues(statement, this.#bindings, this.#execution.connection.dialect.bindIds(ids));
  }

  #links(shape: Shape, rows: Iterable<FoundRow>): Links | Promise<Links> {
    return shape.links.length === 0 ? noLinks : this.#someLinks(shape, rows);
  }

  async #someLinks(shape: Shape, rows: Iterable<FoundRow>): Promise<Links> {
    const parents = [...new Set([...rows].map(({ id }) => id))];
    const found: LinkRows[] = [];
    for (const link of shape.links) found.push(await this.#link(link, parents));
    return { found, order: [] };
  }

  async #link(link: CompiledLink, parents: readonly number[]): Promise<LinkRows> {
    switch (link.kind) {
      case 'count': {
        const byParent = new Map<number, number>();
        const done = this.#below(link.rows, parents, ([parent, count]) => void byParent.set(Number(parent), Number(count)));
        if (done !== undefined) await done;
        return { kind: 'count', byParent };
      }
      case 'rows':
        return this.#related(link, parents);
      case 'polymorphic':
        return this.#polymorphic(link, parents);
    }
  }

  async #related({ rows, shape, cardinality, repeats }: LinkOf<'rows'>, parents: readonly number[]): Promise<LinkRows> {
    const byParent = new Map<number, FoundRow[]>();
    const byId = new Map<number, FoundRow>();
    const pairs = new Set<string>();
    let isShared = false;
    const { budget } = this.#execution;
    const sizeOfRow = sizeOf(shape);
    const done = this.#below(rows, parents, (row) => {
      const parent = Number(row[0]);
      const group = byParent.get(parent);
      // If a relation to one has several rows, the first is shown.
      if (cardinality === 'one' && group !== undefined) return;
      const id = Number(row[shape.id]);
      if (repeats && isRepeated(pairs, `${parent} ${id}`)) return;
      // A row is written below each of its parents, so it counts for each. In memory, it is one.
      budget.spend(sizeOfRow(row));
      let found = byId.get(id);
      if (found === undefined) {
        found = { id, values: row };
        byId.set(id, found);
      } else isShared = true;
      if (group === undefined) byParent.set(parent, [found]);
      else group.push(found);
    });
    if (done !== undefined) await done;
    const links = this.#links(shape, byId.values());
    return { kind: 'rows', byParent, isShared, links: links instanceof Promise ? await links : links };
  }

  async #polymorphic(link: LinkOf<'polymorphic'>, parents: readonly number[]): Promise<LinkRows> {
    const references = new Map<number, Reference[]>();
    const idsByType = new Map<string, Set<number>>();
    const done = this.#below(link.references, parents, ([parent, target, targetType]) => {
      const reference = { id: Number(target), type: String(targetType) };
      const group = references.get(Number(parent));
      if (group === undefined) references.set(Number(parent), [reference]);
      else group.push(reference);
      const ids = idsByType.get(reference.type);
      if (ids === undefined) idsByType.set(reference.type, new Set([reference.id]));
      else ids.add(reference.id);
    });
    if (done !== undefined) await done;
    const branches = new Map<string, { byId: Map<number, FoundRow>; links: Links }>();
    for (const [type, ids] of idsByType) {
      const branch = link.branches.get(type);
      if (branch === undefined) {
        if (link.zone !== undefined) this.#unlisted.push({ zone: link.zone, component: type });
        continue;
      }
      const found = await this.#rows(branch.rows, [...ids], branch.shape);
      // The id by which a row was reached comes first.
      const byId = new Map(found.map((row) => [Number(row.values[0]), row]));
      branches.set(type, { byId, links: await this.#links(branch.shape, found) });
    }
    if ([...link.branches.values()].some(({ shape }) => shape.id > 0)) dropRepeated(references, branches);
    return { kind: 'polymorphic', references, branches };
  }
}

type FoundBranches = ReadonlyMap<string, { readonly byId: ReadonlyMap<number, FoundRow> }>;

/** Each parent has a row once, however many of its references lead there. */
function dropRepeated(references: Map<number, Reference[]>, branches: FoundBranches): void {
  for (const [parent, group] of references) {
    const rows = new Set<string>();
    const others = group.filter(({ id, type }) => {
      const row = branches.get(type)?.byId.get(id);
      return row !== undefined && !isRepeated(rows, `${type} ${row.id}`);
    });
    references.set(parent, others);
  }
}

/** Whether the set has the key, which it gets otherwise. */
function isRepeated(keys: Set<string>, key: string): boolean {
  if (keys.has(key)) return true;
  keys.add(key);
  return false;
}

type LinkOf<K extends CompiledLink['kind']> = Extract<CompiledLink, { readonly kind: K }>;

interface Page {
  readonly rows: readonly FoundRow[];
  readonly total: number | undefined;
}

/** The part of the requested rows. */
const rootPart = 1;
const noLinks: Links = { found: [], order: [] };
const noIds: readonly number[] = [];
