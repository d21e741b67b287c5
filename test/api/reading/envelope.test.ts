/** The shape of responses: flat, and that of the previous version. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { bookPath, idOf, useLibrary } from '../../support/library/library.ts';
import { words } from '../../support/words.ts';

const v4 = { 'Strapi-Response-Format': 'v4' };

describe.each(anyEngine)('%s: envelope', (engine) => {
  const library = useLibrary(engine);
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    library.ask('full', { path, headers }).then((response) => response.json());

  it('a list', async () =>
    expect(await ask('/api/books?filters[title]=Maps&fields=title')).toEqual({
      data: [{ id: expect.any(Number), documentId: idOf('book', 'maps'), title: 'Maps' }],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 1 } },
    }));
  it('one document', async () =>
    expect(await ask(`${bookPath('maps')}?fields=title`)).toEqual({
      data: { id: expect.any(Number), documentId: idOf('book', 'maps'), title: 'Maps' },
      meta: {},
    }));

  it('has attributes in the order of the schema, and relations in that of populate; zones come last', async () => {
    const text = (await library.ask('public', `${bookPath('lanterns')}?populate=sections,summary,cover`)).text;
    const names = words`
      id documentId title slug blurb pages createdAt updatedAt publishedAt locale summary cover sections
    `;
    const places = names.map((name) => text.indexOf(`"${name}":`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  describe('Strapi-Response-Format: v4', () => {
    const id = expect.any(Number);
    it('puts relations and media under data, and leaves components flat', async () =>
      expect(
        await ask(
          `${bookPath('lanterns')}?fields=title&populate[subjects][fields]=name&populate[sequel][fields]=title&populate[cover][fields]=name&populate[summary][fields]=headline`,
          v4,
        ),
      ).toEqual({
        data: {
          id,
          documentId: idOf('book', 'lanterns'),
          attributes: {
            title: 'Lanterns',
            subjects: {
              data: [
                { id, documentId: idOf('subject', 'optics'), attributes: { name: 'Optics' } },
                { id, documentId: idOf('subject', 'science'), attributes: { name: 'Science' } },
              ],
            },
            sequel: { data: null },
            cover: { data: { id, documentId: expect.any(String), attributes: { name: 'lamp.png' } } },
            summary: { id, headline: 'Light' },
          },
        },
        meta: {},
      }));
    it('does not change the cached response of the same URL', async () => {
      const path = `${bookPath('maps')}?fields=title`;
      const flat = await ask(path);
      await ask(path, v4);
      expect(await ask(path)).toEqual(flat);
    });
    it.each(['v5', 'V4x', ''])('any other value (%s) is ignored', async (value) =>
      expect(await ask(`${bookPath('maps')}?fields=title`, { 'Strapi-Response-Format': value })).toMatchObject({ data: { title: 'Maps' } }),
    );
  });
});
