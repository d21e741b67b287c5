/** `POST /api/_batch`: several writes, all of them or none. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ada, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, maxLength: 10, ...translated },
        code: { type: 'string', unique: true, ...translated },
        tags: relation('manyToMany', 'tag'),
        part: component('part', { ...translated }),
      },
    },
    tag: { attributes: { name: { type: 'string', unique: true, required: true }, note: { type: 'string' }, pin: { type: 'password' } } },
    motto: { single: true, attributes: { text: { type: 'string', required: true } } },
    hidden: { attributes: { name: { type: 'string' } } },
  },
  { part: { text: { type: 'string', maxLength: 3 }, tag: relation('oneToOne', 'tag') } },
);
const page = 'api::page.page';
const tag = 'api::tag.tag';
const motto = 'api::motto.motto';
const hidden = 'api::hidden.hidden';

interface Problem {
  readonly operation: number;
  readonly status: number;
  readonly code: string;
  readonly path: readonly string[];
}

describe.each(engines)('%s', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      tokens: {
        tagger: [`${tag}.create`, `${tag}.find`],
      },
      public: [`${tag}.create`, 'plugin::users-permissions.auth.callback'],
      authenticated: [`${tag}.create`, `${tag}.update`, `${tag}.delete`, `${tag}.find`],
      users: [ada],
      rules: { authenticated: { [`${tag}.update`]: { where: { note: 'mine' } }, [`${tag}.delete`]: { where: { note: 'mine' } } } },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    const send = (operations: readonly Json[], { who = 'full', headers = {}, ...rest }: { who?: string; headers?: object } & Json = {}) =>
      api.send(who, { method: 'POST', path: '/api/_batch', body: { operations, ...rest }, headers: { ...headers } });
    const written = async (operations: readonly Json[]): Promise<readonly string[]> => {
      const { status, text, json } = await send(operations);
      expect([status, text]).toEqual([200, expect.any(String)]);
      return (json() as { data: readonly { documentId: string }[] }).data.map(({ documentId }) => documentId);
    };
    const refused = async (operations: readonly Json[], options = {}): Promise<readonly Problem[]> => {
      const { status, json } = await send(operations, options);
      const { error } = json() as { error: { details: { errors: Problem[] } } };
      expect(status).toBe(400);
      return error.details.errors;
    };
    const brief = (problems: readonly Problem[]) =>
      problems.map(({ operation, code, path }) => `${operation} ${code} ${path.join('.')}`.trim());
    const tagNames = async () => {
      const response = await api.send('full', { path: '/api/tags?sort=name' });
      return (response.json() as { data: readonly { name: string }[] }).data.map(({ name }) => name);
    };
    let before: readonly string[] = [];
    let count = 0;
    const unique = (name: string) => `${name} ${++count}`;
    let signedIn = {};
    beforeAll(async () => {
      const { username: identifier, password } = ada;
      const login = { method: 'POST', path: '/api/auth/local', body: { identifier, password } };
      signedIn = { Authorization: `Bearer ${signedInBy(await api.send('public', login)).jwt}` };
    });
    beforeEach(async () => {
      before = await tagNames();
    });

    it('writes in order, with documents of earlier operations in relations and documentId', async () => {
      const names = [unique('a'), unique('b')];
      const [a, b, document] = await written([
        { create: tag, data: { name: names[0], note: '$1.documentId' } },
        { create: tag, data: { name: names[1] } },
        { create: page, data: { title: 'Fog', tags: ['$0.documentId'], part: { text: 'abc', tag: '$1.documentId' } }, status: 'draft' },
        { connect: page, documentId: '$2.documentId', data: { tags: ['$1.documentId'] }, status: 'draft' },
        { update: page, documentId: '$2.documentId', data: { title: 'Nebel' }, locale: 'de', status: 'draft' },
        { publish: page, documentId: '$2.documentId', locale: 'en' },
        { update: motto, data: { text: 'Calm' } },
      ]);
      const response = await api.send('full', { path: `/api/pages/${document}?populate[tags]=true&populate[part][populate]=tag` });
      const { data } = response.json() as { data: { title: string; tags: Json[]; part: { tag: Json } } };
      expect([data.title, data.tags.map(({ documentId }) => documentId), data.part.tag.documentId]).toEqual(['Fog', [a, b], b]);
      const first = await api.send('full', { path: `/api/tags/${a}` });
      // A text is what it is.
      expect((first.json() as { data: Json }).data.note).toBe('$1.documentId');
      const german = await api.send('full', { path: `/api/pages/${document}?locale=de&status=draft` });
      expect((german.json() as { data: Json }).data.title).toBe('Nebel');
      expect((await api.send('full', { path: `/api/pages/${document}?locale=de` })).status).toBe(404);
      expect(((await api.send('full', { path: '/api/motto' })).json() as { data: Json }).data.text).toBe('Calm');
      await written([
        { unpublish: page, documentId: document, locale: 'en' },
        { delete: tag, documentId: a },
      ]);
      expect((await api.send('full', { path: `/api/pages/${document}` })).status).toBe(404);
      expect((await api.send('full', { path: `/api/tags/${a}` })).status).toBe(404);
    });

    it('writes nothing if one operation is refused, and names all that are', async () => {
      const name = unique('kept');
      const problems = await refused([
        { create: tag, data: { name } },
        { create: page, data: { title: 'much too long for it', part: { text: 'long' } } },
        { create: tag, data: { name } },
        { update: page, documentId: '$1.documentId', data: { title: 'x' } },
        { update: tag, documentId: 'no-such-document', data: { note: 'x' } },
        { create: tag, data: { nope: 1, name: unique('other') } },
        { create: hidden, data: { name: 'x' }, extra: 1 },
        { create: 'api::none.none', data: {} },
        { publish: tag, documentId: 'x' },
        { create: tag, data: { name: null } },
        { create: page, data: { title: 'x', tags: ['$99.documentId'] } },
      ]);
      expect(brief(problems)).toEqual([
        '1 body.values title',
        '1 body.values part.text',
        '2 body.values name',
        '4 document.not-found',
        '5 body.invalid-key nope',
        '6 batch.shape',
        expect.stringMatching(/^7 (access.forbidden|document.not-found)$/),
        '8 document.not-found',
        '9 body.values name',
        '10 batch.reference',
      ]);
      expect(await tagNames()).toEqual(before);
    });

    it('has the rights and restrictions of the caller for each operation', async () => {
      const [mine = '', theirs = ''] = await written([
        { create: tag, data: { name: unique('mine'), note: 'mine' } },
        { create: tag, data: { name: unique('theirs'), note: 'theirs' } },
      ]);
      const attempt = [
        { update: tag, documentId: mine, data: { name: unique('changed') } },
        { update: tag, documentId: theirs, data: { name: unique('changed') } },
        { delete: tag, documentId: mine },
      ];
      expect(brief(await refused(attempt, { who: 'public', headers: signedIn }))).toEqual(['1 document.not-found']);
      expect(brief(await refused(attempt, { who: 'tagger' }))).toEqual(['0 access.forbidden', '1 access.forbidden', '2 access.forbidden']);
      expect((await send([attempt[0] ?? {}, attempt[2] ?? {}], { who: 'public', headers: signedIn })).status).toBe(200);
      expect((await api.send('full', { path: `/api/tags/${mine}` })).status).toBe(404);
      expect((await send([{ create: tag, data: { name: unique('x') } }], { who: 'public' })).status).toBe(401);
    });

    it('finds in a dry run what would be refused, and writes nothing', async () => {
      const name = unique('dry');
      const check = async (operations: readonly Json[]) => {
        const { status, json } = await send(operations, { dryRun: true });
        expect(status).toBe(200);
        return (json() as { data: { valid: boolean; errors: Problem[] } }).data;
      };
      expect(await check([{ create: tag, data: { name } }])).toEqual({ valid: true, errors: [] });
      const { valid, errors } = await check([
        { create: tag, data: { name } },
        { create: tag, data: { name } },
      ]);
      expect([valid, brief(errors)]).toEqual([false, ['1 body.values name']]);
      expect(await tagNames()).toEqual(before);
    });

    it('is done once with an Idempotency-Key', async () => {
      const operations = [{ create: tag, data: { name: unique('once') } }];
      const headers = { 'Idempotency-Key': unique('key') };
      const first = await send(operations, { headers });
      const second = await send(operations, { headers });
      expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([first.status, first.text, 'true']);
      expect((await send([{ create: tag, data: { name: unique('other') } }], { headers })).status).toBe(422);
    });

    it('compares the version that ifMatch names', async () => {
      const [document = ''] = await written([{ create: tag, data: { name: unique('seen') } }]);
      const { headers } = await api.send('full', { path: `/api/tags/${document}` });
      const change = { update: tag, documentId: document, data: { note: 'x' }, ifMatch: String(headers.etag) };
      await written([change]);
      expect(brief(await refused([change]))).toEqual(['0 document.changed']);
    });

    it.each([
      ['no object', [], 'batch.shape'],
      ['no list', { operations: {} }, 'batch.shape'],
      ['an empty list', { operations: [] }, 'batch.shape'],
      ['another key', { operations: [{}], dryrun: true }, 'batch.shape'],
      ['too many', { operations: Array.from({ length: 201 }, () => ({})) }, 'limit.batch'],
      [
        'too many passwords',
        { operations: Array.from({ length: 6 }, (_, at) => ({ create: tag, data: { name: `p${at}`, pin: 'x' } })) },
        'limit.passwords',
      ],
    ])('refuses %s', async (_, body, code) => {
      const { status, json, headers } = await api.send('full', { method: 'POST', path: '/api/_batch', body });
      const { error } = json() as { error: { code?: string } };
      expect([status, error.code ?? headers['x-error-code']]).toEqual([400, code]);
    });

    it.each([
      ['nothing', {}],
      ['two kinds', { create: tag, update: tag, data: {} }],
      ['a key of another kind', { publish: page, documentId: 'x', data: {} }],
      ['no document', { update: tag, data: {} }],
      ['a number as status', { create: page, data: { title: 'x' }, status: 1 }],
      ['links that are no relations', { connect: tag, documentId: 'x', data: { name: ['y'] } }],
    ])('refuses an operation with %s', async (_, operation) => {
      expect(brief(await refused([operation]))).toEqual(['0 batch.shape']);
    });
  });
});
