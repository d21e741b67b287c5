/** Messages that name the attribute or parameter, the expected value and the setting; in profile `strapi`, hints beside Strapi's messages. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  crate: {
    attributes: {
      title: { type: 'string', required: true },
      level: { type: 'enumeration', enum: ['low', 'high'] },
      stars: { type: 'integer' },
      contains: { type: 'string', private: true },
      label: { type: 'relation', relation: 'oneToOne', target: 'api::label.label' },
      vaults: { type: 'relation', relation: 'oneToMany', target: 'api::vault.vault' },
    },
  },
  sheet: { drafts: true, attributes: { title: { type: 'string', required: true } } },
  label: { attributes: { name: { type: 'string' } } },
  vault: { attributes: { name: { type: 'string' } } },
});

const secrets = { JWT_SECRET: '', API_TOKEN_SALT: 'small-api-token-salt' };
const publicRights = ['crate', 'sheet', 'label'].flatMap((name) => ['find', 'create'].map((action) => `api::${name}.${name}.${action}`));

type Case = readonly [it: string, path: string, data: unknown, strapi: string, helps: string, attribute?: string];
const required = 'title is required: expected a text ("required" in the schema file)';

/** Strapi's message, the one that helps, and the only path of `details.errors`. */
const cases: readonly Case[] = [
  [
    'null in a required attribute',
    '/api/crates',
    { title: null },
    'title must be a `string` type, but the final value was: `null`.',
    required,
    'title',
  ],
  ['a required attribute that is missing', '/api/crates', {}, 'title must be defined.', required, 'title'],
  [
    'a required attribute of a published document',
    '/api/sheets',
    {},
    'title must be a `string` type, but the final value was: `null`.',
    'title is required: expected a text ("required" in the schema file; a draft, ?status=draft, may lack it)',
    'title',
  ],
  [
    'a text in place of a number',
    '/api/crates',
    { title: 'a', stars: 'many' },
    'stars must be a `number` type, but the final value was: `NaN` (cast from the value `"many"`).',
    'stars: expected a whole number, received "many" ("type" in the schema file)',
    'stars',
  ],
  [
    'a value outside of an enumeration',
    '/api/crates',
    { title: 'a', level: 'middle' },
    'level must be one of the following values: low, high, ',
    'level must be one of the following values: low, high ("enum" in the schema file)',
    'level',
  ],
  [
    'a relation that cannot be read',
    '/api/crates',
    { title: 'a', label: '' },
    'Invalid relations',
    'label: expected a documentId, {"documentId": "…"}, {"id": 1}, or a list of these; with several target types, an object with __type as well',
    'label',
  ],
  [
    'a row id that does not exist',
    '/api/crates',
    { title: 'a', label: 99 },
    '1 relation(s) of type api::label.label associated with this entity do not exist',
    'label: there is no row of api::label.label with the id 99 that you may find',
    'label',
  ],
  [
    'a documentId that does not exist',
    '/api/crates',
    { title: 'a', label: 'Tools' },
    'Document with id "Tools", locale "null" not found',
    'label: there is no document of api::label.label with the documentId "Tools" that you may find; a documentId is what a read of its type returns as documentId',
  ],
  [
    'populate=deep',
    '/api/crates?populate=deep',
    undefined,
    'Invalid key deep',
    'Invalid key deep: populate=deep and pLevel belong to the plugin strapi-plugin-populate-deep, which Lectern does not run; name what the response needs, as in populate[author][populate]=avatar, or use populate=* for one level, or set populate in lectern.config.json',
  ],
  [
    'an operator without $',
    '/api/crates?filters[title][contains]=a',
    undefined,
    'Invalid key contains at title',
    'Invalid key contains (filters[title][contains]): operators begin with $; did you mean $contains?',
  ],
  [
    'an operator without $ in place of an attribute',
    '/api/crates?filters[endsWith]=a',
    undefined,
    'Invalid key endsWith',
    'Invalid key endsWith (filters[endsWith]): operators begin with $; did you mean $endsWith?',
  ],
];

interface Explained {
  readonly hint?: string;
  readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[];
}

