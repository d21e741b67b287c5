/** Full-text indexes while several callers write: nothing is missing and nothing is stale, neither after a write nor after a build in the middle of
 *  writes. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { isLong } from '../../support/long.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { seedNumbered } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { withDatabase } from '../../support/with-database.ts';

const writers = 6;
const rounds = isLong ? 200 : 8;

const files = {
  ...schemaFiles(
    { page: { drafts: true, attributes: { title: { type: 'string' }, parts: component('part', { repeatable: true }) } } },
    { part: { text: { type: 'text' } } },
  ),
  'lectern.config.json': { search: { 'api::page.page': { title: 2, parts: 1 } } },
};

describe.each(engines)('%s: full-text indexes under writes', (engine) => {
  const api = useProject(engine, {
    files,
    types: [
      {
        type: 'api::page.page',
        documents: seedNumbered(writers, (index) => ({ title: `start${index}`, parts: [{ text: 'one' }, { text: 'two' }] })),
      },
    ],
    async prepare(project) {
      const { status, stderr } = await run(['search', 'build', '--dir', project.dir], project.env);
      if (status !== 0) throw new Error(stderr);
    },
  });
  const found = async (word: string): Promise<readonly string[]> => {
    const response = await api.ask('full', 'GET', `/api/pages?filters[$search]=${word}%20&pagination[pageSize]=100`);
    if (response.status !== 200) throw new Error(response.text);
    return (response.json() as { data: readonly Json[] }).data.map(({ documentId }) => String(documentId));
  };
  const documents = async (): Promise<readonly string[]> => {
    const response = await api.ask('full', 'GET', '/api/pages?sort=id');
    return (response.json() as { data: readonly Json[] }).data.map(({ documentId }) => String(documentId));
  };
  /** Writes a word of its own into a title, or into a component, and returns it. */
  async function write(document: string, name: string, isTitle: boolean): Promise<string> {
    const data = isTitle ? { title: `${name} title` } : { parts: [{ text: name }, { text: `${name} more` }] };
    await api.write('PATCH', `/api/pages/${document}?status=published`, data);
    return name;
  }

  it('have each write as soon as it is answered, and what it replaces no longer', { timeout: 300_000 }, async () => {
    const pages = await documents();
    expect(pages).toHaveLength(writers);
    const wrong: unknown[] = [];
    await Promise.all(
      pages.map(async (document, writer) => {
        const before: Record<'title' | 'parts', string> = { title: `start${writer}`, parts: 'one' };
        for (let round = 0; round < rounds; round++) {
          const isTitle = round % 2 === 0;
          const word = await write(document, `w${writer}r${round}`, isTitle);
          const replaced = before[isTitle ? 'title' : 'parts'];
          before[isTitle ? 'title' : 'parts'] = word;
          const [now, former] = [await found(word), await found(replaced)];
          if (now.join() !== document || former.includes(document)) wrong.push({ word, now, replaced, former });
        }
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('have everything that is written while they are built', { timeout: 300_000 }, async () => {
    const pages = await documents();
    let isBuilt = false;
    const last = Promise.all(
      pages.map(async (document, writer) => {
        let word = '';
        for (let round = 0; !isBuilt || round < 3; round++) word = await write(document, `b${writer}r${round}`, round % 2 === 0);
        return write(document, `${word}last`, true);
      }),
    );
    for (let builds = 0; builds < (isLong ? 10 : 2); builds++) {
      const { status, stderr } = await run(['search', 'build', '--dir', api.project.dir], api.project.env);
      expect([status, stderr]).toEqual([0, '']);
    }
    isBuilt = true;
    const words = await last;
    await expect.poll(() => Promise.all(words.map(found)), { timeout: 10_000 }).toEqual(pages.map((document) => [document]));
  });

  it.skipIf(engine === 'sqlite')('have what two transactions write into one entry at the same time', async () => {
    const [page = ''] = await documents();
    await api.write('PATCH', `/api/pages/${page}?status=published`, { parts: [{ text: 'left' }, { text: 'right' }] });
    const publishedPart = (text: string) =>
      `UPDATE components_part_parts SET text = '${text}new' WHERE text = '${text}' AND id IN (SELECT cmp_id FROM pages_cmps WHERE entity_id IN (SELECT id FROM pages WHERE published_at IS NOT NULL))`;
    await withDatabase(api.project, (one) =>
      withDatabase(api.project, (other) =>
        one
          .write(async (connection) => {
            await connection.query(publishedPart('left'), []);
            // It waits for the first transaction, so it is not waited for before that one has ended.
            const second = other.write((its) => its.query(publishedPart('right'), []));
            await Promise.race([second, other.read((its) => its.query('SELECT 1', []))]);
            return { second };
          })
          .then(({ second }) => second),
      ),
    );
    await expect
      .poll(async () => [await found('leftnew'), await found('rightnew'), await found('left'), await found('right')])
      .toEqual([[page], [page], [], []]);
  });
});
