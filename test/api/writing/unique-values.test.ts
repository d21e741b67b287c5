/** Attributes that must be unique: of every type, in components, and many at a time. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines, speaksMysql } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { changeIn, errorOf, errorPaths, useProject } from '../../support/served-project.ts';

const slugOfTitle = { type: 'uid', targetField: 'title' };
/** A value of each type, the same one written in another way, and another one. */
const values = {
  code: ['A', 'A', 'a'],
  txt: ['x', 'x', 'y'],
  mail: ['a@b.example', 'a@b.example', 'b@b.example'],
  level: ['low', 'low', 'high'],
  handle: ['a', 'a', 'b'],
  rank: [5, '5', 6],
  big: ['9007199254740993', '9007199254740993', '9007199254740992'],
  share: [0.1, 0.1, 2.5],
  price: [1.1, '1.10', 2.25],
  day: ['2024-01-01', '2024-01-01T10:00:00Z', '2024-01-02'],
  clock: ['10:00:00', '10:00:00.000', '10:00:00.500'],
  moment: ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', '2024-01-01T00:00:00.001Z'],
  stamp: ['1700000000000', '1700000000000', '1700000000001'],
} as const;
const types: Readonly<Record<keyof typeof values, object>> = {
  ...{ code: { type: 'string' }, txt: { type: 'text' }, mail: { type: 'email' }, level: { type: 'enumeration', enum: ['low', 'high'] } },
  ...{
    handle: { type: 'uid' },
    rank: { type: 'integer' },
    big: { type: 'biginteger' },
    share: { type: 'float' },
    price: { type: 'decimal' },
  },
  ...{ day: { type: 'date' }, clock: { type: 'time' }, moment: { type: 'datetime' }, stamp: { type: 'timestamp' } },
};
const ofEveryType = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { ...type, unique: true }]));
const key = { type: 'string', unique: true };
const parts = component('part', { repeatable: true });
const files = schemaFiles(
  {
    thing: { attributes: { ...ofEveryType, doc: { type: 'json', unique: true }, parts: component('one', { repeatable: true }) } },
    plain: {
      attributes: {
        ...{ title: { type: 'string' }, parts, copies: parts, tag: component('tag') },
        zone: { type: 'dynamiczone', components: ['part.tag', 'part.part'] },
      },
    },
    drafted: { drafts: true, attributes: { title: { type: 'string' }, code: key, parts } },
  },
  { one: ofEveryType, part: { code: key }, tag: { key, deeper: component('inner') }, inner: { key } },
);
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

describe.each(engines)('%s: unique values', (engine) => {
  const api = useProject(engine, {
    files,
    env: { LECTERN_LIMITS_COMPONENTS: '20000', LECTERN_LIMITS_BODY_BYTES: '5000000', LECTERN_LIMITS_STATEMENT_TIME: '60000' },
  });
  const refused = async (path: string, data: object) => {
    const response = await api.ask('full', 'POST', path, data);
    expect(response.status).toBe(400);
    return errorOf(response).details.errors ?? [{ path: [], message: errorOf(response).message }];
  };
  const taken = async (path: string, data: object) => (await refused(path, data)).map((error) => error.path.join('.'));

  it.each(['plains', 'drafteds'])(
    '4,000 of a document of %s are looked up at once',
    async (type) => {
      const parts = times(4000, (index) => ({ code: `${type} ${index}` }));
      const started = Date.now();
      const path = await api.make(`/api/${type}?fields=id`, { parts });
      // A look-up for each took a minute.
      expect(Date.now() - started).toBeLessThan(20_000);
      await api.write('PATCH', `${path}?fields=id`, { title: 'again' });
      const errors = await refused(`/api/${type}`, { parts: [{ code: 'free' }, ...parts.slice(2000, 2200), { code: `${type}` }] });
      expect(errors).toHaveLength(100);
      expect(errors[0]).toMatchObject({
        path: ['parts', '1', 'code'],
        message: 'parts[1].code must be unique: another document has this value already',
        value: `${type} 2000`,
      });
    },
    110_000,
  );

  it.each(Object.entries(values))('%s: %j', async (name, [value, same, other]) => {
    const message = `${name} must be unique: another document has this value already`;
    const path = await api.make('/api/things', { [name]: value, parts: [{ [name]: value }, { [name]: other }] });
    expect(await refused('/api/things', { [name]: same })).toMatchObject([{ path: [name], message }]);
    expect(await taken('/api/things', { parts: [{ [name]: other }, { [name]: same }] })).toEqual([`parts.0.${name}`, `parts.1.${name}`]);
    expect(errorPaths(await api.ask('full', 'PATCH', await api.make('/api/things', {}), { [name]: same }))).toEqual([name]);
    // Its own value is not in its way.
    await api.write('PATCH', path, { [name]: same });
  });

  it('others may have a value that was given up or deleted', async () => {
    await api.write('PATCH', await api.make('/api/things', { code: 'Given up' }), { code: null });
    await api.ask('full', 'DELETE', await api.make('/api/things', { code: 'Given up' }));
    await api.write('POST', '/api/things', { code: 'Given up' });
  });

  it('letter case and spaces make other values; null, empty text and json are none', async () => {
    for (const code of ['Case', 'case', 'Case ', 'Cas%', null, null, '', '']) await api.write('POST', '/api/things', { code });
    for (const _ of [1, 2]) await api.write('POST', '/api/things', { doc: { a: 1 } });
  });

  it('in components: within the document, and between the same places of documents', async () => {
    await api.write('POST', '/api/plains', { parts: [{ code: 'place' }], copies: [{ code: 'place' }] });
    expect(await taken('/api/plains', { parts: [{ code: 'x' }, { code: 'y' }, { code: 'x' }] })).toEqual(['parts.2.code']);
    const tag = { key: 't', deeper: { key: 'd' } };
    const zone = [{ __component: 'part.tag', key: 'z' }];
    const path = await api.make('/api/plains', { tag, parts: [{ code: 'x' }, { code: 'y' }], zone });
    expect(await taken('/api/plains', { tag: { key: 't' } })).toEqual(['tag.key']);
    expect(await taken('/api/plains', { tag: { deeper: { key: 'd' } } })).toEqual(['tag.deeper.key']);
    expect(await taken('/api/plains', { parts: [{ code: 'new' }, { code: 'y' }] })).toEqual(['parts.1.code']);
    expect(await taken('/api/plains', { zone })).toEqual(['zone.0.key']);
    await api.write('PATCH', path, { parts: [{ code: 'y' }, { code: 'x' }], tag: { key: 't' } });
  });

  it('of drafts: only published values are compared', async () => {
    const draft = () => api.make('/api/drafteds?status=draft', { code: 'D' });
    const [first, second] = [await draft(), await draft()];
    expect((await api.ask('full', 'POST', `${first}/actions/publish`)).status).toBe(200);
    expect(errorPaths(await api.ask('full', 'POST', `${second}/actions/publish`))).toEqual(['code']);
    expect(await taken('/api/drafteds', { code: 'D' })).toEqual(['code']);
  });
});

