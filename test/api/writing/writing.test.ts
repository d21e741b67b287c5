/** Create, update and delete in the default profile: statuses and responses. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { countOf, noteProject, pathOf, whole } from '../../support/notes.ts';
import { dataOf, errorOf, idOf, type Json, useProject } from '../../support/served-project.ts';

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const documentId = expect.stringMatching(/^[a-z][a-z0-9]{23}$/);

describe.each(engines)('%s: writing', (engine) => {
  const api = useProject(engine, noteProject);

  describe('responses', () => {
    it('POST: 201 with the document, without what only populate shows', async () => {
      const response = await api.ask('full', 'POST', '/api/notes', {
        title: 'A',
        tint: 'blue',
        pin: 'secret',
        hidden: 'hush',
        friend: idOf('note', 'kept'),
        stamp: { label: 'x' },
      });
      expect(response.status).toBe(201);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.json()).toEqual({
        data: {
          id: expect.any(Number),
          documentId,
          title: 'A',
          body: null,
          rank: 7,
          tint: 'blue',
          flow: null,
          extra: null,
          sealed: null,
          createdAt: moment,
          updatedAt: moment,
          publishedAt: moment,
        },
        meta: {},
      });
    });

    it('PUT and PATCH: 200 with the same shape; the id and createdAt stay, updatedAt grows', async () => {
      const first = await api.write('POST', '/api/notes', { title: 'A' });
      const put = await api.ask('full', 'PUT', pathOf('note', first), whole);
      expect(put.status).toBe(200);
      expect(put.json()).toEqual({
        data: { ...first, ...whole, updatedAt: moment, publishedAt: moment },
        meta: {},
      });
      const patch = await api.ask('full', 'PATCH', pathOf('note', first), { body: null });
      expect(patch.status).toBe(200);
      expect(dataOf(patch)).toMatchObject({ ...whole, id: first.id, documentId: first.documentId, body: null, createdAt: first.createdAt });
      const times = [first, dataOf(put), dataOf(patch)].map(({ updatedAt }) => String(updatedAt));
      expect(new Set(times).size).toBe(3);
      expect([...times].sort()).toEqual(times);
    });

    it('the response to a write equals a read', async () => {
      const query = '?populate[friend][fields]=title&populate[stamp]=true&populate[zone]=true&populate[photo][fields]=name';
      const created = await api.ask('full', 'POST', `/api/notes${query}`, {
        title: 'Populated',
        friend: idOf('note', 'kept'),
        photo: 1,
        stamp: { label: 's', year: 1 },
        zone: [{ __component: 'part.stamp', label: 'z' }],
      });
      expect(dataOf(created)).toMatchObject({
        friend: { title: 'Kept' },
        photo: { name: 'lamp.png' },
        stamp: { label: 's', year: 1 },
        zone: [{ __component: 'part.stamp', label: 'z', year: null }],
      });
      const read = await api.ask('full', 'GET', `${pathOf('note', dataOf(created))}${query}`);
      expect(read.text).toBe(created.text);
      expect(read.headers.etag).toBe(created.headers.etag);
      const patched = await api.ask('full', 'PATCH', `${pathOf('note', dataOf(created))}${query}`, { title: 'Again' });
      const reread = await api.ask('full', 'GET', `${pathOf('note', dataOf(created))}${query}`);
      expect(reread.text).toBe(patched.text);
      expect(reread.headers.etag).toBe(patched.headers.etag);
      expect(reread.headers.etag).not.toBe(read.headers.etag);
      const head = await api.ask('full', 'HEAD', `${pathOf('note', dataOf(created))}${query}`);
      expect({ status: head.status, tag: head.headers.etag, length: head.raw.length }).toEqual({
        status: 200,
        tag: reread.headers.etag,
        length: 0,
      });
    });

    it('fields selects the attributes of the response', async () => {
      const data = dataOf(await api.ask('full', 'POST', '/api/notes?fields=title', { title: 'F' }));
      expect(data).toEqual({ id: expect.any(Number), documentId, title: 'F' });
      expect(dataOf(await api.ask('full', 'PATCH', `${pathOf('note', data)}?fields[0]=rank&fields[1]=body`, { rank: 3 }))).toEqual({
        id: data.id,
        documentId: data.documentId,
        rank: 3,
        body: null,
      });
    });

    it('v4 envelope', async () => {
      const v4 = { 'Strapi-Response-Format': 'v4' };
      const created = await api.ask(
        'full',
        'POST',
        '/api/notes?populate[friend][fields]=title',
        { title: 'V4', friend: idOf('note', 'kept') },
        v4,
      );
      expect(created.status).toBe(201);
      expect(created.json()).toMatchObject({
        data: { id: expect.any(Number), attributes: { title: 'V4', friend: { data: { attributes: { title: 'Kept' } } } } },
        meta: {},
      });
      const id = String((created.json() as { data: Json }).data.documentId);
      const patched = await api.ask('full', 'PATCH', `/api/notes/${id}`, { title: 'V5' }, v4);
      expect(patched.json()).toMatchObject({ data: { attributes: { title: 'V5' } } });
    });

    it('other parameters of a GET are checked and change nothing', async () => {
      const query = '?filters[title]=nobody&sort=title:desc&pagination[page]=9';
      const data = await api.write('POST', `/api/notes${query}`, { title: 'Not nobody' });
      expect(data).toMatchObject({ title: 'Not nobody' });
      expect(await api.write('PATCH', `${pathOf('note', data)}${query}`, { body: 'x' })).toMatchObject({ title: 'Not nobody', body: 'x' });
    });

    it('wrong parameters are refused before anything is written', async () => {
      const before = await countOf(api, 'note');
      const kept = `/api/notes/${idOf('note', 'kept')}`;
      for (const query of ['fields=hidden', 'populate=nope', 'filters[nope]=1', 'status=nope']) {
        const response = await api.ask('full', 'POST', `/api/notes?${query}`, { title: 'Never' });
        expect(errorOf(response)).toMatchObject({ status: 400, name: 'ValidationError', message: expect.stringMatching(/nope|hidden/) });
        expect((await api.ask('full', 'PATCH', `${kept}?${query}`, { title: 'Never' })).status).toBe(400);
      }
      expect(await countOf(api, 'note')).toBe(before);
      expect(await api.read(kept)).toMatchObject({ title: 'Kept' });
    });

    it('documents and routes that do not exist', async () => {
      const before = await countOf(api, 'note');
      for (const [method, path, status] of [
        ['PUT', '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', 404],
        ['PATCH', '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', 404],
        ['PUT', '/api/notes/1', 404],
        ['PATCH', '/api/notes/1', 404],
        ['DELETE', '/api/notes/1', 204],
        ['DELETE', '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', 204],
        ['POST', '/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', 405],
        ['PUT', '/api/notes', 405],
        ['PATCH', '/api/notes', 405],
        ['DELETE', '/api/notes', 405],
        ['POST', '/api/motto', 405],
        ['POST', '/api/nothings', 405],
      ] as const)
        expect((await api.ask('full', method, path, method === 'DELETE' ? undefined : whole)).status, `${method} ${path}`).toBe(status);
      expect(await countOf(api, 'note')).toBe(before);
    });

    it('a trailing slash changes nothing', async () => {
      const data = await api.write('POST', '/api/notes/', { title: 'Slash' });
      expect((await api.ask('full', 'DELETE', `${pathOf('note', data)}/`)).status).toBe(204);
    });

    it('a body without data', async () => {
      for (const body of [{}, { data: null }, { data: 5 }, [], undefined])
        expect(errorOf(await api.send('full', { method: 'POST', path: '/api/notes', body }))).toEqual({
          ...{ status: 400, name: 'ValidationError', code: 'body.no-data', details: {} },
          message: 'The body must be an object with the object "data", as in {"data": {…}}',
        });
    });
  });

  describe('DELETE', () => {
    it('204 without body and type; the document and its components are deleted', async () => {
      const data = await api.write('POST', '/api/notes', {
        title: 'Gone',
        photo: 1,
        stamp: { label: 'gone' },
        strips: [{ label: 'gone' }],
        zone: [{ __component: 'part.stamp', label: 'gone' }],
        friend: idOf('note', 'kept'),
      });
      const response = await api.ask('full', 'DELETE', pathOf('note', data));
      expect({ status: response.status, length: response.raw.length, type: response.headers['content-type'] }).toEqual({
        status: 204,
        length: 0,
        type: undefined,
      });
      expect((await api.ask('full', 'GET', pathOf('note', data))).status).toBe(404);
      const left = [
        `SELECT COUNT(*) FROM notes_cmps WHERE entity_id = ${String(data.id)}`,
        "SELECT COUNT(*) FROM components_part_stamps WHERE label = 'gone'",
        `SELECT COUNT(*) FROM files_related_mph WHERE related_id = ${String(data.id)} AND related_type = 'api::note.note'`,
        `SELECT COUNT(*) FROM notes_friend_lnk WHERE note_id = ${String(data.id)}`,
      ];
      for (const text of left) expect(await api.query(text)).toEqual([[0]]);
      expect(await api.read(`/api/notes/${idOf('note', 'kept')}`)).toMatchObject({ title: 'Kept' });
    });

    it('a single type, again and again', async () => {
      await api.write('PATCH', '/api/motto', { text: 'Short' });
      for (const _ of [1, 2]) expect((await api.ask('full', 'DELETE', '/api/motto')).status).toBe(204);
      expect((await api.ask('full', 'GET', '/api/motto')).status).toBe(404);
    });

    it('of one locale, of the default one, of all', async () => {
      const make = async () => {
        const { documentId: id } = await api.write('POST', '/api/storys', { title: 'English' });
        await api.write('PATCH', `/api/storys/${String(id)}?locale=de`, { title: 'Deutsch' });
        return `/api/storys/${String(id)}`;
      };
      const statuses = async (path: string) =>
        Promise.all(['en', 'de'].map(async (locale) => (await api.ask('full', 'GET', `${path}?locale=${locale}`)).status));
      const [one, byDefault, all] = [await make(), await make(), await make()];
      expect((await api.ask('full', 'DELETE', `${one}?locale=de`)).status).toBe(204);
      expect(await statuses(one)).toEqual([200, 404]);
      expect((await api.ask('full', 'DELETE', byDefault)).status).toBe(204);
      expect(await statuses(byDefault)).toEqual([404, 200]);
      expect((await api.ask('full', 'DELETE', `${all}?locale=*`)).status).toBe(204);
      expect(await statuses(all)).toEqual([404, 404]);
      expect((await api.ask('full', 'DELETE', `${one}?locale=de`)).status).toBe(204);
      expect((await api.ask('full', 'DELETE', `${one}?locale=fr`)).status).toBe(400);
    });

    it('takes draft and published version together', async () => {
      const { documentId: id } = await api.write('POST', '/api/storys', { title: 'Both' });
      const refused = await api.ask('full', 'DELETE', `/api/storys/${String(id)}?status=draft`);
      expect(refused.status).toBe(400);
      expect(await api.query(`SELECT COUNT(*) FROM storys WHERE document_id = '${String(id)}'`)).toEqual([[2]]);
      expect((await api.ask('full', 'DELETE', `/api/storys/${String(id)}`)).status).toBe(204);
      expect(await api.query(`SELECT COUNT(*) FROM storys WHERE document_id = '${String(id)}'`)).toEqual([[0]]);
    });
  });
});
