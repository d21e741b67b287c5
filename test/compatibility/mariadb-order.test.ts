/** How a Strapi 5.54.0 sorts and compares on MariaDB: by the collation of the columns, here the default one of Debian's servers, nulls as the smallest. MySQL has
 *  the same collation. Each result is the row ids, with those of the populated rows beside them, and for components their `n`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { engines, speaksMysql } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { changeIn, queryIn, useProject } from '../support/served-project.ts';
import { labelsOf, orderedContent, recordedIds, words } from './ordered-content.ts';

const file = fileURLToPath(new URL('./recordings/mariadb/order.json', import.meta.url));
const recorded = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>);

/** The tables of types, as Strapi makes them: their texts have the collation of the database. */
async function asStrapiMakesThem(project: Project, collation = 'utf8mb4_general_ci'): Promise<void> {
  const isJson = `EXISTS (
       SELECT 1 FROM information_schema.check_constraints k
       WHERE k.constraint_schema = c.table_schema AND k.table_name = c.table_name AND k.constraint_name = c.column_name)`;
  const columns = await queryIn(
    project,
    `SELECT table_name, column_name, column_type FROM information_schema.columns c WHERE table_schema = DATABASE()
     AND data_type IN ('varchar', 'longtext') AND table_name NOT LIKE 'lectern%'
     ${project.database.engine === 'mariadb' ? `AND NOT ${isJson}` : ''}`,
  );
  const types = columns.map(
    ([table, column, type]) => `ALTER TABLE "${table}" MODIFY "${column}" ${type} CHARACTER SET utf8mb4 COLLATE ${collation}`,
  );
  await changeIn(project, ...types);
}

const tested = engines.filter(speaksMysql);
// Without these engines the tests are skipped: a file without any test would fail.
describe.runIf(tested.length > 0).each(tested.length > 0 ? tested : ['mariadb' as const])('%s', (engine) => {
  describe('in profile strapi', () => {
    const served = useProject(engine, {
      ...orderedContent,
      prepare: asStrapiMakesThem,
      public: ['api::item.item.find'],
      rules: { public: { 'api::item.item.find': { where: { label: { $in: ['e', 'b'] } } } } },
      env: { LECTERN_PROFILE: 'strapi' },
    });
    it('a right to rows does not extend to texts that the collation takes for the same', async () => {
      const response = await served.send('public', { path: '/api/items?sort=id' });
      expect(labelsOf(response.json())).toEqual(['b', 'e']);
    });
    // MySQL does not define an order of JSON objects.
    it.each(recorded.filter(([path]) => engine === 'mariadb' || !path.includes('sort=extra')))('GET %s', async (path, ids) => {
      const response = await served.ask('full', 'GET', encodeURI(path));
      expect(recordedIds(path, response.json())).toEqual(ids);
    });
  });

  describe('in profile specification, on tables of utf8mb4_bin', () => {
    const served = useProject(engine, { ...orderedContent, prepare: (project) => asStrapiMakesThem(project, 'utf8mb4_bin') });
    it('counts trailing spaces', async () => {
      const found = await Promise.all(['b', 'b%20'].map((label) => served.ask('full', 'GET', `/api/items?filters[label]=${label}`)));
      expect(found.map((response) => labelsOf(response.json()))).toEqual([['b'], []]);
      const [item] = found.flatMap((response) => (response.json() as { data: { documentId: string }[] }).data);
      expect((await served.ask('full', 'GET', `/api/items/${item?.documentId}%20`)).status).toBe(404);
    });
  });

  describe('in profile specification, on tables that Strapi made', () => {
    const served = useProject(engine, { ...orderedContent, prepare: asStrapiMakesThem });
    const labels = async (query: string) => {
      const response = await served.ask('full', 'GET', encodeURI(`/api/items?${query}&pagination[pageSize]=100`));
      return labelsOf(response.json());
    };
    const present = words.filter((word) => word !== null);
    it('sorts by code point and puts nulls first, as every engine does', async () => {
      expect(await labels('sort=label')).toEqual([null, ...[...present].sort()]);
    });
    it('compares by code point', async () => {
      expect(await labels('filters[label][$gte]=b&sort=id')).toEqual(present.filter((word) => word >= 'b'));
      expect(await labels('filters[label]=b&sort=id')).toEqual(['b']);
      expect(await labels('filters[label][$in]=E&sort=id')).toEqual(['E']);
      expect(await labels('filters[label]=sp&sort=id')).toEqual([]);
      expect(await labels('filters[label]=b &sort=id')).toEqual([]);
      expect(await labels('filters[label][$ne]=b&sort=id')).toEqual(present.filter((word) => word !== 'b'));
      expect(await labels('filters[author][name]=bob&fields=label&sort=id')).toEqual(words.filter((_, at) => at % 8 !== 7 && at % 7 === 0));
    });
  });
});
