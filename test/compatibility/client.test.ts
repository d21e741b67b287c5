/** Strapi's own client for JavaScript, by nothing but what its documentation names. */
import { HTTPAuthorizationError, HTTPForbiddenError, HTTPNotFoundError, type StrapiClient, strapi } from '@strapi/client';
import { describe, expect, it } from 'vitest';
import { ada, jwtSecret, profiles } from '../support/accounts.ts';
import { anyEngine } from '../support/engines.ts';
import { relation, schemaFiles, translated } from '../support/schema-files.ts';
import { seedLocales } from '../support/seeds.ts';
import { useProject } from '../support/served-project.ts';
import { fixture } from './scenarios.ts';

const all = (type: string, ...actions: string[]) => actions.map((action) => `api::${type}.${type}.${action}`);
const users = (...actions: string[]) => actions.map((action) => `plugin::users-permissions.${action}`);

const files = schemaFiles({
  article: {
    drafts: true,
    localized: true,
    attributes: { title: { type: 'string', ...translated }, views: { type: 'integer' }, topic: relation('manyToOne', 'topic') },
  },
  topic: { attributes: { name: { type: 'string' } } },
  homepage: { single: true, attributes: { heading: { type: 'string' }, intro: { type: 'text' } } },
});

describe.each(anyEngine)('%s: @strapi/client', (engine) => {
  describe.each(profiles)('in profile %s', (profile) => {
    const served = useProject(engine, {
      files,
      locales: seedLocales('en', 'es'),
      types: [
        {
          type: 'api::topic.topic',
          documents: [
            { key: 'sea', status: 'published', data: { name: 'Sea' } },
            { key: 'land', status: 'published', data: { name: 'Land' } },
          ],
        },
        {
          type: 'api::article.article',
          documents: ['Tides', 'Boats', 'Hills'].map((title, index) => ({
            key: title,
            status: 'published' as const,
            data: { title, views: index, topic: title === 'Hills' ? 'land' : 'sea' },
          })),
        },
      ],
      users: [ada],
      public: [...all('article', 'find'), ...users('auth.callback', 'auth.register')],
      authenticated: [
        ...all('article', 'find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'),
        ...all('topic', 'find', 'findOne'),
        ...all('homepage', 'find', 'update', 'delete'),
        ...users('user.me'),
        ...['find', 'findOne', 'upload', 'destroy'].map((action) => `plugin::upload.content-api.${action}`),
      ],
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    const baseURL = () => `${served.server.base}/api`;
    const visitor = () => strapi({ baseURL: baseURL() });

    /** The client has no call of its own for it: its documentation names `fetch` for whatever else there is. */
    async function signIn(): Promise<StrapiClient> {
      const response = await visitor().fetch('/auth/local', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ identifier: ada.username, password: ada.password }),
      });
      const { jwt } = (await response.json()) as { readonly jwt: string };
      return strapi({ baseURL: baseURL(), auth: jwt, headers: { 'X-Custom-Header': 'value', 'Accept-Language': 'en-US' } });
    }

    let session: Promise<StrapiClient> | undefined;
    const signedIn = () => (session ??= signIn());

    it('requests as the user who has signed in', async () => {
      const response = await (await signedIn()).fetch('/users/me');
      expect(await response.json()).toMatchObject({ username: ada.username, email: ada.email });
    });

    it('reads lists, and relations as far as it may', async () => {
      const articles = visitor().collection('articles');
      const { data, meta } = await articles.find({
        locale: 'en',
        sort: ['views:desc'],
        fields: ['title', 'views'],
        filters: { title: { $contains: 's' }, $or: [{ views: { $gte: 1 } }, { title: 'Nothing' }] },
        pagination: { start: 0, limit: 10, withCount: true },
      });
      expect(data.map(({ title, views }) => [title, views])).toEqual([
        ['Hills', 2],
        ['Boats', 1],
      ]);
      expect(meta).toEqual({ pagination: { start: 0, limit: 10, total: 2 } });
      const query = { populate: { topic: { fields: ['name'] } }, filters: { title: 'Hills' } } as const;
      const [mine] = (await (await signedIn()).collection('articles').find(query)).data;
      expect(mine).toMatchObject({ title: 'Hills', topic: { name: 'Land' } });
      const [public_] = (await articles.find(query)).data;
      expect(public_).toMatchObject({ title: 'Hills' });
      expect(public_).not.toHaveProperty('topic');
    });

    it('creates, reads, changes and deletes documents', async () => {
      const client = await signedIn();
      const articles = client.collection('articles');
      const [sea] = (await client.collection('topics').find({ filters: { name: 'Sea' } })).data;
      const created = (await articles.create({ title: 'Ports', views: 7, topic: sea?.documentId }, { populate: ['topic'] })).data;
      expect(created).toMatchObject({ title: 'Ports', views: 7, locale: 'en', topic: { name: 'Sea' } });
      const id = created.documentId;
      expect((await articles.findOne(id, { fields: ['title'] })).data).toMatchObject({ documentId: id, title: 'Ports' });

      const body = profile === 'strapi' ? { title: 'Harbours' } : { title: 'Harbours', views: 7, topic: null };
      const updated = (await articles.update(id, body)).data;
      expect(updated).toMatchObject({ documentId: id, title: 'Harbours', views: 7 });
      const spanish = (await articles.update(id, { ...body, title: 'Puertos' }, { locale: 'es' })).data;
      expect(spanish).toMatchObject({ documentId: id, title: 'Puertos', locale: 'es' });
      expect((await articles.findOne(id, { locale: 'es' })).data.title).toBe('Puertos');

      await articles.delete(id, { locale: 'es' });
      await expect(articles.findOne(id, { locale: 'es' })).rejects.toBeInstanceOf(HTTPNotFoundError);
      await articles.delete(id);
      await expect(articles.findOne(id)).rejects.toBeInstanceOf(HTTPNotFoundError);
    });

    it('keeps drafts apart', async () => {
      const articles = (await signedIn()).collection('articles');
      const { data } = await articles.create({ title: 'Sketch', views: 0 }, { status: 'draft' });
      await expect(articles.findOne(data.documentId)).rejects.toBeInstanceOf(HTTPNotFoundError);
      expect((await articles.findOne(data.documentId, { status: 'draft' })).data).toMatchObject({ title: 'Sketch', publishedAt: null });
      await articles.update(data.documentId, { title: 'Sketch', views: 0, topic: null }, { status: 'published' });
      expect((await articles.findOne(data.documentId)).data.title).toBe('Sketch');
      await articles.delete(data.documentId);
    });

    it('writes, reads and deletes a single type', async () => {
      const homepage = (await signedIn()).single('homepage');
      await expect(homepage.find()).rejects.toBeInstanceOf(HTTPNotFoundError);
      expect((await homepage.update({ heading: 'Hello', intro: 'There' })).data).toMatchObject({ heading: 'Hello' });
      expect((await homepage.update({ heading: 'Welcome', intro: 'There' })).data).toMatchObject({ heading: 'Welcome' });
      expect((await homepage.find({ fields: ['heading'] })).data).toMatchObject({ heading: 'Welcome' });
      await homepage.delete();
      await expect(homepage.find()).rejects.toBeInstanceOf(HTTPNotFoundError);
    });

    it('uploads, lists, changes and deletes files', async () => {
      const { files: library } = await signedIn();
      const fileInfo = { alternativeText: 'A square', caption: 'Red' };
      const options = { filename: 'square.png', mimetype: 'image/png', fileInfo };
      const [file] = await library.upload(Buffer.from(fixture('red.png')), options);
      expect(file).toMatchObject({ name: 'square.png', mime: 'image/png', width: 40, ...fileInfo });
      const id = Number(file?.id);
      const images = await library.find({ filters: { mime: { $contains: 'image' } }, sort: ['name:asc'] });
      expect(images.map(({ name, mime }) => [name, mime])).toEqual([['square.png', 'image/png']]);
      expect(await library.find({ filters: { mime: { $contains: 'text' } } })).toEqual([]);
      expect(await library.findOne(id)).toMatchObject({ name: 'square.png', url: file?.url });
      expect(await library.update(id, { name: 'rectangle.png' })).toMatchObject({ id, name: 'rectangle.png', ...fileInfo });
      expect(await library.delete(id)).toMatchObject({ id, name: 'rectangle.png' });
      await expect(library.findOne(id)).rejects.toThrow();
    });

    it('works with users, by an API token', async () => {
      const auth = served.authorization('full').Authorization?.replace('Bearer ', '') ?? '';
      const client = strapi({ baseURL: baseURL(), auth });
      const [[role] = []] = await served.query("SELECT id FROM up_roles WHERE type = 'authenticated'");
      const john = { username: 'john', email: 'john@example.org', password: 'SecurePass123!', role: Number(role) };
      const people = client.collection('users');
      const created = (await people.create(john)) as unknown as { readonly id: number };
      expect(created).toMatchObject({ username: 'john', email: john.email });
      expect(await people.findOne(String(created.id))).toMatchObject({ username: 'john' });
      expect(await people.update(String(created.id), { username: 'john_updated' })).toMatchObject({ username: 'john_updated' });
      expect((await people.find()) as unknown).toHaveLength(2);
      await people.delete(String(created.id));
      expect((await people.find()) as unknown).toHaveLength(1);
    });

    it('gets an error for a request without the right', async () => {
      await expect(visitor().collection('articles').create({ title: 'No' })).rejects.toBeInstanceOf(HTTPForbiddenError);
      const stranger = strapi({ baseURL: baseURL(), auth: 'a'.repeat(256) });
      await expect(stranger.collection('articles').find()).rejects.toBeInstanceOf(HTTPAuthorizationError);
    });
  });
});
