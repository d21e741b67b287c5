import { describe, expect, it } from 'vitest';
import { sqlite } from '../../dialects/sqlite.ts';
import { sql } from '../../sql/sql.ts';
import { columnKey, rowsKey, tableKey } from '../data-keys.ts';
import type { Condition, ReadPlan } from '../plan/types.ts';
import { DependencyCollector } from './dependencies.ts';

const schema = (table: string) => ({ uid: `api::${table}.${table}`, table, attributes: new Map() });
const all: Condition = { kind: 'and', operands: [] };
const slug = { kind: 'scalar', name: 'slug', column: 'slug', type: 'uid', unique: false, system: false };
const isNamed = { kind: 'compare', attribute: slug, comparison: { operator: '=', value: 'a' }, negated: false };
const linked = { kind: 'relation', storage: { kind: 'linkTable', table: 'links' } };
const leadsTo = (table: string, scope?: unknown) => ({
  kind: 'exists',
  attribute: linked,
  target: schema(table),
  where: all,
  orNone: false,
  scope,
});

describe('a list of the rows with one slug depends on all rows of its table', () => {
  const dependsOnAll = (root: { readonly where?: readonly unknown[]; readonly order?: readonly unknown[] }) => {
    const { where = [], order = [] } = root;
    const plan = { target: 'list', root: { schema: schema('articles'), where: { kind: 'and', operands: [isNamed, ...where] }, order } };
    const collector = new DependencyCollector(sqlite);
    collector.root(plan as unknown as ReadPlan, sql`FROM ${sql.table('articles')} ${sql.table('authors')}`);
    const { tables, named } = collector.result();
    expect(named).toMatchObject({ table: 'articles', column: 'slug' });
    return tables.includes(tableKey('articles')) || tables.includes(rowsKey('articles'));
  };
  const sortedBy = (scope: unknown) => [
    { kind: 'attribute', path: [{ attribute: linked, target: schema('authors'), scope }], attribute: slug, direction: 'asc' },
  ];

  it.each([
    ['not by itself', {}, false],
    ['not with a condition on another table', { where: [leadsTo('authors')] }, false],
    ['with a condition that leads back to it', { where: [leadsTo('articles')] }, true],
    ['with a restriction of the other rows that leads back to it', { where: [leadsTo('authors', leadsTo('articles'))] }, true],
    ['not with an order by another table', { order: sortedBy(undefined) }, false],
    ['with an order whose rows are restricted by it', { order: sortedBy(leadsTo('articles')) }, true],
  ])('%s', (_, root, expected) => {
    expect(dependsOnAll(root)).toBe(expected);
  });
});

it('a row with another slug may take the place of one with this slug', () => {
  const inFirst = { kind: 'fallback', chain: ['de', 'en'], sameStatus: false, scope: undefined };
  const byId = { ...isNamed, attribute: { ...slug, name: 'documentId', column: 'document_id' } };
  const namedOf = (...operands: unknown[]) => {
    const plan = { target: 'list', root: { schema: schema('articles'), where: { kind: 'and', operands }, order: [] } };
    const collector = new DependencyCollector(sqlite);
    collector.root(plan as unknown as ReadPlan, sql`FROM ${sql.table('articles')}`);
    return collector.result().named?.column;
  };
  expect([namedOf(isNamed), namedOf(isNamed, inFirst), namedOf(byId, inFirst)]).toEqual(['slug', undefined, 'document_id']);
});

it('a list depends on which rows there are, and on the columns of its conditions and its order', () => {
  const compare = (column: string) => ({ ...isNamed, attribute: { ...slug, name: column, column, type: 'string' } });
  const through = { ...leadsTo('authors'), where: compare('name') };
  const inRows = { ...leadsTo('pages'), attribute: { kind: 'relation', storage: { kind: 'ownColumn', column: 'page_id' } } };
  const tables = ['articles', 'links', 'authors', 'pages'];
  const dependsOn = (...where: unknown[]) => {
    const order = [{ path: [], attribute: { ...slug, column: 'rank' }, direction: 'asc' }];
    const plan = { target: 'list', root: { schema: schema('articles'), where: { kind: 'and', operands: where }, order } };
    const collector = new DependencyCollector(sqlite);
    collector.root(plan as unknown as ReadPlan, sql`FROM ${sql.join(tables.map((table) => sql.table(table)))}`);
    return new Set(collector.result().tables);
  };
  const status = { kind: 'status', status: 'published' };
  const keys = dependsOn(status, compare('title'), through);
  const columns = [columnKey('articles', 'title'), columnKey('articles', 'rank'), columnKey('authors', 'name')];
  for (const key of [rowsKey('articles'), rowsKey('authors'), tableKey('links'), ...columns]) expect(keys.has(key)).toBe(true);
  for (const key of [tableKey('articles'), tableKey('authors'), columnKey('articles', 'published_at')]) expect(keys.has(key)).toBe(false);
  // Where a row of either type holds the link, any change of them counts.
  const held = dependsOn(inRows);
  for (const table of ['articles', 'pages']) expect(held.has(tableKey(table))).toBe(true);
});
