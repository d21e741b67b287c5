/** Strapi asks for no order of `localizations`: SQLite returns them by locale, PostgreSQL in the order in which the rows were written. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { schemaFiles, translated } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  page: { localized: true, attributes: { title: { type: 'string', ...translated } } },
});
const locales = ['en', 'fr', 'de', 'it', 'cs'].map((code) => ({ code, name: code }));
const profiles = ['specification', 'strapi'] as const;

describe.each(engines.flatMap((engine) => profiles.map((profile) => [engine, profile] as const)))('%s, %s', (engine, profile) => {
  const served = useProject(engine, { files, locales, env: { LECTERN_PROFILE: profile } });

  it('orders the localizations of an entry', async () => {
    const { documentId } = await served.write('POST', '/api/pages', { title: 'a' });
    for (const code of ['it', 'de', 'fr', 'cs'])
      await served.write('PUT', `/api/pages/${String(documentId)}?locale=${code}`, { title: 'a' });
    const entry = await served.read(`/api/pages/${String(documentId)}?populate=localizations`);
    const order = engine === 'postgres' && profile === 'strapi' ? ['it', 'de', 'fr', 'cs'] : ['cs', 'de', 'fr', 'it'];
    expect(entry.localizations).toMatchObject(order.map((locale) => ({ locale })));
  });
});
