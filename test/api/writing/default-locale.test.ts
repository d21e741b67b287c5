/** Without its setting, the default locale is the first one of the table: for what is written and for what is listed. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { changeIn, type Json, useProject } from '../../support/served-project.ts';

describe.each(anyEngine)('%s: a database without the setting of the default locale', (engine) => {
  const api = useProject(engine, {
    files: schemaFiles({ note: { localized: true, attributes: { title: { type: 'string' } } } }),
    locales: [
      { code: 'en', name: 'English' },
      { code: 'fr', name: 'French' },
    ],
    async prepare(project) {
      await changeIn(project, "UPDATE i18n_locale SET code = 'de', name = 'German' WHERE code = 'en'");
      await changeIn(project, "DELETE FROM strapi_core_store_settings WHERE strapi_core_store_settings.key = 'plugin_i18n_default_locale'");
    },
  });

  it('lists the locale as the default one that a new document gets', async () => {
    const listed = await api.ask('full', 'GET', '/api/i18n/locales');
    const locales: readonly Json[] = JSON.parse(listed.text);
    expect(locales.map(({ code, isDefault }) => [code, isDefault])).toEqual([
      ['de', true],
      ['fr', false],
    ]);
    expect(await api.write('POST', '/api/notes', { title: 'Notiz' })).toMatchObject({ locale: 'de' });
  });
});
