/** The locale in the body of a PUT or PATCH: it counts if the document of a single type is made, in profile specification. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const title = { type: 'string', ...translated };
const page = relation('oneToOne', 'page');
const files = schemaFiles({
  page: { localized: true, drafts: true, attributes: { title } },
  front: { single: true, localized: true, drafts: true, attributes: { title, page } },
  cover: { single: true, localized: true, attributes: { title, page, whole: { type: 'integer' } } },
});
const locales = seedLocales('en', 'de');

describe.each(engines)('%s: the locale in the body of a single type', (engine) => {
  const api = useProject(engine, { files, locales });

  describe.each(['/api/front', '/api/cover'])('%s', (path) => {
    const codeOf = async (method: string, query: string, data: object, headers = {}) => {
      const response = await api.ask('full', method, `${path}${query}`, data, headers);
      return response.status === 200 ? response.status : errorOf(response).code;
    };

    it.each(['PUT', 'PATCH'])('is that of the document that %s makes, and of its links', async (method) => {
      const { documentId } = await api.write('POST', '/api/pages?locale=de', { title: 'Seite' });
      const data = { title: 'Deutsch', locale: 'de', page: documentId };
      expect(await api.write(method, `${path}?populate=page`, data)).toMatchObject({
        locale: 'de',
        page: { title: 'Seite', locale: 'de' },
      });
      expect((await api.ask('full', 'GET', path)).status).toBe(404);
      await api.write('DELETE', `${path}?locale=*`);
    });

    it('counts less than that of the query', async () => {
      expect(await api.write('PUT', `${path}?locale=en`, { title: 'English', locale: 'xx' })).toMatchObject({ locale: 'en' });
      await api.write('DELETE', `${path}?locale=*`);
    });

    it('is checked when it counts, and before anything else of the document that is to be made', async () => {
      expect(await codeOf('PUT', '', { title: 'x', locale: 'xx' })).toBe('locale.undefined');
      expect(await codeOf('PUT', '', { title: 'x', locale: 5 })).toBe('locale.format');
      expect(await codeOf('PUT', '', { title: 5, locale: 'xx' })).toBe('locale.undefined');
      expect(await codeOf('PUT', '', { title: 'x', locale: 'xx' }, { 'If-Match': '*' })).toBe('document.changed');
      expect((await api.ask('full', 'GET', `${path}?locale=de`)).status).toBe(404);
    });

    it('does not count for a document that is there', async () => {
      await api.write('PUT', path, { title: 'English' });
      for (const locale of ['de', 'xx', 5])
        expect(await api.write('PATCH', path, { title: 'Still English', locale })).toMatchObject({ locale: 'en' });
      expect((await api.ask('full', 'GET', `${path}?locale=de`)).status).toBe(404);
      await api.write('DELETE', `${path}?locale=*`);
    });
  });
});
