/** How a Strapi 5.54.0 sorts and compares on PostgreSQL: by the collation of the database, nulls as the largest. Recorded on a database with ICU's
 *  collation for American English; each result is the row ids, with those of the populated rows beside them, and for components their `n`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { useProject } from '../support/served-project.ts';
import { labelsOf, orderedContent, recordedIds, words } from './ordered-content.ts';

const file = fileURLToPath(new URL('./recordings/postgres-order/answers.json', import.meta.url));
const recorded = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>);

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  describe('in profile strapi', () => {
    const served = useProject('postgres', { ...orderedContent, env: { LECTERN_PROFILE: 'strapi' } });
    let hasLanguage = false;
    beforeAll(async () => {
      const [row] = await served.query("SELECT to_jsonb(d) ->> 'datlocprovider' FROM pg_database d WHERE datname = current_database()");
      hasLanguage = row?.[0] === 'i';
      if (!hasLanguage) console.log(' NOT tested: the order of a language (this PostgreSQL has no ICU)');
    });

    it.each(recorded)('GET %s', async (path, ids, { skip } = { skip: () => undefined }) => {
      if (!hasLanguage) return skip();
      const response = await served.ask('full', 'GET', encodeURI(path));
      expect(recordedIds(path, response.json())).toEqual(ids);
    });

    it.each(['label ASC', 'label DESC', 'size ASC', 'size DESC'])('sorts as the database does: %s', async (order) => {
      const [name, direction] = order.toLowerCase().split(' ');
      const response = await served.ask('full', 'GET', `/api/items?sort=${name}:${direction}&pagination[pageSize]=100`);
      expect(labelsOf(response.json())).toEqual(
        (await served.query(`SELECT label FROM items ORDER BY ${order}, id`)).map(([label]) => label),
      );
    });

    it.each(['>=', '>', '<', '<='])('compares as the database does: %s', async (operator) => {
      const name = { '>=': '$gte', '>': '$gt', '<': '$lt', '<=': '$lte' }[operator];
      const response = await served.ask('full', 'GET', `/api/items?filters[label][${name}]=b&pagination[pageSize]=100&sort=id`);
      const rows = await served.query(`SELECT label FROM items WHERE label ${operator} 'b' ORDER BY id`);
      expect(labelsOf(response.json())).toEqual(rows.map(([label]) => label));
    });
  });

  describe('in profile specification', () => {
    const served = useProject('postgres', orderedContent);
    it('sorts by code point and puts nulls first, as every engine does', async () => {
      const response = await served.ask('full', 'GET', '/api/items?sort=label&pagination[pageSize]=100');
      expect(labelsOf(response.json())).toEqual([null, ...words.filter((word) => word !== null).sort()]);
    });
    it('compares by code point', async () => {
      const response = await served.ask('full', 'GET', '/api/items?filters[label][$gte]=b&sort=id&pagination[pageSize]=100');
      expect(labelsOf(response.json())).toEqual(words.filter((word) => word !== null && word >= 'b'));
    });
  });
});
