/** Attributes that must be unique, many at a time. */
import { describe, expect, it } from 'vitest';
import { engines, speaksMysql } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { changeIn, errorOf, useProject } from '../../support/served-project.ts';

const attributes = {
  title: { type: 'string' },
  parts: component('part', { repeatable: true }),
  copies: component('part', { repeatable: true }),
};
const slugOfTitle = { type: 'uid', targetField: 'title' };
const files = schemaFiles(
  { plain: { attributes }, drafted: { drafts: true, attributes } },
  {
    part: { code: { type: 'string', unique: true }, deep: component('deep', { repeatable: true }) },
    deep: { number: { type: 'integer', unique: true }, big: { type: 'biginteger', unique: true }, day: { type: 'datetime', unique: true } },
  },
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

  it.each(['plains', 'drafteds'])(
    '10,000 of a document of %s are looked up at once',
    async (type) => {
      const parts = times(10_000, (index) => ({ code: `${type} ${index}` }));
      const started = Date.now();
      const { documentId } = await api.write('POST', `/api/${type}?fields=id`, { parts });
      // A look-up for each took minutes.
      expect(Date.now() - started).toBeLessThan(40_000);
      await api.write('PATCH', `/api/${type}/${String(documentId)}?fields=id`, { title: 'again' });
      const errors = await refused(`/api/${type}`, { parts: [{ code: 'free' }, ...parts.slice(5000, 5200), { code: `${type}` }] });
      expect(errors).toHaveLength(100);
      expect(errors[0]).toMatchObject({ path: ['parts', '1', 'code'], message: 'This attribute must be unique', value: `${type} 5000` });
    },
    110_000,
  );

  it('values of every kind are compared as in the database', async () => {
    const deep = (number: number, big: string, day: string) => ({ parts: [{ deep: [{ number, big, day }] }] });
    await api.write('POST', '/api/plains', deep(1, '9007199254740993', '2024-01-01T00:00:00.000Z'));
    const taken = async (data: object) => (await refused('/api/plains', data)).map(({ path }) => path.join('.'));
    expect(await taken(deep(1, '2', '2024-01-02T00:00:00.000Z'))).toEqual(['parts.0.deep.0.number']);
    expect(await taken(deep(2, '9007199254740993', '2024-01-03T00:00:00.000Z'))).toEqual(['parts.0.deep.0.big']);
    expect(await taken(deep(3, '3', '2024-01-01T01:00:00.000+01:00'))).toEqual(['parts.0.deep.0.day']);
    await api.write('POST', '/api/plains', deep(4, '9007199254740992', '2024-01-01T00:00:00.001Z'));
  });

  it('one value may occur in two attributes of a document, but not twice in one', async () => {
    await api.write('POST', '/api/plains', { parts: [{ code: 'place' }], copies: [{ code: 'place' }] });
    expect(await refused('/api/plains', { parts: [{ code: 'twice' }, { code: 'twice' }] })).toMatchObject([
      { path: ['parts', '1', 'code'] },
    ]);
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
