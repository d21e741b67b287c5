/** The rules of a schema for values: required, numbers, types of files, and the rules that Strapi does not enforce over REST (policies.enforceSchemaRules). */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, errorPaths, idOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
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

describe.each(anyEngine)('%s: rules of the schema', (engine) => {
  const api = useProject(engine, options);
  const pathsOf = async (method: string, path: string, data: object) => errorPaths(await api.ask('full', method, path, data));

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
      const path = await api.make('/api/presss', press({ any: [lamp] }));
      expect(await pathsOf('PATCH', path, { any: { connect: [film] } })).toEqual(['any']);
      const changed = await api.write('PATCH', `${path}?populate=any`, { any: { connect: [film], disconnect: [lamp] } });
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

    it('a list of components is a list, and a component an object', async () => {
      for (const value of [5, 'x', true]) {
        const paths = await pathsOf('POST', '/api/presss', press({ few: value, zone: value, strict: value }));
        expect(paths).toEqual(expect.arrayContaining(['few', 'zone', 'strict']));
      }
      for (const value of [null, {}])
        expect(await pathsOf('POST', '/api/presss', press({ few: value, zone: value }))).toEqual(['few', 'zone']);
      for (const value of [[], [{ label: 'l', rank: 1 }]])
        expect(await pathsOf('POST', '/api/presss', press({ strict: value }))).toContain('strict');
    });
  });

  describe('required relations and media', () => {
    it('must be present', async () => {
      expect(await pathsOf('POST', '/api/members', { name: 'M' })).toEqual(['club', 'badge']);
      expect(await pathsOf('POST', '/api/members', { club: null, badge: [] })).toEqual(['club', 'badge']);
      const path = await api.make('/api/members', { name: 'M', club: idOf('club', 'c'), badge: lamp });
      expect(await pathsOf('PATCH', path, { club: { disconnect: [idOf('club', 'c')] } })).toEqual(['club']);
      expect(await pathsOf('PATCH', path, { badge: null })).toEqual(['badge']);
      expect(await api.write('PATCH', `${path}?populate=club`, { name: 'N' })).toMatchObject({ name: 'N', club: { name: 'C' } });
    });
    it('of drafts when they are published', async () => {
      const path = await api.make('/api/drafteds?status=draft', { name: 'D' });
      expect(await pathsOf('POST', `${path}/actions/publish`, {})).toEqual(['club']);
      await api.write('PATCH', `${path}?status=draft`, { club: idOf('club', 'c') });
      expect((await api.ask('full', 'POST', `${path}/actions/publish`)).status).toBe(200);
      expect(await pathsOf('PATCH', path, { club: null })).toEqual(['club']);
    });
  });
});

describe.each(anyEngine)('%s: rules that are off', (engine) => {
  const env = { LECTERN_API_STRICT_RELATIONS: 'false', LECTERN_POLICIES_ENFORCE_SCHEMA_RULES: 'false' };
  const api = useProject(engine, { ...options, env });

  it('api.strictRelations: required relations may be missing', async () => {
    expect((await api.ask('full', 'POST', '/api/members', { name: 'M' })).status).toBe(201);
  });

  it('policies.enforceSchemaRules: bodies that Strapi accepts are accepted', async () => {
    const data = {
      ...{ title: 'Press', needed: { label: 'l', rank: 1 }, picture: paper, any: [lamp, film] },
      zone: [{ __component: 'part.other', label: 'x' }],
    };
    const response = await api.ask('full', 'POST', '/api/presss?populate[any]=true&populate[picture]=true', data);
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({ picture: { name: 'paper' }, any: { name: 'lamp' } });
  });
});
