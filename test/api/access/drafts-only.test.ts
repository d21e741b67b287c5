/** The preset `drafts-only`: a caller saves drafts, and changes nothing that visitors see. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newAddress, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { multipart } from '../../support/multipart.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { dataOf, errorOf, useProject } from '../../support/served-project.ts';
import { file } from '../../support/uploads.ts';

const text = { type: 'string' };
const author = { username: 'ada', email: 'ada@example.org', password: 'Pass-of-ada-1' };
const draftsOnly = { preset: 'drafts-only' };
const drafted = { create: draftsOnly, update: draftsOnly, delete: draftsOnly };
const reads = { find: true, findOne: true, findDraft: true };

describe.each(engines)('%s: drafts-only', (engine) => {
  const served = useProject(engine, {
    files: {
      ...schemaFiles({
        story: {
          plural: 'stories',
          drafts: true,
          localized: true,
          attributes: {
            title: { ...text, ...translated },
            code: text,
            cover: { type: 'media', multiple: false, allowedTypes: ['images', 'files'] },
            topic: relation('manyToOne', 'topic', { inversedBy: 'stories' }),
          },
        },
        topic: { drafts: true, attributes: { name: text, stories: relation('oneToMany', 'story', { mappedBy: 'topic' }) } },
        own: { plural: 'owns', drafts: true, attributes: { title: text } },
        front: { single: true, drafts: true, attributes: { title: text } },
      }),
      'permissions.json': {
        roles: {
          authenticated: {
            rights: {
              'api::*': { ...reads, ...drafted },
              topic: { ...reads, create: true, update: true },
              own: { ...reads, ...drafted, update: { ...draftsOnly, where: { title: { $ne: 'closed' } } } },
              'plugin::upload.content-api': ['upload', 'find'],
            },
          },
        },
      },
    },
    locales: seedLocales('en', 'de'),
    users: [author],
    public: ['plugin::users-permissions.auth.callback'],
    env: { JWT_SECRET: 'drafts-only-jwt-secret-of-some-length', LECTERN_PROFILE: 'specification' },
  });
  let jwt = '';
  beforeAll(async () => {
    const body = { identifier: author.username, password: author.password };
    jwt = signedInBy(await served.send('public', { method: 'POST', path: '/api/auth/local', body, from: newAddress() })).jwt;
  });

  const as = (method: string, path: string, data?: object): Promise<HttpResponse> =>
    served.ask('public', method, path, data, { Authorization: `Bearer ${jwt}` });
  const titlesOf = async (table: string, documentId: string) =>
    (await served.query(`SELECT title, CASE WHEN published_at IS NULL THEN 'draft' ELSE 'published' END, locale FROM ${table}
      WHERE document_id = '${documentId}' ORDER BY id`)) as unknown[];
  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  const refused = async (response: Promise<HttpResponse>) => {
    const error = errorOf(await response);
    expect({ status: error.status, code: error.code, message: error.message }).toEqual({
      status: 403,
      code: 'access.drafts-only',
      message: 'The right is restricted to drafts: write with status=draft, and leave published documents',
    });
  };

  it.each(['', '?status=published', '?status=published&locale=de', '?populate=*'])(
    'creates nothing that is published: %j',
    async (query) => {
      const rows = () => served.query('SELECT id FROM stories');
      const before = (await rows()).length;
      await refused(as('POST', `/api/stories${query}`, { title: 'new' }));
      expect(await rows()).toHaveLength(before);
    },
  );

  it('saves drafts, edits and deletes them', async () => {
    const created = await as('POST', '/api/stories?status=draft', { title: 'one' });
    expect(created.status, created.text).toBe(201);
    const path = `/api/stories/${dataOf(created).documentId}`;
    expect((await as('PATCH', `${path}?status=draft`, { title: 'two' })).status).toBe(200);
    expect((await as('PATCH', `${path}?status=draft&locale=de`, { title: 'zwei' })).status).toBe(200);
    expect(await titlesOf('stories', idOf(path))).toEqual([
      ['two', 'draft', 'en'],
      ['zwei', 'draft', 'de'],
    ]);
    expect((await as('DELETE', `${path}?locale=*`)).status).toBe(204);
    expect(await titlesOf('stories', idOf(path))).toEqual([]);
  });

  it.each(['PATCH', 'PUT'])('edits the draft of a published document, and does not publish it: %s', async (method) => {
    const path = await served.make('/api/stories', { title: 'open', code: 'a' });
    await served.write('PUT', `${path}?locale=de`, { title: 'offen', code: 'a' });
    const before = await served.query(
      `SELECT code, title, updated_at FROM stories WHERE document_id = '${idOf(path)}' AND published_at IS NOT NULL`,
    );
    for (const query of ['', '?status=published', '?locale=de', '?locale=de&status=published'])
      await refused(as(method, path + query, { title: 'refused' }));
    const changed = await as(method, `${path}?status=draft`, { title: 'changed', code: 'b' });
    expect(changed.status, changed.text).toBe(200);
    // `code` is the same in every locale, and only drafts have the new one.
    expect(
      await served.query(`SELECT code, title, updated_at FROM stories WHERE document_id = '${idOf(path)}' AND published_at IS NOT NULL`),
    ).toEqual(before);
    expect((await titlesOf('stories', idOf(path)))[0]).toEqual(['changed', 'draft', 'en']);
  });

  it('neither publishes, unpublishes nor discards by the actions', async () => {
    const path = await served.make('/api/stories', { title: 'open' });
    for (const action of ['publish', 'unpublish', 'discard-draft'])
      expect({ action, status: (await as('POST', `${path}/actions/${action}`)).status }).toEqual({ action, status: 403 });
    expect(await titlesOf('stories', idOf(path))).toHaveLength(2);
  });

  it('deletes no document that is published, in the locales of the request', async () => {
    const path = await served.make('/api/stories?status=draft', { title: 'draft' });
    await served.write('PATCH', `${path}?locale=de`, { title: 'offen' });
    await refused(as('DELETE', `${path}?locale=de`));
    await refused(as('DELETE', `${path}?locale=*`));
    expect(await titlesOf('stories', idOf(path))).toHaveLength(3);
    expect((await as('DELETE', `${path}?locale=en`)).status).toBe(204);
    expect(await titlesOf('stories', idOf(path))).toEqual([
      ['offen', 'draft', 'de'],
      ['offen', 'published', 'de'],
    ]);
  });

  it('changes no published document through the other side of a relation', async () => {
    const story = await served.make('/api/stories', { title: 'open' });
    const topic = await served.make('/api/topics', { name: 'of it' });
    const published = async () =>
      served.query(`SELECT s.id FROM stories s JOIN stories_topic_lnk l ON l.story_id = s.id WHERE s.published_at IS NOT NULL`);
    const before = await published();
    const outside = errorOf(await as('PATCH', topic, { stories: { connect: [idOf(story)] } }));
    expect([outside.status, outside.code]).toEqual([403, 'access.outside']);
    expect(await published()).toEqual(before);
    // The draft of the topic is linked from the draft of the story.
    const ofDraft = await as('PATCH', `${topic}?status=draft`, { stories: { connect: [idOf(story)] } });
    expect(ofDraft.status, ofDraft.text).toBe(200);
    expect(await published()).toEqual(before);
  });

  it('attaches uploads to drafts alone', async () => {
    const path = await served.make('/api/stories', { title: 'open' });
    const attach = async (status: string) => {
      const fields = { ref: 'api::story.story', refId: idOf(path), field: 'cover', status };
      const { headers, body } = await multipart([
        ...Object.entries(fields).map(([name, value]) => ({ name, value })),
        file('a.txt', 'text', 'text/plain'),
      ]);
      return served.server.send({ method: 'POST', path: '/api/upload', headers: { ...headers, Authorization: `Bearer ${jwt}` }, body });
    };
    expect((await attach('published')).status).toBe(400);
    const attached = await attach('draft');
    expect(attached.status, attached.text).toBe(201);
    expect((await served.read(`${path}?populate=cover`)).cover).toBeNull();
    expect((await served.read(`${path}?populate=cover&status=draft`)).cover).toMatchObject({ name: 'a.txt' });
  });

  it('stands beside a condition, which documents have to match as well', async () => {
    const [open, closed] = [await served.make('/api/owns', { title: 'open' }), await served.make('/api/owns', { title: 'closed' })];
    expect((await as('PATCH', `${closed}?status=draft`, { title: 'other' })).status).toBe(404);
    expect((await as('PATCH', `${open}?status=draft`, { title: 'other' })).status).toBe(200);
    expect((await as('PATCH', `${open}?status=draft`, { title: 'closed' })).status).toBe(403);
    await refused(as('PATCH', open, { title: 'other' }));
  });

  it('makes and edits the draft of a single type', async () => {
    await refused(as('PUT', '/api/front', { title: 'one' }));
    expect((await as('PUT', '/api/front?status=draft', { title: 'one' })).status).toBe(200);
    await served.write('PUT', '/api/front', { title: 'two' });
    await refused(as('PATCH', '/api/front', { title: 'three' }));
    expect((await as('PATCH', '/api/front?status=draft', { title: 'three' })).status).toBe(200);
    await refused(as('DELETE', '/api/front'));
    expect((await served.read('/api/front')).title).toBe('two');
  });

  it('holds in profile strapi as well, where an empty status means the draft', async () => {
    const server = await served.beside({ LECTERN_PROFILE: 'strapi' });
    const post = (query: string) =>
      server.send({
        method: 'POST',
        path: `/api/stories${query}`,
        headers: { Authorization: `Bearer ${jwt}` },
        body: { data: { title: 'new' } },
      });
    for (const query of ['', '?status=published', '?status=other']) {
      const { status } = await post(query);
      expect({ query, status }).toEqual({ query, status: query === '?status=other' ? status : 403 });
    }
    expect((await post('?status=')).status).toBe(201);
    expect(await served.query(`SELECT id FROM stories WHERE title = 'new' AND published_at IS NOT NULL`)).toEqual([]);
  });
});
