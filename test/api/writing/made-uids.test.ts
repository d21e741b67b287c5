/** uids that a body leaves out: made from their target attribute, and unique. */
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { dataOf, errorOf, type Json, useProject } from '../../support/served-project.ts';

const title = { type: 'string' };
const files = schemaFiles({
  page: { attributes: { title, slug: { type: 'uid', targetField: 'title' } } },
  post: { drafts: true, attributes: { title, slug: { type: 'uid', targetField: 'title', required: true } } },
  place: {
    drafts: true,
    localized: true,
    attributes: { title: { ...title, pluginOptions: { i18n: { localized: true } } }, slug: { type: 'uid', targetField: 'title' } },
  },
  short: { attributes: { title, slug: { type: 'uid', targetField: 'title', maxLength: 6 } } },
  tiny: { attributes: { title, slug: { type: 'uid', targetField: 'title', maxLength: 2 } } },
  long: { attributes: { title, slug: { type: 'uid', targetField: 'title', minLength: 5 } } },
  must: { attributes: { title, slug: { type: 'uid', targetField: 'title', required: true } } },
  sealed: { attributes: { title, slug: { type: 'uid', targetField: 'title', private: true } } },
  plain: { attributes: { title, slug: { type: 'uid' } } },
  given: { attributes: { title, slug: { type: 'uid', targetField: 'title', default: 'fixed' } } },
});
const create = 'api::page.page.create';