describe.each(anyEngine)('%s: a message', (engine) => {
  describe.each(['specification', 'strapi'])('in profile %s', (profile) => {
    const plain = profile === 'specification';
    const api = useProject(engine, { files, public: publicRights, env: { ...secrets, LECTERN_PROFILE: profile } });

    it.each(cases.map((each) => [each[0], each] as const))('says what was expected: %s', async (_, each) => {
      const [, path, data, strapi, helps, attribute] = each;
      const error = errorOf(await api.ask('public', data === undefined ? 'GET' : 'POST', path, data));
      expect(error.message).toBe(plain ? helps : strapi);
      const { hint, errors = [] } = error.details as Explained;
      expect(hint).toBe(plain ? undefined : helps);
      expect(errors.every((error) => !('help' in error))).toBe(true);
      if (plain) expect(errors.map((error) => error.path)).toEqual(attribute === undefined ? [] : [[attribute]]);
      if (errors.length > 0) expect(errors[0]?.message).toBe(plain ? helps : strapi);
    });

    it('says what was expected: data in the body', async () => {
      const error = errorOf(await api.send('public', { method: 'POST', path: '/api/crates', body: {} }));
      const help = 'The body must be an object with the object "data", as in {"data": {…}}';
      const strapi = { message: 'Missing "data" payload in the request body', details: { hint: help } };
      expect(error).toMatchObject(plain ? { message: help } : strapi);
    });

    it('about a path outside of the API names /api', async () => {
      const outside = errorOf(await api.ask('public', 'GET', '/articles'));
      expect(outside).toMatchObject({
        status: 404,
        message: plain ? 'Not Found: the content is below /api, as in /api/articles' : 'Not Found',
      });
      expect(outside.details).toEqual({});
      expect(errorOf(await api.ask('public', 'GET', '/api/nothing')).message).toBe('Not Found');
    });

    it('names each of several problems', async () => {
      const error = errorOf(await api.ask('public', 'POST', '/api/crates', { title: null, stars: 'x' }));
      expect(error.message).toBe('2 errors occurred');
      const both = [required, 'stars: expected a whole number, received "x" ("type" in the schema file)'];
      const { hint, errors = [] } = error.details as Explained;
      if (plain) expect(errors.map(({ message }) => message)).toEqual(both);
      else expect(hint).toBe(both.join('. '));
    });

    it('describes a hidden attribute or target like a missing one', async () => {
      // `contains` is an attribute of the type, but private.
      for (const [hidden, missing] of [
        ['/api/crates?filters[contains]=a', '/api/labels?filters[contains]=a'],
        ['/api/crates?filters[label][contains]=a', '/api/labels?filters[name][contains]=a'],
      ] as const) {
        const [one, other] = [errorOf(await api.ask('public', 'GET', hidden)), errorOf(await api.ask('public', 'GET', missing))];
        const help = (error: typeof one) => (plain ? error.message : (error.details as { hint: string }).hint).replace(/\(.*\)/, '');
        expect(help(one)).toBe(help(other));
      }
      // Without the right to find vaults, the relation to them is an invalid key whatever it names.
      const named = async (value: unknown) => (await api.ask('public', 'POST', '/api/crates', { title: 'a', vaults: value })).text;
      expect(await named([99])).toBe(await named(['Tools']));
      expect(await named([99])).not.toContain('api::vault');
    });

    it.each([
      ['text/plain', 'as text/plain', ''],
      ['multipart/form-data; boundary=x', 'as multipart/form-data', '; files are sent to POST /api/upload'],
      ['nonsense', 'without a media type', ''],
      [undefined, 'without a media type', ''],
    ])('about a body of the media type %s names the header', async (type, sent, more) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
      const body = new TextEncoder().encode('{"data":{"title":"a"}}');
      const response = await fetch(`${api.server.base}/api/crates`, { method: 'POST', headers, body });
      const help = `The body was sent ${sent}: send JSON with the header Content-Type: application/json${more}`;
      const { error } = (await response.json()) as { error: { message: string; details: { hint?: string } } };
      expect(response.status).toBe(plain ? 415 : 400);
      if (plain) expect(error.message).toBe(`${help} (policies.refuseMediaTypes)`);
      else expect(error).toMatchObject({ message: 'Missing "data" payload in the request body', details: { hint: help } });
    });

    it('about files in a part with another name names the part', async () => {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'a.txt');
      const response = await fetch(`${api.server.base}/api/upload`, { method: 'POST', body: form, headers: api.authorization('full') });
      const { error } = (await response.json()) as { error: { message: string; details: { hint?: string } } };
      const help =
        'No part with the name files holds a file, but files came in parts with the name file; send multipart/form-data with the name files, as in curl -F files=@photo.jpg';
      expect([response.status, plain ? error.message : error.details.hint]).toEqual([400, help]);
    });
  });
});
