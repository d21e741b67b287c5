/** The locale of a write: from the query, the body or the default, and new locales of a document. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { countOf, noteProject } from '../../support/notes.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

describe.each(anyEngine)('%s: the locale of a write', (engine) => {
  const api = useProject(engine, noteProject);

  it('of a POST: the default one, that of the query, that of the body; the query takes precedence', async () => {
    const of = async (query: string, data: object) => (await api.write('POST', `/api/storys${query}`, { title: 'L', ...data })).locale;
    expect(await of('', {})).toBe('en');
    expect(await of('?locale=de', {})).toBe('de');
    expect(await of('', { locale: 'de' })).toBe('de');
    expect(await of('?locale=en', { locale: 'de' })).toBe('en');
    expect(await of('', { locale: null })).toBe('en');
    expect(await of('?locale=', { locale: 'de' })).toBe('de');
  });

  it.each([
    ['POST', '/api/storys?locale=fr', {}],
    ['POST', '/api/storys', { locale: 'fr' }],
    ['POST', '/api/storys?locale=DE', {}],
    ['PATCH', '/api/banner?locale=fr', {}],
    ['PUT', '/api/banner?locale=fr', {}],
  ])('%s %s %j: 400 with the existing locales', async (method, path, data) => {
    const before = await countOf(api, 'story');
    const error = errorOf(await api.ask('full', method, path, path.startsWith('/api/storys') ? { title: 'L', ...data } : data));
    expect(error).toMatchObject({ status: 400, name: 'ValidationError', message: expect.stringContaining('en, de') });
    expect(await countOf(api, 'story')).toBe(before);
  });

  it('is a text, and one only', async () => {
    for (const locale of [5, true, ['en'], { $ne: 'en' }, 'x'.repeat(1000)]) {
      const error = errorOf(await api.ask('full', 'POST', '/api/storys', { title: 'L', locale }));
      expect(error).toMatchObject({ status: 400, name: 'ValidationError', message: expect.stringContaining("'locale'") });
    }
    for (const locale of ['*', 'en&locale=de'])
      expect((await api.ask('full', 'POST', `/api/storys?locale=${locale}`, { title: 'L' })).status).toBe(400);
  });

  it('cannot be changed by an update', async () => {
    const { documentId: id } = await api.write('POST', '/api/storys', { title: 'Stays' });
    for (const method of ['PUT', 'PATCH']) {
      const data = await api.write(method, `/api/storys/${String(id)}`, { title: 'Stays', pages: 1, locale: 'de' });
      expect(data.locale).toBe('en');
    }
    expect((await api.ask('full', 'GET', `/api/storys/${String(id)}?locale=de`)).status).toBe(404);
  });

  it('an update with another locale creates it with the shared attributes', async () => {
    const { documentId: id } = await api.write('POST', '/api/storys', { title: 'English', pages: 12 });
    const made = await api.write('PATCH', `/api/storys/${String(id)}?locale=de`, { title: 'Deutsch' });
    expect(made).toMatchObject({ documentId: id, locale: 'de', title: 'Deutsch', pages: 12 });
    expect(errorOf(await api.ask('full', 'PATCH', '/api/banner?locale=xx', {})).status).toBe(400);
    await api.write('PATCH', `/api/storys/${String(id)}?locale=de`, { pages: 13 });
    expect(await api.read(`/api/storys/${String(id)}`)).toMatchObject({ title: 'English', pages: 13 });
  });

  it('of a new one: required attributes must be present', async () => {
    const { documentId: id } = await api.write('POST', '/api/storys', { title: 'English' });
    const error = errorOf(await api.ask('full', 'PATCH', `/api/storys/${String(id)}?locale=de`, { pages: 1 }));
    expect(error.details.errors?.map(({ path }) => path)).toEqual([['title']]);
    expect(await api.query(`SELECT COUNT(*) FROM storys WHERE document_id = '${String(id)}'`)).toEqual([[2]]);
  });

  it('has no effect on a type that is not localized', async () => {
    const data = await api.write('POST', '/api/notes?locale=de', { title: 'None', locale: 'de' });
    expect(data).not.toHaveProperty('locale');
    expect(await api.query(`SELECT locale FROM notes WHERE id = ${String(data.id)}`)).toEqual([[null]]);
  });
});
