import { describe, expect, it } from 'vitest';
import type { Statement } from '../../sql/statement.ts';
import type { Bindings, Shape } from '../compile/types.ts';
import { foundRow } from './found-row.ts';
import { RowCache, type StatementRows } from './row-cache.ts';

const shape = (...columns: Shape['columns']): Shape => ({ id: 0, columns, links: [], component: false });
const name: Shape['columns'][number] = { key: 'name', type: 'string', index: 1, holds: undefined };
const url: Shape['columns'][number] = { key: 'url', type: 'string', index: 1, holds: 'url' };
const statement = (text: string, ...parameters: Statement['parameters']): Statement => ({ text, parameters, tables: [] });
const ofIds = { kind: 'ids' } as const;
const bindings = (...values: Bindings['values']): Bindings => ({ key: undefined, values, pagination: { kind: 'none' } });
const at = (seen: number, values = bindings(), isV4 = false) => ({ bindings: values, isV4, seen });

const cacheOf = (bytes: number, areUrlsSigned = false) => new RowCache({ bytes, areUrlsSigned });
const row = (id: number, size = 100) => foundRow(id, [id], size);
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not cached');
  return value;
}
const idsIn = (rows: StatementRows, count: number) =>
  Array.from({ length: count }, (_, id) => id).filter((id) => rows.row(id) !== undefined);

