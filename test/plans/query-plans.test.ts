/** Asserts how the engines run our statements: each starts from the parents' ids or from the narrowest condition. Plans of SQLite do not depend on
 *  the number of rows, unless there are statistics: those of ANALYZE, or those that Lectern collects in databases that it made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../src/sql/statement.ts';
import { engines } from '../support/engines.ts';
import { type Example, openExample, type Read } from './example.ts';
import { readsRowsOf, sqlitePlan } from './sqlite-plan.ts';

let example: Example;
/** Called in the body of a `describe`. */
function useExample(engine: (typeof engines)[number], prepare: (example: Example) => Promise<void> = async () => undefined): void {
  beforeAll(async () => {
    example = await openExample(engine);
    await prepare(example);
  });
  afterAll(() => example.remove());
}

function statement(read: Read, name: string): Statement {
  const statements = example.statements(read);
  const found = statements.get(name);
  if (found === undefined) throw new Error(`no statement ${name}; there are ${[...statements.keys()].join(', ')}`);
  return found;
}

async function dropOwnIndexes({ database }: Example): Promise<void> {
  await database.write(async (connection) => {
    const own = await connection.query("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'lectern\\_%' ESCAPE '\\'", []);
    expect(own.length).toBeGreaterThan(0);
    for (const [name] of own) await connection.query(`DROP INDEX "${name}"`, []);
  });
}

async function dropStatistics({ database }: Example): Promise<void> {
  await database.write(async (connection) => {
    for (const [name] of await connection.query("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'", []))
      await connection.query(`DROP TABLE ${name}`, []);
  });
  // Connections read the schema again.
  await database.tables();
}

async function analyse({ database }: Example): Promise<void> {
  await database.write((connection) => connection.query('ANALYZE', []));
}

/** As when the server ends. */
async function collect({ database }: Example): Promise<void> {
  database.collectStatistics();
  await database.renewStatistics();
  const [row] = await database.read((connection) => connection.query("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'articles'", []));
  expect(Number(row?.[0])).toBeGreaterThan(0);
}

const fewRows = 5;
const scannedTables = (plan: readonly string[]): string[] => plan.flatMap((step) => /^scan (.*)$/.exec(step)?.[1] ?? []);

async function rowsIn(table: string): Promise<number> {
  const [row] = await example.database.read((connection) => connection.query(`SELECT count(*) FROM "${table}"`, []));
  return Number(row?.[0]);
}

/** `$it` would be cut off after 40 letters. */
const titled = <T extends { readonly it: string }>(cases: readonly T[]) => cases.map((one) => [one.it, one] as const);

interface PathCase {
  readonly it: string;
  readonly type: string;
  /** Default: what populates the path of the statement. */
  readonly query?: string;
  readonly statement: string;
  /** The accesses after that of the ids of the parents. */
  readonly plan: readonly string[];
}

/** The ids of rows are sorted before the rows are read, by their ids. */
const rowsOf = (table: string) => [`${table} by rowid`, `${table} by rowid`];
const paths: readonly PathCase[] = [
  {
    it: 'a component: by its owner, not by its field or its type, which fit thousands of rows',
    type: 'article',
    statement: 'seo',
    plan: ['articles_cmps by entity_id', ...rowsOf('components_shared_seos')],
  },
  {
    it: 'components of a component',
    type: 'homepage',
    statement: 'hero.links',
    plan: ['components_shared_heros_cmps by entity_id', ...rowsOf('components_shared_links')],
  },
  { it: 'a relation to many', type: 'article', statement: 'tags', plan: ['articles_tags_lnk by article_id', ...rowsOf('tags')] },
  {
    it: 'a relation from its other side, with a filter and a sort of its own',
    type: 'category',
    query: 'populate[articles][filters][title][$contains]=a&populate[articles][sort]=publishedAt:desc',
    statement: 'articles',
    plan: ['articles_category_lnk by category_id', ...rowsOf('articles')],
  },
  {
    it: 'the number of related rows',
    type: 'category',
    query: 'populate[articles][count]=true',
    statement: 'articles',
    plan: ['articles_category_lnk by category_id', 'articles by rowid'],
  },
  {
    it: 'a media attribute of a component: by the row it belongs to, not by its type or field',
    type: 'homepage',
    statement: 'hero.image',
    plan: ['files_related_mph by related_id', ...rowsOf('files')],
  },
  { it: 'the references of a dynamic zone', type: 'article', statement: 'blocks', plan: ['articles_cmps by entity_id'] },
  {
    it: 'one component of a dynamic zone',
    type: 'article',
    query: 'populate=blocks',
    statement: 'blocks[shared.quote]',
    plan: ['components_shared_quotes by rowid'],
  },
  {
    it: 'the other locales of a document',
    type: 'article',
    statement: 'localizations',
    plan: ['articles by rowid', 'articles by document_id', 'articles by rowid'],
  },
  { it: 'what a file belongs to', type: 'plugin::upload.file', statement: 'related', plan: ['files_related_mph by file_id'] },
];

