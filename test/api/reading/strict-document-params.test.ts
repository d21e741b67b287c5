/** An invalid `status` or `locale`: refused, or taken as Strapi takes it without its `documents.strictParams`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

const title = { type: 'string', ...translated };
const project = {
  files: schemaFiles({
    page: { localized: true, drafts: true, attributes: { title } },
    home: { single: true, localized: true, drafts: true, attributes: { title } },
    note: { attributes: { title: { type: 'string' }, page: relation('oneToOne', 'page') } },
  }),
  locales: seedLocales('en', 'de'),
  public: ['page', 'home', 'note'].flatMap((name) => ['find', 'findOne'].map((right) => `api::${name}.${name}.${right}`)),
};
const odd = ['status=invalid', 'status[]=published', 'status[a]=published', 'locale=123', 'locale[a]=b', 'locale=%00'];

describe.each(engines)('%s: without api.strictDocumentParams in profile strapi', (engine) => {
  const api = useProject(engine, { ...project, env: { LECTERN_PROFILE: 'strapi', LECTERN_API_STRICT_DOCUMENT_PARAMS: 'false' } });
  let page = '';
  let note = '';
  beforeAll(async () => {
    page = await api.make('/api/pages', { title: 'published' });
    await api.write('PUT', `${page}?status=draft`, { title: 'draft' });
    await api.write('PUT', `${page}?locale=de`, { title: 'deutsch' });
    await api.write('PUT', '/api/home', { title: 'published' });
    await api.write('PUT', '/api/home?status=draft', { title: 'draft' });
    note = await api.make('/api/notes', { title: 'note' });
  });
  const shown = async (path: string) => {
    const response = await api.ask('public', 'GET', path);
    if (response.status !== 200) return response.status;
    const { data } = response.json() as { readonly data: Json | readonly Json[] };
    return [data].flat().map(({ title }) => title);
  };

  it.each<[query: string, listed: readonly string[] | number, one: readonly string[] | number]>([
    ['', ['published'], ['published']],
    ['status=', ['published'], ['published']],
    ['status', ['published'], ['published']],
    ['status=invalid', ['draft'], ['draft']],
    ['status=published', ['published'], ['published']],
    ['status=PUBLISHED', ['draft'], ['draft']],
    ['status[]=published', ['draft'], ['draft']],
    ['status[a]=published', ['draft'], ['draft']],
    ['status=invalid&locale=de', ['deutsch'], ['deutsch']],
    ['locale=123', [], 404],
    ['locale=en,de', [], 404],
    ['locale=%00', [], 404],
    ['locale=', ['published'], ['published']],
    ['locale[]=de&locale[]=123', ['deutsch'], 400],
    ['locale[]=', [], 400],
    ['locale[a]=b', [], 400],
    ['locale[$ne]=en', 400, 400],
  ])('a type with drafts and locales: %s', async (query, listed, one) => {
    expect({ listed: await shown(`/api/pages?${query}`), one: await shown(`${page}?${query}`) }).toEqual({ listed, one });
  });

  it.each([
    ['status=invalid', ['draft']],
    ['locale=123', 404],
    ['locale[a]=b', 400],
  ] as const)('a single type: %s', async (query, expected) => {
    expect(await shown(`/api/home?${query}`)).toEqual(expected);
  });

  it.each([...odd, 'locale[$ne]=en'])('a type without drafts and locales: %s', async (query) => {
    expect([await shown(`/api/notes?${query}`), await shown(`${note}?${query}`)]).toEqual([['note'], ['note']]);
  });

  it('writes: another status writes the draft, and a malformed locale is refused', async () => {
    const path = await api.make('/api/pages', { title: 'live' });
    expect(await api.write('PUT', `${path}?status=invalid`, { title: 'changed' })).toMatchObject({ title: 'changed', publishedAt: null });
    expect(await shown(path)).toEqual(['live']);
    for (const query of ['locale=123', 'locale[a]=b', 'locale[]=123'])
      for (const [method, at] of [
        ['POST', '/api/pages'],
        ['PUT', path],
        ['DELETE', path],
      ] as const)
        expect(
          (await api.ask('full', method, `${at}?${query}`, method === 'DELETE' ? undefined : { title: 'x' })).status,
          `${method} ${query}`,
        ).toBe(400);
    await api.write('DELETE', `${path}?status=invalid`);
    expect(await shown(path)).toBe(404);
    for (const query of odd) await api.write('PUT', `${note}?${query}`, { title: 'note' });
  });
});

describe.each(anyEngine)('%s: odd parameters', (engine) => {
  const needsRight = 'LECTERN_POLICIES_DRAFTS_NEED_RIGHT';
  const api = useProject(engine, {
    ...project,
    env: { LECTERN_PROFILE: 'strapi', LECTERN_API_STRICT_DOCUMENT_PARAMS: 'false', [needsRight]: 'true' },
  });

  it('a status that means the draft needs the right to drafts as well, at every depth', async () => {
    const { documentId } = await api.write('POST', '/api/pages?status=draft', { title: 'hidden' });
    await api.make('/api/notes', { title: 'note', page: documentId });
    for (const query of ['status=draft', 'status=invalid', 'status[]=published', 'status[a]=b']) {
      expect((await api.ask('public', 'GET', `/api/pages?${query}`)).status, query).toBe(403);
      expect((await api.ask('full', 'GET', `/api/pages?${query}`)).text, query).toContain('hidden');
      expect((await api.ask('public', 'GET', `/api/notes?${query}&populate=page`)).text, query).not.toContain('hidden');
      expect((await api.ask('full', 'GET', `/api/notes?${query}&populate=page`)).text, query).toContain('hidden');
    }
  });

  describe.each([
    ['with the setting, in profile strapi', { LECTERN_PROFILE: 'strapi', LECTERN_API_STRICT_DOCUMENT_PARAMS: 'true' }],
    [
      'in profile specification, whatever the setting is',
      { LECTERN_PROFILE: 'specification', LECTERN_API_STRICT_DOCUMENT_PARAMS: 'false' },
    ],
  ])('%s', (_, env) => {
    const server = useMade(() => startServer(api.project.dir, { ...api.environment, [needsRight]: '', ...env }));

    it.each(odd.flatMap((query) => ['pages', 'notes', 'home'].map((type) => `/api/${type}?${query}`)))('are refused: %s', async (path) => {
      expect((await server().get(path)).status).toBe(400);
    });
  });
});
