import { describe, expect, it } from 'vitest';
import { sqlite } from '../../dialects/sqlite.ts';
import { sql } from '../../sql/sql.ts';
import { tableKey } from '../data-keys.ts';
import type { Condition, ReadPlan } from '../plan/types.ts';
import { DependencyCollector } from './dependencies.ts';

const schema = (table: string) => ({ uid: `api::${table}.${table}`, table, attributes: new Map() });
const all: Condition = { kind: 'and', operands: [] };
const slug = { kind: 'scalar', name: 'slug', column: 'slug', type: 'uid', unique: false, system: false };
const isNamed = { kind: 'compare', attribute: slug, comparison: { operator: '=', value: 'a' }, negated: false };
const leadsTo = (table: string, scope?: unknown) => ({
  kind: 'exists',
  attribute: {},
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
    expect(tables).toContain(tableKey('authors'));
    return tables.includes(tableKey('articles'));
  };
  const sortedBy = (scope: unknown) => [{ path: [{ attribute: {}, target: schema('authors'), scope }], attribute: slug, direction: 'asc' }];

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
