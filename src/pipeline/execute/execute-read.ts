/** The fifth stage: runs the statements of a plan on one connection. One statement a path, whatever the number of rows. */
import { performance } from 'node:perf_hooks';
import type { Connection, Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { CompiledLink, CompiledRead, Shape, Statement } from '../compile/types.ts';
import type { Unlisted } from '../unlisted-components.ts';
import { costOfId, type ListMemo, longestList } from './list-memo.ts';
import type { LinkRows, ReadRows, Reference } from './types.ts';

export interface Execution {
  readonly connection: Connection;
  readonly bindIds: (ids: readonly number[]) => unknown;
  /** What is known of lists; undefined where the engine cannot tell whether data has changed. */
  readonly memo: ListMemo | undefined;
  /** `limits.rows` */
  readonly rowLimit: number;
}

export interface Executed {
  readonly rows: ReadRows;
  readonly statements: number;
  /** What the plan has no branch for, though it should; undefined in nearly every read. */
  readonly unlisted: readonly Unlisted[] | undefined;
}

export async function executeRead(read: CompiledRead, key: string | number | undefined, execution: Execution): Promise<Executed> {
  const run = new Run(key, execution);
  return { rows: await run.read(read), statements: run.statements, unlisted: run.unlisted };
}

const noRows: readonly Row[] = [];

class Run {
  statements = 0;
  #rows = 0;
  readonly #unlisted: Unlisted[] = [];
  readonly #key: string | number | undefined;
  readonly #execution: Execution;

  constructor(key: string | number | undefined, execution: Execution) {
    this.#key = key;
    this.#execution = execution;
  }

  get unlisted(): readonly Unlisted[] | undefined {
    return this.#unlisted.length === 0 ? undefined : this.#unlisted;
  }

  async read(read: CompiledRead): Promise<ReadRows> {
    const { rows, total } = await this.#page(read);
    return { rows, total, links: await this.#links(read.shape, rows) };
  }

  async #page(read: CompiledRead): Promise<{ rows: readonly Row[]; total: number | undefined }> {
    const { memo } = this.#execution;
    const { count, list } = read;
    if (count === undefined) return { rows: await this.#query(read.rows, noIds), total: undefined };
    if (memo === undefined || list === undefined) return { rows: await this.#query(read.rows, noIds), total: await this.#count(count) };

    memo.refresh();
    const key = memoKey(list.ids);
    const known = memo.get(key);
    if (known?.ids !== undefined)
      return { rows: await this.#rowsOf(pageOf(known.ids, read.pagination), list.rowsOfIds, read.shape), total: known.total };
    if (known !== undefined && known.total <= longestList && known.spent >= known.total * costOfId) {
      const ids = Float64Array.from(await this.#query(list.ids, noIds), ([id]) => Number(id));
      memo.set(key, { ...known, ids });
      return { rows: await this.#rowsOf(pageOf(ids, read.pagination), list.rowsOfIds, read.shape), total: ids.length };
    }
    const start = performance.now();
    const rows = await this.#query(read.rows, noIds);
    const spent = (known?.spent ?? 0) + performance.now() - start;
    const total = known?.total ?? (await this.#count(count));
    memo.set(key, { total, spent, ids: undefined });
    return { rows, total };
  }

  /** In the order of the ids. */
  async #rowsOf(ids: readonly number[], statement: Statement, shape: Shape): Promise<readonly Row[]> {
    if (ids.length === 0) return noRows;
    const byId = new Map<number, Row>();
    for (const row of await this.#query(statement, ids)) byId.set(Number(row[shape.id]), row);
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : [row];
    });
  }

  async #query(statement: Statement, ids: readonly number[]): Promise<readonly Row[]> {
    this.statements++;
    const answer = this.#execution.connection.query(statement.text, this.#values(statement, ids));
    // A synchronous engine answers at once, and a promise for each statement would cost more than some of the statements.
    const rows = Array.isArray(answer) ? answer : await answer;
    this.#rows += rows.length;
    return rows;
  }

  #values(statement: Statement, ids: readonly number[]): unknown[] {
    return statement.parameters.map((parameter) => {
      if (parameter.kind === 'value') return parameter.value;
      return parameter.kind === 'ids' ? this.#execution.bindIds(ids) : this.#key;
    });
  }

  async #count(statement: Statement): Promise<number> {
    return Number((await this.#query(statement, noIds))[0]?.[0] ?? 0);
  }

  async #links(shape: Shape, rows: readonly Row[]): Promise<LinkRows[]> {
    if (shape.links.length === 0) return [];
    const parents = distinct(rows, shape.id);
    const links: LinkRows[] = [];
    for (const link of shape.links) links.push(await this.#link(link, parents));
    return links;
  }

  async #link(link: CompiledLink, parents: readonly number[]): Promise<LinkRows> {
    const { rowLimit } = this.#execution;
    if (this.#rows > rowLimit) throw ApiError.of('limit.rows', { limit: rowLimit });
    switch (link.kind) {
      case 'count': {
        const rows = parents.length === 0 ? noRows : await this.#query(link.statement, parents);
        return { kind: 'count', byParent: new Map(rows.map(([parent, count]) => [Number(parent), Number(count)])) };
      }
      case 'rows': {
        const rows = parents.length === 0 ? noRows : await this.#query(link.statement, parents);
        return { kind: 'rows', byParent: grouped(rows, (row) => row), links: await this.#links(link.shape, rows) };
      }
      case 'polymorphic': {
        const rows = parents.length === 0 ? noRows : await this.#query(link.references, parents);
        const references = grouped(rows, ([, id, type]): Reference => ({ id: Number(id), type: String(type) }));
        const idsByType = new Map<string, Set<number>>();
        for (const [, id, type] of rows) {
          const ids = idsByType.get(String(type)) ?? new Set();
          ids.add(Number(id));
          idsByType.set(String(type), ids);
        }
        const branches = new Map<string, { byId: Map<number, Row>; links: readonly LinkRows[] }>();
        for (const [type, ids] of idsByType) {
          const branch = link.branches.get(type);
          if (branch === undefined) {
            if (link.zone !== undefined) this.#unlisted.push({ zone: link.zone, component: type });
            continue;
          }
          const found = await this.#query(branch.statement, [...ids]);
          const byId = new Map(found.map((row) => [Number(row[branch.shape.id]), row]));
          branches.set(type, { byId, links: await this.#links(branch.shape, found) });
        }
        return { kind: 'polymorphic', references, branches };
      }
    }
  }
}

const noIds: readonly number[] = [];

function distinct(rows: readonly Row[], index: number): number[] {
  const ids = new Set<number>();
  for (const row of rows) ids.add(Number(row[index]));
  return [...ids];
}

/** By the parent's id, which is the first column. */
function grouped<T>(rows: readonly Row[], make: (row: Row) => T): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const parent = Number(row[0]);
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [make(row)]);
    else group.push(make(row));
  }
  return groups;
}

/** The statement and its values: the same list has the same key on every page. */
const memoKeys = new WeakMap<Statement, string>();
function memoKey(statement: Statement): string {
  let key = memoKeys.get(statement);
  if (key === undefined) {
    const values = statement.parameters.map((parameter) =>
      parameter.kind === 'value' ? [typeof parameter.value, String(parameter.value)] : parameter.kind,
    );
    key = JSON.stringify([statement.text, values]);
    memoKeys.set(statement, key);
  }
  return key;
}

function pageOf(ids: Float64Array, pagination: CompiledRead['pagination']): number[] {
  if (pagination.kind === 'none') return [...ids];
  return [...ids.subarray(pagination.offset, pagination.offset + pagination.limit)];
}
