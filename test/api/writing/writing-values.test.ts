/** Every value of a body is stored, or refused with its path: none is silently dropped. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, errorPaths, useProject } from '../../support/served-project.ts';

const parts = component('row', { repeatable: true, required: true });
const zone = { type: 'dynamiczone', components: ['part.row', 'part.grid'], required: true };

const files = schemaFiles(
  {
    tag: { attributes: { name: { type: 'string' } } },
    note: {
      attributes: {
        str: { type: 'string' },
        rich: { type: 'richtext' },
        whole: { type: 'integer' },
        flow: { type: 'blocks' },
        one: relation('manyToOne', 'tag'),
        many: relation('manyToMany', 'tag'),
        any: { type: 'relation', relation: 'morphToMany' },
        file: { type: 'media', multiple: false },
        row: component('row'),
        area: { type: 'dynamiczone', components: ['part.row'] },
        pages: relation('manyToMany', 'page', { inversedBy: 'notes' }),
      },
    },
    page: {
      drafts: true,
      attributes: {
        title: { type: 'string' },
        parts,
        zone,
        grid: component('grid'),
        notes: relation('manyToMany', 'note', { mappedBy: 'pages' }),
      },
    },
    leaf: { drafts: true, localized: true, attributes: { title: { type: 'string' }, parts } },
  },
  {
    row: {
      label: { type: 'string' },
      whole: { type: 'integer' },
      flow: { type: 'blocks' },
      tag: relation('oneToOne', 'tag'),
      tags: relation('oneToMany', 'tag'),
    },
    grid: { name: { type: 'string' }, rows: parts },
  },
);
const types = [{ type: 'api::tag.tag', documents: [{ key: 'red', status: 'published' as const, data: { name: 'red' } }] }];
const locales = seedLocales('en', 'de');

describe.each(anyEngine)('%s', (engine) => {
  const served = useProject(engine, { files, types, locales, env: { LECTERN_AUTH_HTTP_ONLY: 'true' } });

  // Which values have no effect is in src/pipeline/plan/plan-write.test.ts.
  describe('values that the attribute cannot have', () => {
    it.each<[string, unknown]>([
      ...['plain', {}, '{}', { type: 'paragraph' }].map((value): [string, unknown] => ['flow', value]),
      ['whole', [1, 2]],
    ])('%s: %j', async (name, value) => {
      const data = { [name]: value, row: { [name]: value }, area: [{ __component: 'part.row', [name]: value }] };
      const response = await served.ask('full', 'POST', '/api/notes', data);
      expect(response.status, response.text).toBe(400);
      expect(new Set(errorPaths(response))).toEqual(new Set([name, `row.${name}`, `area.0.${name}`]));
    });
  });

  describe('relations that name nothing', () => {
    it('one target in two places, and a second `data`, are refused', async () => {
      const twice = await served.ask('full', 'POST', '/api/notes', { many: { connect: [{ id: 1, position: { start: true } }, 1] } });
      expect(errorOf(twice).message).toBe('The relation with id 1 is already connected. You cannot connect the same relation twice.');
      await served.write('POST', '/api/notes', { many: { connect: [1, { id: 1 }] } });
      expect(errorOf(await served.ask('full', 'POST', '/api/notes', { data: { str: 'x' } })).message).toBe('Invalid key data');
    });

    it('a position that leads nowhere is refused, whatever the options say', async () => {
      const path = await served.make('/api/notes', { str: 'a' });
      const many = { connect: [{ id: 1, position: { before: 99_999 } }], options: { strict: false } };
      expect((await served.ask('full', 'PATCH', path, { many })).status).toBe(400);
    });

    it('change nothing, in components and zones as well', async () => {
      const path = await served.make('/api/notes', { one: 1, many: [1] });
      for (const value of [true, { name: 'Tools' }, {}]) {
        const data = { one: value, many: value, row: { tag: value }, area: [{ __component: 'part.row', tag: value }] };
        const response = await served.ask('full', 'PATCH', path, data);
        expect(response.status).toBe(400);
        expect(errorPaths(response)).toEqual(['one', 'many', 'row.tag', 'area.0.tag']);
      }
      expect(await served.read(`${path}?populate=*`)).toMatchObject({ one: { name: 'red' }, many: [{ name: 'red' }] });
    });
  });

  describe('a required list of components', () => {
    it.each<[string, string, object, string[]]>([
      ['left out', '/api/pages', { title: 'a' }, ['parts', 'zone']],
      ['left out of a draft', '/api/pages?status=draft', { title: 'a' }, ['parts', 'zone']],
      ['one of two', '/api/pages', { parts: [] }, ['zone']],
      ['within a component', '/api/pages', { parts: [], zone: [], grid: { name: 'x' } }, ['grid.rows']],
      ['within a zone', '/api/pages', { parts: [], zone: [{ __component: 'part.grid' }] }, ['zone.0.rows']],
    ])('%s is a 400', async (_, path, data, missing) => {
      const response = await served.ask('full', 'POST', path, data);
      expect(errorOf(response).details.errors?.map(({ path: place, message }) => [place.join('.'), message])).toEqual(
        missing.map((place) => [place, expect.stringContaining(`${place.replace('.0', '[0]')} is required: expected a list of objects`)]),
      );
    });
    it('may be empty, and may be left out of an update', async () => {
      await served.write('PATCH', await served.make('/api/pages', { parts: [], zone: [], grid: { rows: [] } }), { title: 'b' });
    });
    it('is shared with a new locale', async () => {
      const path = await served.make('/api/leafs', { title: 'en', parts: [{ label: 'p' }] });
      const made = await served.write('PATCH', `${path}?locale=de&populate=parts`, { title: 'de' });
      expect(made).toMatchObject({ locale: 'de', parts: [{ label: 'p' }] });
    });
  });
});

const noComponent = 'Cannot build relations store from dynamiczone, component identifier is undefined';

describe.each(anyEngine)('%s, as Strapi', (engine) => {
  const served = useProject(engine, { files, types, env: { LECTERN_PROFILE: 'strapi' } });
  it('values that it ignores are ignored, and required lists must be present', async () => {
    expect(await served.write('POST', '/api/notes?populate=*', { flow: 'plain', one: { name: 'red' }, many: true })).toMatchObject({
      flow: null,
      one: null,
      many: [],
    });
    const response = await served.ask('full', 'POST', '/api/pages?status=draft', { title: 'a' });
    expect(errorOf(response).details.errors?.map(({ message }) => message)).toEqual(['parts must be defined.', 'zone must be defined.']);
  });
  it('says what Strapi says of zone entries without a component, and of a number for a documentId', async () => {
    const zone = await served.ask('full', 'POST', '/api/notes', { area: [{ label: 'x' }] });
    expect(errorOf(zone).details.errors?.map(({ message }) => message)).toEqual(['area[0].__component is a required field', noComponent]);
    const number = await served.ask('full', 'POST', '/api/notes', { many: { disconnect: [{ documentId: 9999 }] } });
    expect(errorOf(number)).toMatchObject({ status: 400, message: 'Document with id "9999", locale "null" not found' });
  });
  it.each<[unknown, readonly string[]]>([
    [null, ['must be a `string` type, but the final value was: `null`.', 'must be one of', noComponent]],
    ['', ['must be one of', noComponent]],
    [{}, ['must be a `string` type, but the final value was: `{}`.', 'must be one of', 'Invalid relations']],
    ['no.no', ['must be one of', 'Invalid relations']],
  ])('says what Strapi says of a zone entry with the component %j', async (__component, messages) => {
    const { errors } = errorOf(await served.ask('full', 'POST', '/api/notes', { area: [{ __component }] })).details;
    expect(errors?.map(({ message }) => message)).toEqual(messages.map((text) => expect.stringContaining(text)));
  });

  const type = 'api::tag.tag';
  it.each<[unknown, string]>([
    [{ connect: [], options: { zzz: 1 } }, 'zzz'],
    [{ options: { strict: 'x' } }, 'strict'],
    [{ connect: [], options: ['x'] }, '0'],
    [{ connect: [], options: 'x' }, 'any'],
    ...[[{ zzz: 1 }], ['x'], [5], [null], [[]], [{ id: 1 }], [{ __type: 'no.no', id: 1 }], { __type: type, id: 1 }, 'x', {}].map(
      (connect): [unknown, string] => [{ connect }, 'any'],
    ),
    [{ disconnect: [{ id: 1 }] }, 'any'],
    [{ set: [{ id: 1 }] }, 'any'],
    ...['x', ['x'], {}, null, 5, { __type: type, id: 1 }].map((value): [unknown, string] => [value, 'any']),
  ])('refuses %j in a relation to several types', async (value, key) => {
    const error = errorOf(await served.ask('full', 'POST', '/api/notes', { any: value }));
    const message = key === 'any' ? 'Invalid key any' : `Invalid key ${key} at any`;
    expect(error).toMatchObject({ status: 400, message, details: { key, path: 'any', source: 'body' } });
  });
  it.each([
    { connect: [], options: null },
    { connect: null, options: { strict: true } },
    { disconnect: null },
    { disconnect: [{ __type: type, id: 1, zzz: 2 }] },
    [],
    true,
  ])('takes %j in a relation to several types', async (value) => {
    await served.write('POST', '/api/notes', { any: value });
  });

  it.each([[{ documentId: 5 }], [[{ documentId: 5 }]], [{ connect: [{ documentId: 5 }] }], [{ disconnect: [{ documentId: 5 }] }]])(
    'takes a number for a documentId that nobody has: %j',
    async (value) => {
      for (const data of [{ one: value }, { many: value }, { row: { tag: value } }]) {
        const { message } = errorOf(await served.ask('full', 'POST', '/api/notes', data));
        expect(message).toBe('Document with id "5", locale "null" not found');
      }
    },
  );

  it('ignores a second data within the first', async () => {
    expect(await served.write('POST', '/api/notes', { data: { str: 'x' }, rich: 'y' })).toMatchObject({ str: null, rich: 'y' });
    const response = await served.ask('full', 'POST', '/api/pages', { data: { title: 'x' } });
    expect(errorOf(response).details.errors?.map(({ message }) => message)).toEqual(['parts must be defined.', 'zone must be defined.']);
    expect(errorOf(await served.ask('full', 'POST', '/api/notes', { data: {}, zzz: 1 })).message).toBe('Invalid key zzz');
  });

  describe('positions', () => {
    const at = (documentId: unknown, position: object) => ({ documentId, position });
    const tag = async (name: string) => (await served.write('POST', '/api/tags', { name })).documentId;

    it('one target in two positions is refused, the same position twice is accepted', async () => {
      const { documentId: a, id } = await served.write('POST', '/api/tags', { name: 'a' });
      const twice = [at(a, { end: true }), at(a, { start: true })];
      const typed = twice.map((each) => ({ ...each, __type: type }));
      const alreadyConnected = (name: string) =>
        `The relation with id ${name} is already connected. You cannot connect the same relation twice.`;
      for (const [data, message] of [
        [{ many: { connect: twice } }, alreadyConnected(`${id}`)],
        [{ many: { connect: [a, at(a, { start: true })] } }, alreadyConnected(`${id}`)],
        [{ many: { connect: [at(a, { end: true }), { id, position: { start: true } }] } }, alreadyConnected(`${id}`)],
        [{ row: { tags: { connect: twice } } }, alreadyConnected(`${id}`)],
        [{ any: { connect: typed } }, alreadyConnected(`${id}:::${type}`)],
      ] as const) {
        expect(errorOf(await served.ask('full', 'POST', '/api/notes', data))).toMatchObject({ status: 400, message });
      }
      for (const connect of [
        [a, a],
        [a, { documentId: a, position: null }],
        [at(a, { end: true }), at(a, { end: true })],
      ])
        expect(await served.write('POST', '/api/notes?populate=many', { many: { connect } })).toMatchObject({ many: [{ name: 'a' }] });
      await served.write('POST', '/api/notes', { one: { connect: twice } });
    });

    it('options.strict: false puts a target with an invalid position at the end, if the document is not new', async () => {
      const [a, b, c] = [await tag('a'), await tag('b'), await tag('c')];
      const { documentId, row } = await served.write('POST', '/api/notes?populate=row', { many: [a], row: { tags: [a] } });
      const path = `/api/notes/${documentId}?populate=many`;
      const lost = (options?: object) => ({ connect: [at(b, { before: c })], ...(options === undefined ? {} : { options }) });
      for (const options of [undefined, {}, { strict: true }, { strict: 'false' }])
        expect((await served.ask('full', 'PUT', path, { many: lost(options) })).status).toBe(400);
      const lenient = lost({ strict: false });
      expect((await served.ask('full', 'POST', '/api/notes', { many: lenient })).status).toBe(400);
      const { id } = row as { id: number };
      expect((await served.ask('full', 'PUT', path, { row: { tags: lenient } })).status).toBe(400);
      expect(await served.write('PUT', path, { many: lenient })).toMatchObject({ many: [{ name: 'a' }, { name: 'b' }] });
      expect(
        await served.write('PUT', `/api/notes/${documentId}?populate[row][populate]=tags`, { row: { id, tags: lenient } }),
      ).toMatchObject({
        row: { id, tags: [{ name: 'a' }, { name: 'b' }] },
      });
      const byId = { connect: [at(a, { before: 99_999 })], options: { strict: null } };
      expect(await served.write('PUT', path, { many: byId })).toMatchObject({ many: [{ name: 'b' }, { name: 'a' }] });
    });

    it('a target of which only the published version is linked is no anchor', async () => {
      const page = async (title: string) => (await served.write('POST', '/api/pages', { title, parts: [], zone: [] })).documentId;
      const [a, b, c] = [await page('a'), await page('b'), await page('c')];
      const note = await served.make('/api/notes', { str: 'x', pages: [a, b] });
      await served.write('PUT', `/api/pages/${a}?status=draft`, { notes: [] });
      const path = `${note}?populate=pages`;
      const data = { str: 'y', pages: { connect: [at(c, { after: a })] } };
      expect((await served.ask('full', 'PUT', path, data)).status).toBe(400);
      expect(await served.read(path)).toMatchObject({ str: 'x', pages: [{ title: 'a' }, { title: 'b' }] });
      const lenient = { ...data, pages: { ...data.pages, options: { strict: false } } };
      expect(await served.write('PUT', path, lenient)).toMatchObject({ str: 'y', pages: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] });
    });
  });

  it('treats an empty list as no permissions, and as a registration without any attribute', async () => {
    const body = { name: 'Editors', description: 'd', permissions: [] };
    expect((await served.send('full', { method: 'POST', path: '/api/users-permissions/roles', body })).json()).toEqual({ ok: true });
    const response = await served.send('full', { method: 'POST', path: '/api/auth/local/register', body: [] });
    expect(errorOf(response).details.errors).toHaveLength(3);
  });
});
