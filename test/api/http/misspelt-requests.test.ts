/** What the message of a mistaken request tells its developer to do (in profile `strapi`, its hint), and what it must not tell. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const text = { type: 'string' };
const files = schemaFiles(
  {
    post: {
      attributes: {
        title: { type: 'string', required: true },
        slug: { type: 'string', unique: true },
        isbn: { type: 'string', private: true },
        author: relation('oneToOne', 'author'),
        vaults: relation('oneToMany', 'vault'),
        box: { type: 'component', component: 'part.box' },
        blocks: { type: 'dynamiczone', components: ['part.quote', 'part.image'] },
      },
    },
    author: { attributes: { name: text, nickname: text } },
    vault: { attributes: { code: text, safe: { type: 'component', component: 'part.safe' } } },
    story: {
      plural: 'stories',
      drafts: true,
      attributes: { title: { type: 'text', required: true }, parts: { type: 'component', component: 'part.line', repeatable: true } },
    },
    leaflet: {
      attributes: {
        body: { type: 'richtext', required: true },
        path: { type: 'uid', required: true },
        part: { type: 'component', component: 'part.line' },
      },
    },
  },
  {
    quote: { text },
    image: { url: text },
    price: { amount: text },
    box: { label: text, lid: { type: 'component', component: 'part.lid' } },
    lid: { colour: text },
    safe: { lock: text },
    line: { words: { type: 'string', required: true } },
  },
);
const rights = [
  ...['post', 'story', 'leaflet'].flatMap((name) =>
    ['find', 'findOne', 'create', 'update'].map((action) => `api::${name}.${name}.${action}`),
  ),
  'api::author.author.find',
];
const rules = { public: { 'api::author.author.find': { fields: ['name'] } } };
const options = (profile: string) => ({
  files,
  public: rights,
  rules,
  env: { LECTERN_PROFILE: profile, LECTERN_API_STRICT_PARAMS: 'true' },
});
const helpIn = (response: HttpResponse): string => {
  const { message, details } = errorOf(response);
  return (details as { hint?: string } | undefined)?.hint ?? message;
};

describe.each(anyEngine)('%s: a mistaken request', (engine) => {
  describe.each(['specification', 'strapi'])('in profile %s', (profile) => {
    const isPlain = profile === 'specification';
    const api = useProject(engine, options(profile));
    const helpOf = async (who: string, method: string, path: string, data?: unknown) => helpIn(await api.ask(who, method, path, data));

    it.each<[what: string, path: string, data: unknown, meant: string]>([
      ['a key of the body', '/api/posts', { titel: 'a' }, 'title'],
      ['a key of a component', '/api/posts', { title: 'a', box: { labl: 'a' } }, 'label'],
      ['a key of a nested component', '/api/posts', { title: 'a', box: { lid: { color: 'a' } } }, 'colour'],
      ['a key in a dynamic zone', '/api/posts', { title: 'a', blocks: [{ __component: 'part.quote', txt: 'a' }] }, 'text'],
      ['a key of a relation', '/api/posts', { title: 'a', author: { documentid: 'a' } }, 'documentId'],
      ['a field', '/api/posts?fields=titel', undefined, 'title'],
      ['a filter', '/api/posts?filters[titel]=a', undefined, 'title'],
      ['a filter in a group', '/api/posts?filters[$or][0][titel]=a', undefined, 'title'],
      ['a filter of a related type', '/api/posts?filters[author][nam]=a', undefined, 'name'],
      ['a filter of a component', '/api/posts?filters[box][lid][colur]=a', undefined, 'colour'],
      ['an operator', '/api/posts?filters[title][$contain]=a', undefined, '$contains'],
      ['a group', '/api/posts?filters[$annd][0][title]=a', undefined, '$and'],
      ['a sort', '/api/posts?sort=titel', undefined, 'title'],
      ['a sort by a related type', '/api/posts?sort=author.nam', undefined, 'name'],
      ['a populated attribute', '/api/posts?populate=autor', undefined, 'author'],
      ['a populated path', '/api/posts?populate=box.lidd', undefined, 'lid'],
      ['an attribute as a key of populate', '/api/posts?populate[autor]=true', undefined, 'author'],
      ['an option of populate', '/api/posts?populate[author][field]=name', undefined, 'fields'],
      ['a populated field', '/api/posts?populate[author][fields]=nam', undefined, 'name'],
      ['a parameter', '/api/posts?filter[title]=a', undefined, 'filters'],
      ['a parameter of a write', '/api/posts?populat=author', { title: 'a' }, 'populate'],
    ])('says what %s may have meant', async (_, path, data, meant) => {
      expect(await helpOf('public', data === undefined ? 'GET' : 'POST', path, data)).toContain(`did you mean ${meant}?`);
    });

    /** Each leads to an attribute or type that callers without a token may not know. */
    const hidden: readonly [what: string, path: string, data: unknown, full: string | undefined][] = [
      ['a private attribute', '/api/posts?fields=isbm', undefined, undefined],
      ['a private attribute in a body', '/api/posts', { isbm: 'a' }, undefined],
      ['an attribute outside of a restriction', '/api/posts?filters[author][nicknam]=a', undefined, 'nickname'],
      ['a relation to an unreadable type', '/api/posts?populate=vault', undefined, 'vaults'],
      ['a relation of a body to an unreadable type', '/api/posts', { vault: [] }, 'vaults'],
      ['an attribute of an unreadable type', '/api/posts?filters[vaults][cod]=a', undefined, 'code'],
      ['a component of an unreadable type', '/api/posts?sort=vaults.safe.lok', undefined, 'lock'],
    ];
    it.each(hidden)('does not name %s', async (_, path, data, full) => {
      const method = data === undefined ? 'GET' : 'POST';
      expect(await helpOf('public', method, path, data)).toMatch(/^Invalid key \w+(?: at [\w.]+)?$/);
      const toAll = await helpOf('full', method, path, data);
      if (full === undefined) expect(toAll).not.toContain('did you mean');
      else expect(toAll).toContain(`did you mean ${full}?`);
    });

    it('suggests nothing for a name as long as a body, or as short as most', async () => {
      expect(await helpOf('public', 'POST', '/api/posts', { ['title'.repeat(10_000)]: 'a' })).not.toContain('did you mean');
      expect(await helpOf('public', 'GET', '/api/posts?fields=xy')).not.toContain('did you mean');
    });

    it.each([
      ['/api/post', '/api/posts'],
      ['/api/Post/abc', '/api/posts'],
      ['/api/story', '/api/stories'],
      ['/api/posst', '/api/posts'],
      ['/api/vault', undefined],
      ['/api/vaultss', undefined],
      ['/api/posts/a/b/c', undefined],
      ['/api/nothing', undefined],
    ])('%s is told of %s', async (path, meant) => {
      const response = await api.ask('public', 'GET', path);
      const expected = isPlain && meant !== undefined ? `Not Found: did you mean ${meant}?` : 'Not Found';
      // As each recording of Strapi, without details.
      expect(errorOf(response)).toMatchObject({ status: 404, message: expected });
      expect(errorOf(response).details).toEqual({});
    });

    it.each(['limit=2', 'start=2', 'page=2', 'pageSize=2', 'pagination[offset]=2', 'pagination[pagesize]=2', 'pagination=2'])(
      '%s is told where pages are asked for',
      async (query) => {
        const response = await api.ask('public', 'GET', `/api/posts?${query}`);
        const isRefused = isPlain || /^page(Size)?=/.test(query);
        expect(response.status).toBe(isRefused ? 400 : 200);
        if (response.status === 400) expect(errorOf(response).message).toMatch(/pagination\[page\] and pagination\[pageSize\]/);
      },
    );

    it.each(['offset=3', 'skip=3', 'per_page=2', '_limit=2'])('%s, which chooses a page elsewhere, is told as well', async (query) => {
      expect(await helpOf('public', 'GET', `/api/posts?${query}`)).toBe(
        `Invalid pagination parameter ${query.replace(/=.*/, '')}: use pagination[page] and pagination[pageSize], or pagination[start] and pagination[limit]`,
      );
    });

    it.each(['{"data":{"title":"a"}}', 'title=a'])(
      'the form %s from a forgotten Content-Type is told which header to send',
      async (sent) => {
        const body = new URLSearchParams(sent);
        const response = await fetch(`${api.server.base}/api/posts`, { method: 'POST', body });
        const { error } = (await response.json()) as { error: { message: string; details: { hint?: string } } };
        expect(response.status).toBe(400);
        expect(isPlain ? error.message : error.details.hint).toContain('Content-Type: application/json');
      },
    );

    it.each<[what: string, method: string, path: string, data: unknown, wrong: string | undefined]>([
      ['a text', 'POST', '/api/posts', { title: '' }, 'title'],
      ['a rich text and a uid', 'POST', '/api/leaflets', { body: '', path: '' }, 'body,path'],
      ['a text in a component', 'POST', '/api/leaflets', { body: 'a', path: 'p', part: { words: '' } }, 'part.words'],
      ['a published text', 'POST', '/api/stories', { title: '', parts: [{ words: '' }] }, 'title,parts.0.words'],
      ['a text of a draft', 'POST', '/api/stories?status=draft', { title: '', parts: [{ words: '' }] }, undefined],
      ['a text that nothing requires', 'POST', '/api/posts', { title: 'a', slug: '' }, undefined],
    ])('empty, %s is no value of a required attribute in profile specification', async (_, method, path, data, wrong) => {
      const response = await api.ask('public', method, path, data);
      // The slug of another test's post may be empty as well.
      expect(response.status, response.text).toBe(isPlain && wrong !== undefined ? 400 : 201);
      if (response.status === 201) return;
      const { errors = [] } = errorOf(response).details;
      expect(errors.map((each) => each.path.join('.')).join()).toBe(wrong);
      for (const { message } of errors) expect(message).toContain('is required');
    });

    it('an empty text of a draft stands in the way of its publication in profile specification', async () => {
      const draft = await api.make('/api/stories?status=draft', { title: '' });
      expect((await api.ask('full', 'POST', `${draft}/actions/publish`)).status).toBe(isPlain ? 400 : 200);
    });

    it('a change to an empty text is refused in profile specification', async () => {
      const post = await api.make('/api/posts', { title: 'a' });
      expect((await api.ask('public', 'PATCH', post, { title: '' })).status).toBe(isPlain ? 400 : 200);
    });

    it.each([[{ __component: 'part.price' }], [{ __component: 'part.nothing' }]])('%j lists once what this zone takes', async (block) => {
      // As Strapi, the profile takes components that the zone does not list.
      if (!isPlain && block.__component === 'part.price') return;
      const help = await helpOf('public', 'POST', '/api/posts', { title: 'a', blocks: [block] });
      expect(help.match(/part\.quote, part\.image/g) ?? []).toHaveLength(1);
      expect(help).not.toContain('part.safe');
    });

    it.each(['/api/posts?filters[title]=caf\xc3\xa9', '/api/caf\xc3\xa9'])(
      'raw characters in the URL %s are told to be percent-encoded',
      async (target) => {
        const received = await sendRaw(api.server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect(received).toMatch(/^HTTP\/1\.1 400 .*percent-encode/s);
      },
    );

    it('405 is JSON with Allow in profile specification', async () => {
      const response = await api.ask('public', 'DELETE', '/api/posts');
      expect([response.status, response.headers.allow]).toEqual([405, 'HEAD, GET, POST, PATCH']);
      if (isPlain)
        expect(errorOf(response)).toMatchObject({ status: 405, message: 'This path does not support DELETE, only HEAD, GET, POST, PATCH' });
      else expect([response.text, response.headers['content-type']]).toEqual(['Method Not Allowed', 'text/plain; charset=utf-8']);
    });

    it('GET of a path that only takes POST is such a 405, and in profile strapi a 404 as recorded', async () => {
      for (const path of ['/api/auth/local', '/api/upload', '/api/stories/abc/actions/publish']) {
        const response = await api.ask('public', 'GET', path);
        const options = await api.server.send({ method: 'OPTIONS', path });
        if (isPlain) {
          expect([response.status, response.headers.allow, options.headers.allow], path).toEqual([405, 'POST', 'POST']);
          expect(errorOf(response).message).toBe('This path does not support GET, only POST');
          expect(await api.ask('public', 'PATCH', path)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
        } else expect([response.status, options.headers.allow], path).toEqual([404, 'HEAD, GET, POST']);
      }
    });

    it('a value that is taken names its attribute', async () => {
      await api.ask('public', 'POST', '/api/posts', { title: 'a', slug: 'taken' });
      const response = await api.ask('public', 'POST', '/api/posts', { title: 'b', slug: 'taken' });
      expect(helpIn(response)).toBe('slug must be unique: another document has this value already');
      const { errors = [] } = errorOf(response).details;
      expect(errors[0]?.value).toBe('taken');
      if (!isPlain) expect(errors[0]?.message).toBe('This attribute must be unique');
    });
  });
});