describe.each(engines)('%s: a uid that the body leaves out', (engine) => {
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'fr'),
    public: [create, 'api::page.page.find', 'api::post.post.create', 'api::post.post.find'],
    rules: { public: { [create]: { fields: ['title'] } } },
    env: { LECTERN_PROFILE: 'specification' },
  });
  const made = async (type: string, data: Json, query = '') => (await api.write('POST', `/api/${type}s${query}`, data)).slug;

  it('is made of Latin letters', async () => {
    expect(await made('page', { title: 'Fog over Skerra' })).toBe('fog-over-skerra');
    expect(await made('page', { title: '  Ünïcode & Straße! ' })).toBe('uenicode-and-strasse');
    expect(await made('page', { title: 'Привет' })).toBe('privet');
    // As in Strapi, without any letter that has a Latin form it is the name of the type.
    expect(await made('page', { title: '你好' })).toBe('page');
    expect(await made('page', { title: '💡' })).toBe('page-1');
  });

  it('gets the first free suffix, and never that of another text', async () => {
    expect(await made('page', { title: 'Twice' })).toBe('twice');
    expect(await made('page', { title: 'Twice' })).toBe('twice-1');
    expect(await made('page', { title: 'Twice 2' })).toBe('twice-2');
    expect(await made('page', { title: 'Twice' })).toBe('twice-3');
    expect(await made('page', { title: 'twice', slug: 'mine' })).toBe('mine');
  });

  it('is different for twenty creates at once', async () => {
    const slugs = await Promise.all(Array.from({ length: 20 }, (_, index) => made('page', { title: index % 2 === 0 ? 'Race' : 'Race 1' })));
    expect(new Set(slugs).size).toBe(20);
  });

  it('is found after more documents than one look-up reads', async () => {
    await api.change(
      `INSERT INTO pages (document_id, title, slug, published_at) VALUES ${Array.from({ length: 1100 }, (_, at) => `('many${at}', 'Many', 'many${at === 0 ? '' : `-${at}`}', ${engineSql[engine].moment(1_700_000_000_000)})`).join(', ')}`,
    );
    const [one, other] = [await made('page', { title: 'Many' }), await made('page', { title: 'Many' })];
    expect(one).toMatch(/^many-[a-z][a-z0-9]{9}$/);
    expect(other).not.toBe(one);
  });

  it('is shortened to maxLength with its suffix, and left out where minLength refuses it', async () => {
    expect(await made('short', { title: 'Lighthouse' })).toBe('lighth');
    expect(await made('short', { title: 'Lighthouse' })).toBe('ligh-1');
    expect(await made('short', { title: 'Five five' })).toBe('five-f');
    expect(await made('short', { title: 'Light house' })).toBe('light');
    expect(await made('tiny', { title: 'Lighthouse' })).toBe('li');
    // The suffix -1 fills the value.
    expect(await made('tiny', { title: 'Lighthouse' })).toBe('1');
    expect(await made('tiny', { title: 'Lighthouse' })).toBe('2');
    expect(await made('long', { title: 'abc' })).toBeNull();
    expect(await made('page', { title: 'x'.repeat(255) })).toHaveLength(255);
  });

  it('stays null without a target and where the body says null, unless it is required or has a default', async () => {
    for (const data of [{}, { title: null }, { title: '  ' }, { title: 'Null', slug: null }]) expect(await made('page', data)).toBeNull();
    expect(await made('plain', { title: 'Plain' })).toBeNull();
    expect(await made('given', { title: 'Given' })).toBe('fixed');
    expect(await made('must', { title: 'Must' })).toBe('must');
    expect(await made('post', { title: 'Published' })).toBe('published');
    for (const data of [{}, { title: 'a', slug: null }])
      expect(errorOf(await api.ask('full', 'POST', '/api/musts', data)).message).toContain('slug is required');
  });

  it('is never changed later', async () => {
    const named = await api.make('/api/pages', { title: 'Before' });
    expect(await api.write('PATCH', named, { title: 'After' })).toMatchObject({ title: 'After', slug: 'before' });
    const empty = await api.make('/api/pages', { title: 'Emptied', slug: null });
    expect(await api.write('PATCH', empty, { title: 'After' })).toMatchObject({ slug: null });
  });

  it('is made where it is private, and where the caller may not write it', async () => {
    await api.write('POST', '/api/sealeds', { title: 'Sealed' });
    expect(await api.query('SELECT slug FROM sealeds')).toEqual([['sealed']]);
    expect((await api.ask('public', 'POST', '/api/pages', { title: 'Public', slug: 'mine' })).status).toBe(400);
    expect((await api.ask('public', 'POST', '/api/pages', { title: 'Public' })).status).toBe(201);
    expect(await api.query("SELECT slug FROM pages WHERE title = 'Public'")).toEqual([['public']]);
  });

  it('counts drafts for those who may read them, and tells others nothing of them', async () => {
    expect(await made('post', { title: 'Secret' }, '?status=draft')).toBe('secret');
    expect(await made('post', { title: 'Secret' }, '?status=draft')).toBe('secret-1');
    const response = await api.ask('public', 'POST', '/api/posts', { title: 'Secret' });
    expect(dataOf(response).slug).toBe('secret');
    expect(dataOf(await api.ask('public', 'POST', '/api/posts', { title: 'Secret' })).slug).toBe('secret-1');
  });

  it('is made in each locale by itself', async () => {
    const { documentId, slug } = await api.write('POST', '/api/places', { title: 'Harbour' });
    expect(slug).toBe('harbour');
    const french = await api.write('PATCH', `/api/places/${String(documentId)}?locale=fr`, { title: 'Port' });
    expect(french).toMatchObject({ title: 'Port', slug: 'port' });
    expect((await api.write('POST', '/api/places?locale=fr', { title: 'Harbour' })).slug).toBe('harbour');
    expect((await api.write('POST', '/api/places?locale=fr', { title: 'Harbour' })).slug).toBe('harbour-1');
  });
});

describe.each(anyEngine)('%s: in profile strapi', (engine) => {
  const api = useProject(engine, { files, env: { LECTERN_PROFILE: 'strapi' } });
  it('a uid that the body leaves out stays null', async () =>
    expect((await api.write('POST', '/api/pages', { title: 'Fog' })).slug).toBeNull());
});