describe('RowCache', () => {
  it('is empty when the data has changed', () => {
    const cache = cacheOf(100_000);
    const tags = statement('tags', ofIds);
    present(cache.of(tags, shape(name), at(1))).addRow(7, row(7));
    expect(cache.of(tags, shape(name), at(1))?.row(7)).toMatchObject({ id: 7 });
    expect(cache.of(tags, shape(name), at(2))?.row(7)).toBeUndefined();
    expect(cache.of(tags, shape(name), at(1))?.row(7)).toBeUndefined();
  });

  it('says whether its rows are those of a state', () => {
    const cache = cacheOf(100_000);
    expect(cache.has(1)).toBe(false);
    cache.of(statement('tags', ofIds), shape(name), at(1));
    expect([cache.has(1), cache.has(2)]).toEqual([true, false]);
    cache.clear();
    expect(cache.has(1)).toBe(false);
  });

  it('has no rows after clear(), even in the same state', () => {
    const cache = cacheOf(100_000);
    const tags = statement('tags', ofIds);
    present(cache.of(tags, shape(name), at(1))).addRow(7, row(7));
    cache.clear();
    expect(cache.of(tags, shape(name), at(1))?.row(7)).toBeUndefined();
  });

  it('takes a version for lasting when two consecutive reads have seen it', () => {
    const cache = cacheOf(100_000);
    expect(['a', 'a', 'b', 'a', 'a'].map((version) => cache.isLasting(version))).toEqual([false, true, false, false, true]);
  });

  it('gives the cached row instead of an equal one', () => {
    const rows = present(cacheOf(100_000).of(statement('tags', ofIds), shape(name), at(1)));
    const [first, second] = [row(7), row(7)];
    expect([rows.same(first), rows.same(second)]).toEqual([first, first]);
    expect(rows.same(second)).toBe(first);
  });

  it('knows which rows a statement does not give', () => {
    const rows = present(cacheOf(100_000).of(statement('tags', ofIds), shape(name), at(1)));
    rows.addRow(7, null);
    expect([rows.row(7), rows.row(8)]).toEqual([null, undefined]);
  });

  it('divides rows by everything that decides them and their JSON', () => {
    const cache = cacheOf(100_000);
    const slot = { kind: 'slot', index: 0 } as const;
    const lists = [
      cache.of(statement('tags', ofIds), shape(name), at(1)),
      cache.of(statement('notes', ofIds), shape(name), at(1)),
      cache.of(statement('tags', ofIds), { ...shape(name), component: true }, at(1)),
      cache.of(statement('tags', ofIds), shape({ ...name, key: 'title' }), at(1)),
      cache.of(statement('tags', ofIds), shape(name), at(1, bindings(), true)),
      cache.of(statement('tags', ofIds, { kind: 'value', value: 5 }), shape(name), at(1)),
      cache.of(statement('tags', ofIds, { kind: 'value', value: '5' }), shape(name), at(1)),
      cache.of(statement('tags', ofIds, slot), shape(name), at(1, bindings(5))),
      cache.of(statement('tags', ofIds, slot), shape(name), at(1, bindings('5'))),
    ];
    expect(new Set(lists).size).toBe(lists.length);
    expect(lists).not.toContain(undefined);
    // Plans that are compiled alike share their rows.
    expect(cache.of(statement('tags', ofIds, slot), shape(name), at(1, bindings(5)))).toBe(lists[7]);
  });

  it('caches no statement that depends on the page or on the document in the path', () => {
    for (const kind of ['key', 'limit', 'offset'] as const)
      expect(cacheOf(100_000).of(statement('tags', ofIds, { kind }), shape(name), at(1))).toBeUndefined();
  });

  it('caches no URLs that are signed', () => {
    expect(cacheOf(100_000, true).of(statement('files', ofIds), shape(name, url), at(1))).toBeUndefined();
    expect(cacheOf(100_000, true).of(statement('tags', ofIds), shape(name), at(1))).toBeDefined();
    expect(cacheOf(100_000).of(statement('files', ofIds), shape(name, url), at(1))).toBeDefined();
  });

  it('keeps to its size, and removes what is not used', () => {
    const cache = cacheOf(100_000);
    const tags = statement('tags', ofIds);
    for (let id = 0; id < 2000; id++) {
      const rows = present(cache.of(tags, shape(name), at(1)));
      rows.addRow(id, row(id));
      rows.row(0);
      cache.sweep();
    }
    const rows = present(cache.of(tags, shape(name), at(1)));
    const left = [0, 1, 1999].map((id) => rows.row(id)?.id);
    expect(left).toEqual([0, undefined, 1999]);
    expect(idsIn(rows, 2000).length).toBeLessThan(100_000 / 200);
  });

  it('stops caching in the middle of a read that would fill it', () => {
    const cache = cacheOf(100_000);
    const rows = present(cache.of(statement('tags', ofIds), shape(name), at(1)));
    for (let id = 0; id < 2000; id++) rows.addGroup(id, [row(id)]);
    expect(idsIn(rows, 2000).length).toBeLessThan(100_000 / 200);
    expect(rows.group(1999)).toBeUndefined();
    expect(rows.group(0)).toHaveLength(1);
  });

  it('removes statements with other values', () => {
    const cache = cacheOf(100_000);
    const slot = { kind: 'slot', index: 0 } as const;
    const tags = statement('tags', ofIds, slot);
    const first = present(cache.of(tags, shape(name), at(1, bindings('first'))));
    for (let value = 0; value < 5000; value++) {
      cache.of(tags, shape(name), at(1, bindings(value)));
      cache.sweep();
    }
    expect(cache.of(tags, shape(name), at(1, bindings('first')))).not.toBe(first);
  });

  it('counts the rows of a group, though other groups have the same', () => {
    const rows = present(cacheOf(1_000_000).of(statement('tags', ofIds), shape(name), at(1)));
    const shared = Array.from({ length: 300 }, (_, id) => row(id));
    for (let parent = 0; parent < 10_000; parent++) rows.addGroup(parent, shared);
    expect(Array.from({ length: 10_000 }, (_, parent) => rows.group(parent)).filter((group) => group !== undefined).length).toBeLessThan(
      200,
    );
    // A group that takes too much by itself.
    rows.addGroup(
      10_001,
      Array.from({ length: 2000 }, () => row(1)),
    );
    expect(rows.group(10_001)).toBeUndefined();
  });

  it('caches no group with a row that is too long', () => {
    const cache = cacheOf(100_000);
    const rows = present(cache.of(statement('tags', ofIds), shape(name), at(1)));
    const long = row(2, 5000);
    rows.addGroup(1, [row(1), long]);
    rows.addRow(2, long);
    expect([rows.group(1), rows.row(1), rows.row(2), long.longestHead]).toEqual([undefined, undefined, undefined, 0]);
  });
});