interface FilterCase {
  readonly it: string;
  readonly query: string;
  /** In the plan, as neighbours or not: the link tables are entered from the target. */
  readonly uses: readonly string[];
}

const relationFilters: readonly FilterCase[] = [
  { it: 'a relation to one', query: 'filters[category][name]=Bread', uses: ['articles_category_lnk by category_id'] },
  {
    it: 'two relations, one behind the other',
    query: 'filters[category][parent][slug]=bread',
    uses: ['articles_category_lnk by category_id', 'categories_parent_lnk by inv_category_id'],
  },
  { it: 'a media attribute', query: 'filters[cover][name]=a.png', uses: ['files_related_mph by file_id'] },
  { it: 'a component', query: 'filters[seo][metaTitle]=x', uses: [] },
  {
    it: 'either of two relations',
    query: 'filters[$or][0][category][name]=Bread&filters[$or][1][tags][name]=winter',
    uses: ['articles_category_lnk by category_id', 'articles_tags_lnk by tag_id'],
  },
];

describe.runIf(engines.includes('sqlite'))('SQLite', () => {
  // The operator of a Strapi may have run ANALYZE, too.
  useExample('sqlite');

  // One after the other on the same database.
  describe.each([
    { what: 'that Lectern made', hasOwnIndexes: true, hasStatistics: false, make: [] },
    { what: 'that Lectern made, with its statistics', hasOwnIndexes: true, hasStatistics: true, make: [collect] },
    { what: 'with statistics', hasOwnIndexes: true, hasStatistics: true, make: [dropStatistics, analyse] },
    { what: 'with statistics, without our own indexes', hasOwnIndexes: false, hasStatistics: true, make: [dropOwnIndexes, analyse] },
    { what: 'that Strapi made: without our own indexes', hasOwnIndexes: false, hasStatistics: false, make: [dropStatistics] },
  ])('a SQLite database $what', ({ hasOwnIndexes, hasStatistics, make }) => {
    beforeAll(async () => {
      for (const step of make) await step(example);
    });

    describe('populate starts from the ids of the parents', () => {
      it.each(titled(paths))('%s', async (_, { type, statement: name, query = `populate=${name}`, plan }) => {
        const target = type === 'homepage' ? 'single' : 'list';
        expect(await sqlitePlan(example, statement({ type, target, query }, name))).toEqual(['ids', ...plan]);
      });

      // Not in the example: the other side of a relation that names its target's type in two columns (morphToOne). Strapi makes no index on
      // them, so that one statement passes once over the target's table.
      it.each(['article', 'author', 'category', 'tag', 'homepage', 'about', 'plugin::upload.file', 'plugin::users-permissions.user'])(
        'everything of %s, without a scan',
        async (type) => {
          for (const [name, one] of example.statements({ type, query: 'populate=*' })) {
            if (['rows', 'count'].includes(name)) continue;
            const plan = await sqlitePlan(example, one);
            expect(plan[0], name).toBe('ids');
            expect(plan, name).not.toContain('correlated');
            // Where SQLite knows that a table has a handful of rows, it reads them in place of looking into an index.
            const maxRows = hasStatistics ? fewRows : 0;
            for (const table of scannedTables(plan)) expect(await rowsIn(table), `${name} of ${table}`).toBeLessThanOrEqual(maxRows);
          }
        },
      );
    });

    describe('a filter through relations is evaluated once for the statement', () => {
      it.each(titled(relationFilters))('%s', async (_, { query, uses }) => {
        for (const name of ['rows', 'count', 'pageAndTotal']) {
          const plan = await sqlitePlan(example, statement({ type: 'article', query }, name));
          expect(plan, name).not.toContain('correlated');
          expect(plan, name).toEqual(expect.arrayContaining([...uses]));
          expect(plan.join('\n'), name).not.toMatch(/scan \w+_(lnk|mph)/);
        }
      });

      it('looks up only the absence of a related row for each row, by the index on the owner', async () => {
        const plan = await sqlitePlan(example, statement({ type: 'article', query: 'filters[category][name][$null]=true' }, 'rows'));
        expect(plan.slice(plan.indexOf('correlated'))).toEqual(['correlated', 'articles_category_lnk by article_id']);
      });
    });

    it('a row in an earlier locale is looked for by its document', async () => {
      const query = 'locale=fr&fallback=en';
      for (const [target, name] of [
        ['list', 'rows'],
        ['one', 'rows'],
      ] as const) {
        const plan = await sqlitePlan(example, statement({ type: 'article', target, query }, name));
        expect(plan.slice(plan.indexOf('correlated')), target).toEqual(['correlated', 'articles by document_id']);
      }
      const populated = statement({ type: 'category', query: `populate=articles&${query}` }, 'articles');
      const [ids, links, ...rows] = (await sqlitePlan(example, populated)).filter((step) => step !== 'correlated');
      expect([ids, links]).toEqual(['ids', 'articles_category_lnk by category_id']);
      expect(rows.toSorted()).toEqual(['articles by document_id', 'articles by document_id, locale, published_at', ...rowsOf('articles')]);
    });

    it('a sort through a relation looks for the related row by the index on the owner', async () => {
      const plan = await sqlitePlan(example, statement({ type: 'article', query: 'sort=category.name' }, 'rows'));
      const looking = plan.indexOf('correlated');
      expect(plan.slice(looking, looking + 3)).toEqual(['correlated', 'articles_category_lnk by article_id', 'categories by rowid']);
    });

    it.each([
      ['of its path', { target: 'one' }],
      ['of its path, as a draft', { target: 'one', query: 'status=draft' }],
      ['of its path, in every locale', { target: 'one', query: 'locale=*' }],
      ['of a filter', { query: 'filters[documentId]=any' }],
    ] as const)('one document is found by the documentId %s', async (_what, read) => {
      const plan = await sqlitePlan(example, statement({ type: 'article', ...read }, 'rows'));
      expect(plan).toEqual([expect.stringMatching(/^articles by document_id/)]);
    });

    it('the total of a list comes from an index alone', async () => {
      expect(await readsRowsOf(example, 'articles', statement({ type: 'article' }, 'rows'))).toBe(true);
      expect(await readsRowsOf(example, 'articles', statement({ type: 'article' }, 'count'))).toBe(false);
    });

    it('rows of a page whose ids are found first are read by them', async () => {
      const read = { type: 'article', query: 'filters[category][name]=any' } as const;
      expect(await sqlitePlan(example, statement(read, 'rowsOfIds'))).toEqual(['ids', 'articles by rowid']);
    });

    if (!hasOwnIndexes) return;

    it.each(['', 'status=draft'])('an entry is found by its slug, not by its locale: %s', async (query) => {
      const rows = statement({ type: 'article', query: `filters[slug]=any&${query}` }, 'rows');
      expect(await sqlitePlan(example, rows)).toEqual(['articles by slug']);
    });

    it.each([
      ['published entries', ''],
      ['drafts', 'status=draft'],
    ])('a page of %s comes from an index in its order', async (_what, query) => {
      const rows = statement({ type: 'article', query }, 'rows');
      expect(await sqlitePlan(example, rows)).toEqual(['articles by locale']);
      expect(JSON.stringify(await example.explain('EXPLAIN QUERY PLAN', rows))).not.toContain('ORDER BY');
    });

    it.each([
      'sort=publishedAt:desc',
      'sort=createdAt:desc',
      'sort=updatedAt:desc',
      'status=draft&sort=createdAt:desc',
      'status=draft&sort=updatedAt:desc',
    ])('a page sorted by time is the beginning of an index: %s', async (sort) => {
      const rows = (direction: string) => {
        const query = sort.replace('desc', direction);
        return example.explain('EXPLAIN QUERY PLAN', statement({ type: 'article', query }, 'rows'));
      };
      expect(JSON.stringify(await rows('desc'))).not.toContain('ORDER BY');
      // Backwards, only entries of the same instant are sorted.
      expect(JSON.stringify(await rows('asc'))).toContain('LAST TERM OF ORDER BY');
    });

    it('entries with a slug are counted by it, not by their locale', async () => {
      expect(await sqlitePlan(example, statement({ type: 'article', query: 'filters[slug]=any' }, 'count'))).toEqual(['articles by slug']);
    });
  });
});

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  describe('a PostgreSQL database', () => {
    useExample('postgres', async ({ database }) => {
      await database.write((connection) => connection.query('ANALYZE', []));
    });

    it.each(titled(relationFilters))('a filter through relations is evaluated once for the statement: %s', async (_, { query }) => {
      const [row] = await example.explain('EXPLAIN (FORMAT JSON)', statement({ type: 'article', query }, 'single'));
      expect(tablesReadByRow(row?.[0])).toEqual([]);
    });

    it.each([
      ['publishedAt', 'articles_published_at_published'],
      ['createdAt', 'articles_created_at_published'],
    ])('a page sorted by %s is the beginning of an index', async (name, index) => {
      const plan = async (direction: string) => {
        const one = statement({ type: 'article', query: `sort=${name}:${direction}` }, 'single');
        return JSON.stringify(await example.explain('EXPLAIN (FORMAT JSON)', one));
      };
      expect(await plan('desc')).toContain(index);
      // Backwards, only entries of the same instant are sorted.
      const backwards = await plan('asc');
      expect(backwards).toContain(index);
      expect(backwards).toContain('Incremental Sort');
    });

    it('a page that is sorted as the database sorts is read from an index of that column', async () => {
      const { database } = example;
      await database.write(async (connection) => {
        await connection.query('CREATE INDEX articles_by_title ON articles (title)', []);
        await connection.query('ANALYZE articles', []);
      });
      const [row] = await example.explain('EXPLAIN (FORMAT JSON)', statement({ type: 'article', query: 'sort=title' }, 'single'));
      expect(JSON.stringify(row?.[0])).toContain('articles_by_title');
    });

    it.each([
      ['by a unique value, with populated paths', 'filters[documentId]=any&populate[0]=category&populate[1]=tags'],
      ['without a filter', 'populate=*'],
    ])('a prepared list is planned once for all values: %s', async (_, query) => {
      const { text, parameters } = statement({ type: 'article', query }, 'single');
      const plans = await example.database.read(async (connection) => {
        await connection.query(`PREPARE planned AS ${text}`, []);
        const given: Readonly<Record<string, string>> = { 'known ids': '{}', limit: '25', offset: '0' };
        const values = parameters.map((parameter) => `'${parameter.kind === 'value' ? parameter.value : (given[parameter.kind] ?? '')}'`);
        for (let time = 0; time < 10; time++) await connection.query(`EXECUTE planned(${values.join(', ')})`, []);
        const [row] = await connection.query("SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'planned'", []);
        await connection.query('DEALLOCATE planned', []);
        return row;
      });
      // PostgreSQL plans the first five executions for their values, to compare the costs.
      expect(plans).toEqual([5, 5]);
    });

    it('a sort through a relation is evaluated for each row, which this test can detect', async () => {
      const [row] = await example.explain('EXPLAIN (FORMAT JSON)', statement({ type: 'article', query: 'sort=category.name' }, 'single'));
      expect(tablesReadByRow(row?.[0])).toContain('articles_category_lnk');
    });
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables in subplans that are run for each row. A hashed subplan is run once; its owner says so in a condition. */
function tablesReadByRow(explained: unknown): string[] {
  const [{ Plan: root }] = explained as [{ Plan: PlanNode }];
  const text = JSON.stringify(root);
  const subplans = nodesOf(root).filter(
    (node) => node['Parent Relationship'] === 'SubPlan' && !text.includes(`hashed ${node['Subplan Name']}`),
  );
  return subplans.flatMap(nodesOf).flatMap((node) => node['Relation Name'] ?? []);
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
