/** Strapi asks for no order of `localizations`: SQLite returns them by locale, PostgreSQL in the order in which the rows were written. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { schemaFiles, translated } from '../../support/schema-files.ts';
import { dataOf, useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';

const files = schemaFiles({
  page: { localized: true, attributes: { title: { type: 'string', ...translated } } },
});
const locales = ['en', 'fr', 'de', 'it', 'cs'].map((code) => ({ code, name: code }));

describe.each(engines)('%s', (engine) => {
  const served = useProject(engine, { files, locales });

  it('orders the localizations of an entry', async () => {
    const { documentId } = await served.write('POST', '/api/pages', { title: 'a' });
    const path = `/api/pages/${String(documentId)}`;
    for (const code of ['it', 'de', 'fr', 'cs']) await served.write('PUT', `${path}?locale=${code}`, { title: 'a' });
    const inStrapi = await startServer(served.project.dir, { ...served.environment, LECTERN_PROFILE: 'strapi' });
    for (const server of [served.server, inStrapi]) {
      const entry = dataOf(await server.get(`${path}?populate=localizations`, served.authorization('full')));
      const order = engine === 'postgres' && server === inStrapi ? ['it', 'de', 'fr', 'cs'] : ['cs', 'de', 'fr', 'it'];
      expect(entry.localizations).toMatchObject(order.map((locale) => ({ locale })));
    }
    await inStrapi.stop();
  });
});
