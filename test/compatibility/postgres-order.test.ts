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
  });

  describe('in profile specification', () => {
    const served = useProject('postgres', orderedContent);
    it('sorts and compares by code point, and puts nulls first, as every engine does', async () => {
      const labels = async (query: string) =>
        labelsOf((await served.ask('full', 'GET', `/api/items?${query}&pagination[pageSize]=100`)).json());
      const present = words.filter((word) => word !== null);
      expect(await labels('sort=label')).toEqual([null, ...[...present].sort()]);
      expect(await labels('filters[label][$gte]=b&sort=id')).toEqual(present.filter((word) => word >= 'b'));
    });
  });
});
