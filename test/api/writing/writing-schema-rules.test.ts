/** The rules of a schema for values: required, unique, numbers, types of files, and the rules that Strapi does not enforce over REST (policies.enforceSchemaRules). */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, errorPaths, idOf, useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles(
  {
    single: {
      attributes: {
        code: { type: 'string', unique: true },
        handle: { type: 'uid' },
        mail: { type: 'email', unique: true },
        rank: { type: 'integer', unique: true },
        big: { type: 'biginteger', unique: true },
        share: { type: 'float', unique: true },
        day: { type: 'date', unique: true },
        clock: { type: 'time', unique: true },
        moment: { type: 'datetime', unique: true },
        doc: { type: 'json', unique: true },
        tag: component('tag'),
        tags: component('tag', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.tag', 'part.plain'] },
      },
    },
    press: {
      drafts: true,
      attributes: {
        title: { type: 'string', required: true, minLength: 2 },
        code: { type: 'string', unique: true },
        picture: { type: 'media', multiple: false, allowedTypes: ['images'] },
        sheet: { type: 'media', multiple: true, allowedTypes: ['files', 'videos'] },
        any: { type: 'media', multiple: false },
        strict: component('strict'),
        needed: component('strict', { required: true }),
        few: component('plain', { repeatable: true, min: 1, max: 2 }),
        zone: { type: 'dynamiczone', components: ['part.strict', 'part.plain'], max: 2 },
      },
    },
    member: {
      attributes: {
        name: { type: 'string' },
        club: relation('manyToOne', 'club', { required: true }),
        badge: { type: 'media', multiple: false, required: true },
      },
    },
    drafted: { drafts: true, attributes: { name: { type: 'string' }, club: relation('manyToOne', 'club', { required: true }) } },
    club: { attributes: { name: { type: 'string' } } },
  },
  {
    plain: { label: { type: 'string', maxLength: 5 }, rank: { type: 'integer' } },
    tag: { key: { type: 'string', unique: true }, deeper: component('inner') },
    inner: { key: { type: 'string', unique: true } },
    strict: { label: { type: 'string', required: true }, rank: { type: 'integer', required: true, min: 1 }, inner: component('needy') },
    needy: { word: { type: 'string', required: true } },
    other: { label: { type: 'string' } },
  },
);
const file = (key: string, mime: string) => ({
  key,
  status: 'published' as const,
  data: { name: key, hash: key, ext: '.x', mime, size: 1, url: `/uploads/${key}`, provider: 'local' },
});
const options = {
  files,
  types: [
    { type: 'plugin::upload.file', documents: [file('lamp', 'image/png'), file('film', 'video/mp4'), file('paper', 'application/pdf')] },
    { type: 'api::club.club', documents: [{ key: 'c', status: 'published' as const, data: { name: 'C' } }] },
  ],
};
const [lamp, film, paper] = [1, 2, 3];

describe.each(engines)('%s: rules of the schema', (engine) => {
  const api = useProject(engine, options);
  const pathsOf = async (method: string, path: string, data: object) => errorPaths(await api.ask('full', method, path, data));

  it('all errors of components and zones, with their indexes', async () => {
    const paths = await pathsOf('POST', '/api/presss', {
      title: 'x',
      needed: { rank: 0 },
      few: [{ label: 'fine' }, { label: 'too long' }],
      zone: [
        { __component: 'part.plain', rank: 'x' },
        { __component: 'part.strict', inner: {} },
      ],
    });
    expect(paths?.sort()).toEqual(words`
      few.1.label needed.label needed.rank title zone.0.rank zone.1.inner.word zone.1.label zone.1.rank
    `);
  });

  describe('unique', () => {
    const values: readonly (readonly [name: string, value: unknown, same: unknown])[] = [
      ['code', 'A', 'A'],
      ['handle', 'a', 'a'],
      ['mail', 'a@b.example', 'a@b.example'],
      ['rank', 5, '5'],
      ['big', '9007199254740993', '9007199254740993'],
      ['share', 0.1, 0.1],
      ['day', '2024-01-01', '2024-01-01T10:00:00Z'],
      ['clock', '10:00:00', '10:00:00.000'],
      ['moment', '2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00'],
    ];
    it.each(values)('%s: %j', async (name, value, same) => {
      const { documentId } = await api.write('POST', '/api/singles', { [name]: value });
      const error = errorOf(await api.ask('full', 'POST', '/api/singles', { [name]: same }));
      expect(error).toMatchObject({ status: 400, message: 'This attribute must be unique', details: { errors: [{ path: [name] }] } });
      const other = await api.write('POST', '/api/singles', {});
      expect(await pathsOf('PATCH', `/api/singles/${String(other.documentId)}`, { [name]: same })).toEqual([name]);
      // Its own value is not in its way, and once it is given up others may have it.
      await api.write('PATCH', `/api/singles/${String(documentId)}`, { [name]: same });
      await api.write('PATCH', `/api/singles/${String(documentId)}`, { [name]: null });
      await api.write('PATCH', `/api/singles/${String(other.documentId)}`, { [name]: same });
      await api.ask('full', 'DELETE', `/api/singles/${String(other.documentId)}`);
      await api.write('POST', '/api/singles', { [name]: value });
    });

    it('distinguishes letter case, similar letters and spaces', async () => {
      await api.write('POST', '/api/singles', { code: 'Case', big: '9007199254740995' });
      for (const data of [{ code: 'case' }, { code: 'Case ' }, { big: '9007199254740996' }, { code: 'Cas%' }])
        expect((await api.ask('full', 'POST', '/api/singles', data)).status).toBe(201);
    });

    it('null and empty text are no values', async () => {
      for (const code of [null, null, '', '']) expect((await api.ask('full', 'POST', '/api/singles', { code })).status).toBe(201);
    });

    it('json is never unique', async () => {
      for (const _ of [1, 2]) expect((await api.ask('full', 'POST', '/api/singles', { doc: { a: 1 } })).status).toBe(201);
    });

    it('in components: within the document, and between the same places of documents', async () => {
      expect(await pathsOf('POST', '/api/singles', { tags: [{ key: 'x' }, { key: 'y' }, { key: 'x' }] })).toEqual(['tags.2.key']);
      const { documentId } = await api.write('POST', '/api/singles', {
        tag: { key: 't', deeper: { key: 'd' } },
        tags: [{ key: 'x' }, { key: 'y' }],
        zone: [{ __component: 'part.tag', key: 'z' }],
      });
      expect(await pathsOf('POST', '/api/singles', { tag: { key: 't' } })).toEqual(['tag.key']);
      expect(await pathsOf('POST', '/api/singles', { tag: { deeper: { key: 'd' } } })).toEqual(['tag.deeper.key']);
      expect(await pathsOf('POST', '/api/singles', { tags: [{ key: 'new' }, { key: 'y' }] })).toEqual(['tags.1.key']);
      expect(await pathsOf('POST', '/api/singles', { zone: [{ __component: 'part.tag', key: 'z' }] })).toEqual(['zone.0.key']);
      await api.write('PATCH', `/api/singles/${String(documentId)}`, { tags: [{ key: 'y' }, { key: 'x' }], tag: { key: 't' } });
    });

    it('of drafts: only published values are compared', async () => {
      const make = (query: string) =>
        api.ask('full', 'POST', `/api/presss${query}`, { title: 'Press', code: 'D', needed: { label: 'l', rank: 1 } });
      const drafts = [await make('?status=draft'), await make('?status=draft')];
      expect(drafts.map(({ status }) => status)).toEqual([201, 201]);
      const publish = drafts.map((draft) => `/api/presss/${String(dataOf(draft).documentId)}/actions/publish`);
      expect((await api.ask('full', 'POST', publish[0] ?? '')).status).toBe(200);
      expect(errorOf(await api.ask('full', 'POST', publish[1] ?? '')).details.errors?.[0]?.path).toEqual(['code']);
      expect((await make('')).status).toBe(400);
    });
  });

  describe('what Strapi does not enforce', () => {
    const needed = { label: 'l', rank: 1 };
    const press = (data: object) => ({ title: 'Press', needed, ...data });
    const make = (data: object) => api.ask('full', 'POST', '/api/presss?populate=*', press(data));

    it('a zone accepts only the components that it lists', async () => {
      const error = errorOf(await make({ zone: [{ __component: 'part.plain' }, { __component: 'part.other', label: 'x' }] }));
      expect(error.details.errors).toEqual([
        {
          path: ['zone', '1', '__component'],
          message: expect.stringMatching(/zone\[1\].*part\.other.*part\.strict, part\.plain/),
          name: 'ValidationError',
          value: 'part.other',
        },
      ]);
      for (const item of [{ __component: 'part.nothing' }, { __component: 5 }, {}])
        expect(await pathsOf('POST', '/api/presss', press({ zone: [item] }))).toContain('zone.0.__component');
    });

    it('media accept only files of their types', async () => {
      const made = await make({ picture: lamp, sheet: [film, paper], any: paper });
      expect(dataOf(made)).toMatchObject({
        picture: { name: 'lamp' },
        sheet: [{ name: 'film' }, { name: 'paper' }],
        any: { name: 'paper' },
      });
      const error = errorOf(await make({ picture: paper, sheet: [film, lamp] }));
      expect(error.details.errors).toEqual([
        { path: ['picture'], message: 'picture takes images only, not application/pdf', name: 'ValidationError' },
        { path: ['sheet'], message: 'sheet takes files, videos only, not image/png', name: 'ValidationError' },
      ]);
      const path = `/api/presss/${String(dataOf(made).documentId)}`;
      expect(await pathsOf('PATCH', path, { sheet: { connect: [lamp] } })).toEqual(['sheet']);
      expect(await pathsOf('PATCH', `${path}?status=draft`, { picture: film })).toEqual(['picture']);
    });

    it('a single media accepts only one file', async () => {
      const error = errorOf(await make({ picture: [lamp, lamp, lamp], any: [lamp, film] }));
      expect(error.details.errors).toEqual([{ path: ['any'], message: 'any takes one file', name: 'ValidationError' }]);
      const made = dataOf(await make({ any: [lamp] }));
      expect(await pathsOf('PATCH', `/api/presss/${String(made.documentId)}`, { any: { connect: [film] } })).toEqual(['any']);
      const changed = await api.write('PATCH', `/api/presss/${String(made.documentId)}?populate=any`, {
        any: { connect: [film], disconnect: [lamp] },
      });
      expect(changed).toMatchObject({ any: { name: 'film' } });
    });

    it('a component that replaces another needs its required attributes', async () => {
      const made = dataOf(await make({ strict: { label: 'l', rank: 1 } }));
      const path = `/api/presss/${String(made.documentId)}`;
      const missing = ['strict.rank'];
      expect(await pathsOf('PATCH', path, { strict: { label: 'new' } })).toEqual(missing);
      expect(await pathsOf('PATCH', path, { strict: { label: 'l', rank: 1, inner: {} } })).toEqual(['strict.inner.word']);
      expect(await pathsOf('PATCH', path, { zone: [{ __component: 'part.strict', rank: 1 }] })).toEqual(['zone.0.label']);
      // With its id it is changed, not replaced.
      const { strict } = await api.read(`${path}?status=draft&populate=strict`);
      const changed = { strict: { id: (strict as { id: number }).id, label: 'new' } };
      expect(await api.write('PATCH', `${path}?populate=strict`, changed)).toMatchObject({ strict: { label: 'new', rank: 1 } });
      expect(errorOf(await api.ask('full', 'PATCH', path, { strict: made.strict })).message).toMatch(/strict.*not related/);
    });

    it('numbers of components', async () => {
      const label = (text: string) => ({ label: text });
      expect(await pathsOf('POST', '/api/presss', press({ few: [label('a'), label('b'), label('c')] }))).toEqual(['few']);
      const zone = Array.from({ length: 3 }, () => ({ __component: 'part.plain' }));
      expect(await pathsOf('POST', '/api/presss', press({ zone }))).toEqual(['zone']);
      expect(await pathsOf('POST', '/api/presss', { title: 'Press' })).toEqual(['needed']);
      expect(await pathsOf('POST', '/api/presss', { title: 'Press', needed: null })).toEqual(['needed']);
      expect((await api.ask('full', 'POST', '/api/presss?status=draft', { title: 'Press', few: [] })).status).toBe(201);
    });

    it.each([null, 5, 'x', {}, true])('a list of components is a list, not %j', async (value) => {
      expect(await pathsOf('POST', '/api/presss', press({ few: value }))).toContain('few');
      expect(await pathsOf('POST', '/api/presss', press({ zone: value }))).toContain('zone');
    });

    it.each([5, 'x', [], [{ label: 'l', rank: 1 }], true])('a component is an object, not %j', async (value) => {
      expect(await pathsOf('POST', '/api/presss', press({ strict: value }))).toContain('strict');
    });
  });

  describe('required relations and media', () => {
    it('must be present', async () => {
      expect(await pathsOf('POST', '/api/members', { name: 'M' })).toEqual(['club', 'badge']);
      expect(await pathsOf('POST', '/api/members', { club: null, badge: [] })).toEqual(['club', 'badge']);
      const made = await api.write('POST', '/api/members', { name: 'M', club: idOf('club', 'c'), badge: lamp });
      const path = `/api/members/${String(made.documentId)}`;
      expect(await pathsOf('PATCH', path, { club: { disconnect: [idOf('club', 'c')] } })).toEqual(['club']);
      expect(await pathsOf('PATCH', path, { badge: null })).toEqual(['badge']);
      expect(await api.write('PATCH', `${path}?populate=club`, { name: 'N' })).toMatchObject({ name: 'N', club: { name: 'C' } });
    });
    it('of drafts when they are published', async () => {
      const draft = await api.write('POST', '/api/drafteds?status=draft', { name: 'D' });
      const path = `/api/drafteds/${String(draft.documentId)}`;
      expect(await pathsOf('POST', `${path}/actions/publish`, {})).toEqual(['club']);
      await api.write('PATCH', `${path}?status=draft`, { club: idOf('club', 'c') });
      expect((await api.ask('full', 'POST', `${path}/actions/publish`)).status).toBe(200);
      expect(await pathsOf('PATCH', path, { club: null })).toEqual(['club']);
    });
  });
});

describe.each(anyEngine)('%s: api.strictRelations', (engine) => {
  const api = useProject(engine, { ...options, env: { LECTERN_API_STRICT_RELATIONS: 'false' } });
  it('off: required relations may be missing', async () => {
    expect((await api.ask('full', 'POST', '/api/members', { name: 'M' })).status).toBe(201);
  });
});

describe.each(anyEngine)('%s: policies.enforceSchemaRules', (engine) => {
  const api = useProject(engine, { ...options, env: { LECTERN_POLICIES_ENFORCE_SCHEMA_RULES: 'false' } });
  it('off: bodies that Strapi accepts are accepted', async () => {
    const response = await api.ask('full', 'POST', '/api/presss?populate[any]=true&populate[picture]=true', {
      title: 'Press',
      needed: { label: 'l', rank: 1 },
      picture: paper,
      any: [lamp, film],
      zone: [{ __component: 'part.other', label: 'x' }],
    });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({ picture: { name: 'paper' }, any: { name: 'lamp' } });
  });
});
