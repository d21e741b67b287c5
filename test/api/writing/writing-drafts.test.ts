/** Draft and published version: `status`, the endpoints that publish, and their rights. What a published document is linked
 *  to is in relation-order.test.ts. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { component, relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { dataOf, errorOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    essay: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, minLength: 3, ...translated },
        pages: { type: 'integer', ...shared },
        badge: component('badge', shared),
        badges: component('badge', { repeatable: true, ...translated }),
      },
    },
    cover: { single: true, drafts: true, localized: true, attributes: { head: { type: 'string', ...translated } } },
    plain: { attributes: { name: { type: 'string' }, first: relation('oneToOne', 'essay', { useJoinTable: false }) } },
  },
  { badge: { label: { type: 'string' } } },
);
const uid = (type: string, ...actions: readonly string[]) => actions.map((action) => `api::${type}.${type}.${action}`);
const options = {
  files,
  locales: seedLocales('en', 'de'),
  tokens: {
    author: uid('essay', 'find', 'findOne', 'create', 'update'),
    editor: uid('essay', 'find', 'findOne', 'findDraft', 'create', 'update'),
    publisher: uid('essay', 'publish'),
    redactor: [...uid('essay', 'publish', 'findDraft'), ...uid('cover', 'publish', 'findDraft')],
  },
};

describe.each(engines)('%s: drafts', (engine) => {
  const api = useProject(engine, options);
  const make = async (data: object, query = '') => String((await api.write('POST', `/api/essays${query}`, data)).documentId);
  const act = (id: string, action: string, query = '', who = 'full') => api.ask(who, 'POST', `/api/essays/${id}/actions/${action}${query}`);
  const titles = async (id: string, query = '') =>
    Promise.all(
      ['published', 'draft'].map(async (status) => {
        const response = await api.ask('full', 'GET', `/api/essays/${id}?status=${status}${query}`);
        return response.status === 200 ? dataOf(response).title : response.status;
      }),
    );

  describe('status', () => {
    it('draft: only the draft is written and returned', async () => {
      const draft = await api.write('POST', '/api/essays?status=draft', { title: 'Only' });
      expect(draft).toMatchObject({ title: 'Only', publishedAt: null });
      const id = String(draft.documentId);
      expect(await titles(id)).toEqual([404, 'Only']);
      const changed = await api.write('PATCH', `/api/essays/${id}?status=draft`, { title: 'Changed' });
      expect(changed).toMatchObject({ id: draft.id, title: 'Changed', publishedAt: null });
      await api.write('PATCH', `/api/essays/${id}`, {});
      await api.write('PUT', `/api/essays/${id}?status=draft`, { title: 'Ahead', pages: 1 });
      expect(await titles(id)).toEqual(['Changed', 'Ahead']);
    });

    it('a column of a type without drafts leads to the published version', async () => {
      const id = await make({ title: 'Public' });
      const { first } = await api.write('POST', '/api/plains?populate=first', { first: id });
      expect(first).toMatchObject({ documentId: id, publishedAt: expect.any(String) });
    });

    it('drafts are checked less strictly, and completely before they are published', async () => {
      const id = await make({ title: 'ab' }, '?status=draft');
      const error = errorOf(await api.ask('full', 'PATCH', `/api/essays/${id}`, { pages: 4 }));
      expect(error.details.errors).toEqual([
        { path: ['title'], message: 'title must be at least 3 characters', name: 'ValidationError', value: 'ab' },
      ]);
      // The change of the draft is undone with it.
      expect(await api.read(`/api/essays/${id}?status=draft`)).toMatchObject({ title: 'ab', pages: null });
      expect((await act(id, 'publish')).status).toBe(400);
      expect(errorOf(await api.ask('full', 'POST', '/api/essays?status=draft', { pages: 'many' })).status).toBe(400);
    });
  });

  describe('endpoints', () => {
    it('publish: 200 with the published version', async () => {
      const id = await make({ title: 'Draft', badges: [{ label: 'a' }] }, '?status=draft');
      const response = await act(id, 'publish', '?populate=badges&fields=title');
      expect(response.status).toBe(200);
      expect(dataOf(response)).toEqual({
        id: expect.any(Number),
        documentId: id,
        title: 'Draft',
        badges: [{ id: expect.any(Number), label: 'a' }],
      });
      expect(await titles(id)).toEqual(['Draft', 'Draft']);
      expect(dataOf(await act(id, 'publish')).id).toBe(dataOf(response).id);
    });

    it('publish?status=draft returns the published version', async () => {
      const id = await make({ title: 'Draft' }, '?status=draft');
      expect(dataOf(await act(id, 'publish', '?status=draft')).publishedAt).not.toBeNull();
    });

    it('unpublish: 204; the draft stays, with changes that were never published', async () => {
      const id = await make({ title: 'Public' });
      await api.write('PATCH', `/api/essays/${id}?status=draft`, { title: 'Ahead' });
      const response = await act(id, 'unpublish');
      expect({ status: response.status, length: response.raw.length }).toEqual({ status: 204, length: 0 });
      expect(await titles(id)).toEqual([404, 'Ahead']);
      expect((await act(id, 'unpublish')).status).toBe(204);
      expect((await act(id, 'publish')).status).toBe(200);
      expect(await titles(id)).toEqual(['Ahead', 'Ahead']);
    });

    it('unpublish leaves no row behind', async () => {
      const data = await api.write('POST', '/api/essays', { title: 'Public', badge: { label: 'one of two' } });
      await act(String(data.documentId), 'unpublish');
      expect(await api.query("SELECT COUNT(*) FROM components_part_badges WHERE label = 'one of two'")).toEqual([[1]]);
      expect(await api.query(`SELECT COUNT(*) FROM essays_cmps WHERE entity_id = ${String(data.id)}`)).toEqual([[0]]);
    });

    it('discard-draft?status=published: 200 with the draft, as it was published', async () => {
      const id = await make({ title: 'Public', badges: [{ label: 'a' }, { label: 'b' }] });
      await api.write('PATCH', `/api/essays/${id}?status=draft`, { title: 'Ahead', badges: [{ label: 'c' }] });
      const response = await act(id, 'discard-draft', '?status=published&populate=badges');
      expect(response.status).toBe(200);
      expect(dataOf(response)).toMatchObject({ title: 'Public', publishedAt: null, badges: [{ label: 'a' }, { label: 'b' }] });
      expect(await titles(id)).toEqual(['Public', 'Public']);
    });

    it('404 where there is nothing to act on', async () => {
      const id = await make({ title: 'Never' }, '?status=draft');
      const nobody = 'aaaaaaaaaaaaaaaaaaaaaaaa';
      const asked = [act(id, 'discard-draft'), act(id, 'publish', '?locale=de'), act(id, 'unpublish', '?locale=de')];
      const missing = ['publish', 'unpublish', 'discard-draft'].map((action) => act(nobody, action));
      const statuses = (await Promise.all([...asked, ...missing])).map(({ status }) => status);
      expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    });

    it('in one locale, or in all', async () => {
      const id = await make({ title: 'English' }, '?status=draft');
      await api.write('PATCH', `/api/essays/${id}?locale=de&status=draft`, { title: 'Deutsch' });
      expect(dataOf(await act(id, 'publish', '?locale=de'))).toMatchObject({ title: 'Deutsch', locale: 'de' });
      expect(await titles(id, '&locale=en')).toEqual([404, 'English']);
      expect(await titles(id, '&locale=de')).toEqual(['Deutsch', 'Deutsch']);
      expect((await act(id, 'publish', '?locale=*')).status).toBe(200);
      expect(await titles(id, '&locale=en')).toEqual(['English', 'English']);
      for (const locale of ['en', 'de']) await api.write('PATCH', `/api/essays/${id}?status=draft&locale=${locale}`, { title: 'Other' });
      expect((await act(id, 'discard-draft', '?locale=*')).status).toBe(200);
      expect(await titles(id, '&locale=en')).toEqual(['English', 'English']);
      expect(await titles(id, '&locale=de')).toEqual(['Deutsch', 'Deutsch']);
      expect((await act(id, 'unpublish', '?locale=*')).status).toBe(204);
      expect(await titles(id, '&locale=en')).toEqual([404, 'English']);
      expect(await titles(id, '&locale=de')).toEqual([404, 'Deutsch']);
      expect((await act(id, 'publish', '?locale=fr')).status).toBe(400);
    });

    it('all or nothing: one locale that cannot be published prevents publishing the others', async () => {
      const id = await make({ title: 'English' }, '?status=draft');
      await api.write('PATCH', `/api/essays/${id}?locale=de&status=draft`, { title: 'D' });
      expect((await act(id, 'publish', '?locale=*')).status).toBe(400);
      expect(await titles(id, '&locale=en')).toEqual([404, 'English']);
    });

    it('of a single type', async () => {
      await api.write('PATCH', '/api/cover?status=draft', { head: 'Draft' });
      expect((await api.ask('full', 'GET', '/api/cover')).status).toBe(404);
      const published = await api.ask('full', 'POST', '/api/cover/actions/publish');
      expect(dataOf(published)).toMatchObject({ head: 'Draft', locale: 'en' });
      await api.write('PATCH', '/api/cover?status=draft', { head: 'Ahead' });
      expect(dataOf(await api.ask('full', 'POST', '/api/cover/actions/discard-draft'))).toMatchObject({ head: 'Draft', publishedAt: null });
      expect((await api.ask('full', 'POST', '/api/cover/actions/unpublish')).status).toBe(204);
      expect((await api.ask('full', 'GET', '/api/cover')).status).toBe(404);
      await api.ask('full', 'DELETE', '/api/cover');
      expect((await api.ask('full', 'POST', '/api/cover/actions/publish')).status).toBe(404);
    });

    it('exist only for types with drafts', async () => {
      const { documentId } = await api.write('POST', '/api/plains', { name: 'P' });
      for (const action of ['publish', 'unpublish', 'discard-draft'])
        expect((await api.ask('full', 'POST', `/api/plains/${String(documentId)}/actions/${action}`)).status).toBe(405);
      expect((await act(String(documentId), 'nothing')).status).toBe(405);
      expect((await api.ask('full', 'GET', `/api/essays/${String(documentId)}/actions/publish`)).status).toBeGreaterThanOrEqual(404);
    });
  });

  describe('rights', () => {
    it('publish needs the right publish, whatever other rights the caller has', async () => {
      const id = await make({ title: 'Rights' }, '?status=draft');
      for (const who of ['public', 'author', 'editor']) {
        for (const action of ['publish', 'unpublish', 'discard-draft']) expect((await act(id, action, '', who)).status).toBe(403);
      }
      expect((await act(id, 'publish', '', 'publisher')).status).toBe(200);
      expect((await api.ask('publisher', 'PATCH', `/api/essays/${id}`, {})).status).toBe(403);
      expect((await act(id, 'unpublish', '', 'publisher')).status).toBe(204);
      expect((await api.ask('publisher', 'POST', '/api/cover/actions/publish')).status).toBe(403);
      await api.write('PATCH', '/api/cover?status=draft', { head: 'Draft' });
      expect((await api.ask('redactor', 'POST', '/api/cover/actions/publish')).status).toBe(200);
    });

    it('actions that return a draft need findDraft, and change nothing without it', async () => {
      const id = await make({ title: 'Rights' });
      await api.write('PATCH', `/api/essays/${id}?status=draft`, { title: 'Ahead' });
      for (const response of [
        await api.ask('author', 'PATCH', `/api/essays/${id}?status=draft`, { title: 'Mine' }),
        await api.ask('author', 'PUT', `/api/essays/${id}?status=draft`, { title: 'Mine', pages: 1 }),
        await act(id, 'discard-draft', '', 'publisher'),
      ]) {
        expect(errorOf(response)).toMatchObject({ status: 403, message: expect.stringContaining('api::essay.essay.findDraft') });
      }
      expect(await titles(id)).toEqual(['Rights', 'Ahead']);
      expect(dataOf(await api.ask('editor', 'PATCH', `/api/essays/${id}?status=draft`, { title: 'Edited' })).title).toBe('Edited');
      expect((await act(id, 'discard-draft', '', 'redactor')).status).toBe(200);
    });

    it('a newly written draft is returned once, without findDraft', async () => {
      const made = await api.ask('author', 'POST', '/api/essays?status=draft', { title: 'Own' });
      expect({ status: made.status, title: dataOf(made).title }).toEqual({ status: 201, title: 'Own' });
      const again = await api.ask('author', 'GET', `/api/essays/${String(dataOf(made).documentId)}?status=draft`);
      expect(again.status).toBe(403);
      const other = await make({ title: 'Other draft' }, '?status=draft');
      const linked = await api.ask('author', 'POST', '/api/essays?status=draft&populate=next', { title: 'Linked', next: other });
      expect(linked.text).not.toContain('Other draft');
    });
  });

  it('shared attributes are copied to the drafts of the other locales as well', async () => {
    const id = await make({ title: 'English', pages: 1, badge: { label: 'one' } });
    await api.write('PATCH', `/api/essays/${id}?locale=de`, { title: 'Deutsch' });
    await api.write('PATCH', `/api/essays/${id}?locale=de`, { pages: 2, badge: { label: 'two' } });
    for (const query of ['locale=en&status=draft', 'locale=en', 'locale=de', 'locale=de&status=draft'])
      expect(await api.read(`/api/essays/${id}?${query}&populate=badge`)).toMatchObject({ pages: 2, badge: { label: 'two' } });
    await api.write('PATCH', `/api/essays/${id}`, { title: 'English again' });
    expect(await api.read(`/api/essays/${id}?locale=de`)).toMatchObject({ title: 'Deutsch', pages: 2 });
    // A draft is nobody's business but that of the other drafts.
    await api.write('PATCH', `/api/essays/${id}?status=draft`, { pages: 3 });
    expect(await api.read(`/api/essays/${id}?locale=de&status=draft`)).toMatchObject({ pages: 3 });
    expect(await api.read(`/api/essays/${id}?locale=de`)).toMatchObject({ pages: 2 });
  });
});

describe.each(anyEngine)('%s: policies that are off', (engine) => {
  const env = { LECTERN_POLICIES_SYNC_DRAFTS: 'false', LECTERN_POLICIES_DRAFTS_NEED_RIGHT: 'false' };
  const api = useProject(engine, { ...options, env });

  it('syncDrafts: the drafts of other locales are not changed', async () => {
    const path = await api.make('/api/essays', { title: 'English', pages: 1 });
    await api.write('PATCH', `${path}?locale=de`, { title: 'Deutsch' });
    await api.write('PATCH', `${path}?locale=de`, { pages: 2 });
    expect(await api.read(path)).toMatchObject({ pages: 2 });
    expect(await api.read(`${path}?status=draft`)).toMatchObject({ pages: 1 });
  });

  it('draftsNeedRight: drafts are shown to every caller who may write them', async () => {
    const path = await api.make('/api/essays?status=draft', { title: 'Draft' });
    const response = await api.ask('author', 'PATCH', `${path}?status=draft`, { title: 'Mine' });
    expect(dataOf(response)).toMatchObject({ title: 'Mine', publishedAt: null });
  });
});
