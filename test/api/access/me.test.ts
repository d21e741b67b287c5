/** `GET /api/_me` describes the caller and its rights, and nothing that the caller may not see. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { DescribedAttribute, DescribedMe, DescribedType } from '../../../src/http/endpoints/me/described-me.ts';
import { ada, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const plain = schemaFiles(
  {
    note: {
      drafts: true,
      localized: true,
      attributes: {
        number: { type: 'integer', min: 1 },
        slug: { type: 'uid', targetField: 'headline', lectern: { group: 'seo' } },
        headline: { type: 'string', required: true, maxLength: 80, ...translated, lectern: { label: 'Head line', help: 'Short.' } },
        readingMinutes: { type: 'integer', default: 3, pluginOptions: { lectern: { width: 'third' } } },
        kind: { type: 'enumeration', enum: ['long', 'short'] },
        secret: { type: 'string', private: true },
        pin: { type: 'password', default: 'sesame-default' },
        owner: relation('manyToOne', 'owner'),
        cover: { type: 'media', allowedTypes: ['images'] },
        seo: component('seo', { lectern: { group: 'inner' } }),
        zone: { type: 'dynamiczone', components: ['part.quote', 'part.seo'] },
      },
    },
    owner: { attributes: { name: { type: 'string' } } },
    motto: { single: true, attributes: { text: { type: 'string' } } },
    codename: { attributes: { hush: { type: 'string' } } },
  },
  {
    seo: { about: { type: 'string' }, deep: component('deep') },
    deep: { owner: relation('oneToOne', 'owner') },
    quote: { words: { type: 'text' } },
  },
);
const noteFile = 'src/api/note/content-types/note/schema.json';
const files = {
  ...plain,
  'lectern.config.json': JSON.stringify({ history: { versions: 2 }, search: { 'api::note.note': { headline: 1 } } }),
  [noteFile]: {
    ...(plain[noteFile] as Json),
    lectern: {
      label: 'Notes',
      title: 'headline',
      groups: [{ name: 'seo', label: 'Search' }, { name: 'inner', label: 'Inner secrets' }, { name: 'unused' }],
    },
  },
};

describe.each(engines)('%s: /api/_me', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales('de', 'en'),
      public: ['api::note.note.find'],
      authenticated: [
        'api::note.note.find',
        'api::note.note.update',
        'plugin::users-permissions.user.me',
        'plugin::upload.content-api.upload',
      ],
      users: [ada],
      rules: {
        public: { 'api::note.note.find': { fields: ['number', 'secret', 'slug'], where: { headline: 'never-told' } } },
        authenticated: { 'api::note.note.update': { fields: ['number'], where: { headline: 'never-told' } } },
      },
      tokens: {
        none: [],
        creator: ['api::note.note.create'],
        linker: ['api::note.note.find', 'api::note.note.create', 'api::owner.owner.find'],
        people: ['plugin::users-permissions.user.find', 'plugin::users-permissions.user.update'],
        drafts: ['api::note.note.findOne', 'api::note.note.findDraft', 'api::note.note.publish', 'api::motto.motto.update'],
      },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    const meOf = async (who: string) => (await api.ask(who, 'GET', '/api/_me')).json() as DescribedMe;
    const typeOf = async (who: string, uid = 'api::note.note') =>
      (await meOf(who)).types.find((type) => type.uid === uid) ?? ({ attributes: [] as readonly DescribedAttribute[] } as DescribedType);
    const namesOf = (type: DescribedType, can: 'canRead' | 'canCreate' | 'canUpdate') =>
      type.attributes.filter((each) => each[can] && !each.isSystem).map(({ name }) => name);
    let jwt = '';
    beforeAll(async () => {
      const { username, password } = ada;
      jwt = signedInBy(await api.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier: username, password } })).jwt;
    });
    const asAda = (headers = {}) =>
      api.send('public', { method: 'GET', path: '/api/_me', headers: { Authorization: `Bearer ${jwt}`, ...headers } });

    it('says who calls', async () => {
      expect(await meOf('public')).toMatchObject({ kind: 'public', role: { type: 'public' }, prefix: '/api' });
      const token = await meOf('none');
      expect(token).toEqual({ kind: 'api-token', prefix: '/api', types: [], components: {}, locales: [], actions: [] });
      const { username, email } = ada;
      const user = (await asAda()).json() as DescribedMe;
      expect(user).toMatchObject({ kind: 'user', user: { username, email }, role: { type: 'authenticated' } });
      expect(user.user?.documentId).toMatch(/^[a-z\d]{24}$/);
      expect(user.actions).toEqual(expect.arrayContaining(['plugin::upload.content-api.upload', 'plugin::users-permissions.user.me']));
      expect(user.actions.filter((action) => action.startsWith('api::'))).toEqual([]);
    });

    it('is refused with a wrong token, and says that it depends on the caller', async () => {
      const wrong = await api.send('public', { method: 'GET', path: '/api/_me', headers: { Authorization: 'Bearer wrong' } });
      expect(wrong.status).toBe(401);
      const { headers } = await api.ask('public', 'GET', '/api/_me');
      expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: expect.stringContaining('Authorization') });
    });

    it('has an entity tag, which differs by caller and by rights', async () => {
      const tags = await Promise.all(
        ['public', 'none', 'full'].map(async (who) => String((await api.ask(who, 'GET', '/api/_me')).headers.etag)),
      );
      const own = String((await asAda()).headers.etag);
      expect(new Set([...tags, own]).size).toBe(4);
      expect((await asAda({ 'If-None-Match': own })).status).toBe(304);
      expect((await asAda({ 'If-None-Match': String(tags[0]) })).status).toBe(200);
    });

    it('names the attributes that the caller may read or write, and which of these', async () => {
      const open = await typeOf('public');
      expect(namesOf(open, 'canRead')).toEqual(['number', 'slug']);
      expect([namesOf(open, 'canCreate'), namesOf(open, 'canUpdate')]).toEqual([[], []]);
      const { types } = (await asAda()).json() as DescribedMe;
      expect(namesOf(types[0] as DescribedType, 'canUpdate')).toEqual(['number']);
      const written = ['number', 'slug', 'headline', 'readingMinutes', 'kind', 'pin', 'cover', 'seo', 'zone'];
      const creator = await typeOf('creator');
      expect([namesOf(creator, 'canRead'), namesOf(creator, 'canCreate'), namesOf(creator, 'canUpdate')]).toEqual([[], written, []]);
      expect(creator.title).toBeUndefined();
    });

    it('names what relations lead to only to callers who may read it', async () => {
      const linker = await typeOf('linker');
      expect(linker.attributes.find(({ name }) => name === 'owner')).toMatchObject({
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::owner.owner',
        isMany: false,
        canRead: true,
        canCreate: true,
        canUpdate: false,
      });
      const { components } = await meOf('linker');
      expect(Object.keys(components)).toEqual(['part.deep', 'part.quote', 'part.seo']);
      expect(components['part.deep']?.attributes.map(({ name }) => name)).toEqual(['id', 'owner']);
      expect((await meOf('creator')).components['part.deep']?.attributes.map(({ name }) => name)).toEqual(['id']);
    });

    it('tells nothing of what the caller may not see', async () => {
      for (const who of ['public', 'creator', 'drafts', 'people']) {
        const { text } = await api.ask(who, 'GET', '/api/_me');
        for (const word of ['codename', 'hush', 'owner', 'secret"', 'never-told', 'sesame'])
          expect([who, word, text.includes(word)]).toEqual([who, word, false]);
      }
      const { text } = await api.ask('public', 'GET', '/api/_me');
      // Neither the hidden title nor a group without a readable attribute.
      for (const word of ['headline', 'Inner', 'unused']) expect(text).not.toContain(word);
      expect((await api.ask('full', 'GET', '/api/_me')).text).not.toContain('"secret"');
    });

    it('says what the schema file says', async () => {
      const note = await typeOf('full');
      expect(note).toMatchObject({
        kind: 'collectionType',
        path: '/api/notes',
        singularName: 'note',
        pluralName: 'notes',
        label: 'Notes',
        title: 'headline',
        draftAndPublish: true,
        localized: true,
        groups: [
          { name: 'seo', label: 'Search' },
          { name: 'inner', label: 'Inner secrets' },
        ],
      });
      const attribute = (name: string) => note.attributes.find((each) => each.name === name);
      expect(attribute('headline')).toEqual({
        name: 'headline',
        type: 'string',
        label: 'Head line',
        lectern: { help: 'Short.' },
        canRead: true,
        canCreate: true,
        canUpdate: true,
        required: true,
        unique: false,
        localized: true,
        hasColumn: true,
        isSystem: false,
        maxLength: 80,
      });
      expect(attribute('readingMinutes')).toMatchObject({ label: 'Reading minutes', lectern: { width: 'third' }, default: 3 });
      expect(attribute('kind')).toMatchObject({ enum: ['long', 'short'] });
      expect(attribute('slug')).toMatchObject({ targetField: 'headline', lectern: { group: 'seo' } });
      expect(attribute('cover')).toMatchObject({ type: 'media', isMany: false, allowedTypes: ['images'], hasColumn: false });
      expect(attribute('zone')).toMatchObject({ components: ['part.quote', 'part.seo'], isMany: true });
      expect(attribute('updatedAt')).toMatchObject({ isSystem: true, canRead: true, canUpdate: false });
      expect(await typeOf('full', 'api::motto.motto')).toMatchObject({
        kind: 'singleType',
        path: '/api/motto',
        label: 'motto',
        title: 'text',
      });
    });

    it('says which actions there are, and which are restricted to some documents', async () => {
      expect((await typeOf('public')).actions).toEqual({
        find: { isRestricted: true },
        ...(profile === 'strapi' ? { findDraft: { isRestricted: true } } : {}),
      });
      const free = { isRestricted: false };
      expect((await typeOf('drafts')).actions).toEqual({ findOne: free, findDraft: free, publish: free });
      expect((await typeOf('drafts', 'api::motto.motto')).actions).toEqual({ update: free });
      expect(Object.keys((await typeOf('full')).actions)).toEqual([
        'find',
        'findOne',
        'findDraft',
        'create',
        'update',
        'delete',
        'publish',
        'aggregate',
      ]);
    });

    it('says what the caller may use besides documents', async () => {
      const offers = async (who: string) => {
        const { hasHistory, hasSchedule, hasSearch } = await typeOf(who);
        return { hasHistory, hasSchedule, hasSearch };
      };
      expect(await offers('full')).toEqual({ hasHistory: true, hasSchedule: true, hasSearch: true });
      expect(await offers('drafts')).toEqual({ hasHistory: false, hasSchedule: true, hasSearch: false });
      expect(await offers('linker')).toEqual({ hasHistory: false, hasSchedule: false, hasSearch: true });
      // It may not read what is searched.
      expect(await offers('public')).toEqual({ hasHistory: false, hasSchedule: false, hasSearch: false });
    });

    it('counts users as a type, with the role in their bodies', async () => {
      const users = await typeOf('people', 'plugin::users-permissions.user');
      expect(users).toMatchObject({ path: '/api/users', actions: { find: { isRestricted: false }, update: { isRestricted: false } } });
      expect(namesOf(users, 'canUpdate')).toEqual(expect.arrayContaining(['username', 'email', 'password', 'blocked', 'role']));
      expect(namesOf(users, 'canUpdate')).not.toContain('provider');
      expect(namesOf(users, 'canCreate')).toEqual([]);
    });

    it('names the locales to callers of localized types', async () => {
      expect((await meOf('public')).locales.map(({ code, isDefault }) => [code, isDefault])).toEqual([
        ['de', true],
        ['en', false],
      ]);
      expect((await meOf('people')).locales).toEqual([]);
    });
  });
});
