/** Create, update and delete in the default profile: responses, the full body of a PUT, and locales. What both profiles do is recorded, and replayed by
 *  `test/compatibility/writes.test.ts`. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { countOf, noteProject, pathOf, whole } from '../../support/notes.ts';
import { dataOf, errorOf, errorPaths, idOf, useProject } from '../../support/served-project.ts';

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
      const v4 = { 'Strapi-Response-Format': 'v4' };
      const inV4 = await api.ask('full', 'PATCH', `${pathOf('note', dataOf(created))}${query}`, { title: 'Again' }, v4);
      expect(inV4.json()).toMatchObject({ data: { attributes: { title: 'Again', friend: { data: { attributes: { title: 'Kept' } } } } } });
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
  });

  // What does not depend on the database.
  if (!anyEngine.includes(engine)) return;

  describe('the full body of a PUT', () => {
    it('one error for each missing field, and a message that names the alternative', async () => {
      const path = await api.make('/api/notes', { title: 'Before' });
      const error = errorOf(await api.ask('full', 'PUT', path, { title: 'After' }));
      expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
      expect(error.message).toMatch(/^5 errors occurred: .*null clears.*PATCH.*policies\.partialPut/);
      expect(error.details.errors).toEqual(
        ['body', 'rank', 'tint', 'flow', 'extra'].map((name) => ({
          path: [name],
          name: 'ValidationError',
          message: expect.stringMatching(new RegExp(`^${name} is missing: .*null clears.*PATCH.*policies\\.partialPut`)),
        })),
      );
      expect(await api.read(path)).toMatchObject({ title: 'Before' });
    });

    it('together with everything else that is wrong', async () => {
      const { rank: _, ...rest } = whole;
      const path = `/api/notes/${idOf('note', 'kept')}`;
      expect(errorPaths(await api.ask('full', 'PUT', path, rest))).toEqual(['rank']);
      const response = await api.ask('full', 'PUT', path, { ...rest, tint: 'green', title: null });
      expect(errorPaths(response)?.sort()).toEqual(['rank', 'tint', 'title']);
    });

    it('relations, media, components, zones, private and password attributes may be omitted and stay', async () => {
      const populate =
        '?populate[friend][fields]=title&populate[photo][fields]=name&populate[stamp]=true&populate[strips]=true&populate[zone]=true';
      const created = await api.write('POST', `/api/notes${populate}`, {
        title: 'Before',
        pin: 'secret',
        hidden: 'hush',
        friend: idOf('note', 'kept'),
        photo: 1,
        stamp: { label: 's' },
        strips: [{ label: 'a' }, { label: 'b' }],
        zone: [{ __component: 'part.stamp', label: 'z' }],
      });
      const row = `SELECT pin, hidden FROM notes WHERE document_id = '${String(created.documentId)}'`;
      const before = await api.query(row);
      expect(before).toEqual([[expect.stringMatching(/^\$2/), 'hush']]);
      const put = await api.write('PUT', `/api/notes/${String(created.documentId)}${populate}`, whole);
      const { friend, photo, stamp, strips, zone } = created;
      expect(put).toMatchObject({ ...whole, friend, photo, stamp, strips, zone });
      expect(await api.query(row)).toEqual(before);
    });

    it('null clears a field, and PATCH needs none of it', async () => {
      const path = await api.make('/api/notes', whole);
      expect(await api.write('PATCH', path, { rank: 2 })).toMatchObject({ ...whole, rank: 2 });
      expect(await api.write('PATCH', path, {})).toMatchObject({ ...whole, rank: 2 });
      const cleared = { title: 'Left', body: null, rank: null, tint: null, flow: null, extra: null };
      expect(await api.write('PUT', path, cleared)).toMatchObject(cleared);
    });

    it('creating a single type follows the rules for creations', async () => {
      const missing = errorOf(await api.ask('full', 'PUT', '/api/motto', { rank: 1 }));
      expect(missing).toMatchObject({ status: 400, message: 'text is required: expected a text ("required" in the schema file)' });
      expect((await api.ask('full', 'GET', '/api/motto')).status).toBe(404);
      const created = await api.ask('full', 'PUT', '/api/motto', { text: 'Read' });
      expect({ status: created.status, data: dataOf(created) }).toMatchObject({ status: 200, data: { text: 'Read', rank: null } });
      const again = errorOf(await api.ask('full', 'PUT', '/api/motto', { text: 'Read more' }));
      expect(again.details.errors?.map(({ path }) => path)).toEqual([['rank']]);
      expect(await api.write('PATCH', '/api/motto', { text: 'Read more' })).toMatchObject({
        documentId: dataOf(created).documentId,
        text: 'Read more',
      });
    });
  });

  describe('the locale', () => {
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
      ['POST', '/api/storys?locale=fr', { title: 'L' }],
      ['POST', '/api/storys', { title: 'L', locale: 'fr' }],
      ['POST', '/api/storys?locale=DE', { title: 'L' }],
      ['PATCH', '/api/banner?locale=fr', {}],
      ['PUT', '/api/banner?locale=fr', {}],
      ['DELETE', '/api/banner?locale=fr', undefined],
    ])('%s %s %j: 400 with the existing locales', async (method, path, data) => {
      const before = await countOf(api, 'story');
      const error = errorOf(await api.ask('full', method, path, data));
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
      const path = await api.make('/api/storys', { title: 'Stays' });
      for (const method of ['PUT', 'PATCH'])
        expect(await api.write(method, path, { title: 'Stays', pages: 1, locale: 'de' })).toMatchObject({ locale: 'en' });
      expect((await api.ask('full', 'GET', `${path}?locale=de`)).status).toBe(404);
    });
  });
});