describe.each(engines.filter(speaksMysql))('%s: unique values in a column whose collation ignores letter case', (engine) => {
  const api = useProject(engine, {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' }, code: { type: 'string', unique: true }, slug: slugOfTitle } } }),
    prepare: (project) => changeIn(project, 'ALTER TABLE notes CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'),
  });
  const add = (data: object) => api.ask('full', 'POST', '/api/notes', data);

  it('are compared by their characters, also beside other spellings', async () => {
    for (const code of ['case', 'CASE', 'Casé']) expect((await add({ code })).status, code).toBe(201);
    for (const code of ['case', 'CASE', 'Casé']) expect((await add({ code })).status, code).toBe(400);
  });

  it('are made beside other spellings', async () => {
    for (const slug of ['A-TITLE', 'a-title', 'A-Title']) expect((await add({ slug })).status, slug).toBe(201);
    expect(await api.write('POST', '/api/notes', { title: 'A title' })).toMatchObject({ slug: 'a-title-1' });
  });
});

describe.each(anyEngine)('%s: unique values in profile strapi', (engine) => {
  const ofEach = { level: { ...types.level, unique: true }, flag: { type: 'boolean', unique: true }, code: key };
  const zone = { type: 'dynamiczone', components: ['part.box', 'part.outer'] };
  const one = component('box');
  const many = component('box', { repeatable: true });
  const api = useProject(engine, {
    files: schemaFiles(
      {
        note: { attributes: { ...ofEach, one, many, inner: component('outer'), inners: component('outer', { repeatable: true }), zone } },
        drafted: { drafts: true, attributes: ofEach },
      },
      { box: ofEach, outer: { one, many } },
    ),
    env: { LECTERN_PROFILE: 'strapi' },
  });
  const statuses = async (path: string, ...bodies: readonly object[]) => {
    const found = [];
    for (const body of bodies) found.push((await api.ask('full', 'POST', path, body)).status);
    return found;
  };
  const twice = (value: object) => [value, value];

  it.each([{ level: 'low' }, { flag: true }, { flag: false }])('enumerations and booleans are not compared: %j', async (value) => {
    const zone = twice({ __component: 'part.box', ...value });
    for (const body of [value, { one: value }, { many: twice(value) }, { zone }])
      expect(await statuses('/api/notes', body, body), JSON.stringify(body)).toEqual([201, 201]);
    expect(await statuses('/api/drafteds', value, value)).toEqual([201, 201]);
  });

  it('in lists below other components are compared with other documents only', async () => {
    const lists = (code: string) => [{ inner: { many: twice({ code }) } }, { inners: [{ many: twice({ code }) }, { many: [{ code }] }] }];
    expect(await statuses('/api/notes', ...lists('below'), ...lists('below'))).toEqual([201, 201, 400, 400]);
  });

  it('in components of components of a dynamic zone are not compared', async () => {
    const body = { zone: twice({ __component: 'part.outer', one: { code: 'zone' } }) };
    expect(await statuses('/api/notes', body, body)).toEqual([201, 201]);
  });

  it('elsewhere are compared', async () => {
    for (const body of [
      { code: 'a' },
      { one: { code: 'a' } },
      { many: [{ code: 'a' }] },
      { zone: [{ __component: 'part.box', code: 'a' }] },
    ])
      expect(await statuses('/api/notes', body, body)).toEqual([201, 400]);
    expect(await statuses('/api/drafteds', { code: 'a' }, { code: 'a' })).toEqual([201, 400]);
    const repeated = [
      { many: twice({ code: 'b' }) },
      { inners: twice({ one: { code: 'b' } }) },
      { zone: twice({ __component: 'part.box', code: 'b' }) },
    ];
    expect(await statuses('/api/notes', ...repeated)).toEqual([400, 400, 400]);
  });
});
