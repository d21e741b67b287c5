/** `lectern types` as a command, and what it writes beside real responses. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../client/src/index.ts';
import { credentials, recordedProject, secrets } from '../compatibility/recordings.ts';
import { startDemo } from '../support/demo.ts';
import { startDev } from '../support/dev-server.ts';
import { apiTokenSalt, jwtSecret, tokens } from '../support/library/content.ts';
import { libraryProject } from '../support/library/library-project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { run, serverOfTest } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typeCheck } from '../support/type-check.ts';
import { writeFiles } from '../support/write-files.ts';

const blog = fileURLToPath(new URL('../../examples/blog', import.meta.url));

/** A project with one type, and the command for it. */
function project() {
  const dir = temporaryFolder();
  const write = (attributes: Parameters<typeof schemaFiles>[0][string]['attributes']) =>
    writeFiles(dir, { 'lectern.config.json': {}, ...schemaFiles({ note: { attributes } }) });
  write({ title: { type: 'string' } });
  const out = join(dir, 'web/types.ts');
  return { dir, out, write, types: (...args: readonly string[]) => run(['types', '--dir', dir, ...args]) };
}

describe('lectern types', () => {
  it('prints the types', async () => {
    const { types } = project();
    const printed = await types();
    expect(printed).toMatchObject({ status: 0, stderr: '' });
    expect(printed.stdout).toContain('export interface Note {');
  });

  it('writes them to a file, whose folder it makes, and leaves a file alone that is up to date', async () => {
    const { types, out } = project();
    expect(await types('--out', out)).toMatchObject({ status: 0, stdout: '', stderr: expect.stringContaining('Wrote ') });
    expect(readFileSync(out, 'utf8')).toBe((await types()).stdout);
    utimesSync(out, 1000, 1000);
    expect(await types('--out', out)).toMatchObject({ status: 0, stderr: expect.stringContaining('is up to date') });
    expect(statSync(out).mtimeMs).toBe(1_000_000);
  });

  it('--check ends with 1 when a schema file has changed, or the file is missing, and writes nothing', async () => {
    const { dir, types, out, write } = project();
    expect(await types('--check', '--out', out)).toMatchObject({ status: 1, stderr: expect.stringContaining('is out of date') });
    await types('--out', out);
    expect(await types('--check', '--out', out)).toMatchObject({ status: 0, stderr: '' });
    writeFileSync(out, readFileSync(out, 'utf8').replaceAll('\n', '\r\n'));
    expect(await types('--check', '--out', out)).toMatchObject({ status: 0 });
    write({ title: { type: 'integer' } });
    const former = readFileSync(out, 'utf8');
    const stale = await types('--check', '--out', out);
    expect(stale).toMatchObject({ status: 1, stderr: expect.stringContaining(`run \`lectern types --dir ${dir} --out `) });
    expect(readFileSync(out, 'utf8')).toBe(former);
  });

  it('--check needs a file', async () => {
    expect(await project().types('--check')).toMatchObject({ status: 2, stderr: expect.stringContaining('--check needs --out') });
  });

  it('does not overwrite a file that it has not written', async () => {
    const { dir, types } = project();
    const out = join(dir, 'index.ts');
    writeFileSync(out, 'export const mine = 1;\n');
    expect(await types('--out', out)).toMatchObject({ status: 1, stderr: expect.stringContaining('was not written by `lectern types`') });
    expect(readFileSync(out, 'utf8')).toBe('export const mine = 1;\n');
  });

  it('says what cannot be written', async () => {
    const { dir, types } = project();
    mkdirSync(join(dir, 'folder'));
    expect(await types('--out', join(dir, 'folder'))).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be read') });
    expect(await types('--out', join(dir, 'lectern.config.json/a.ts'))).toMatchObject({ status: 1 });
  });

  it('creates a missing folder in the project, and none elsewhere', async () => {
    const { dir, types } = project();
    expect(await types('--out', join(dir, 'web/src/types.ts'))).toMatchObject({ status: 0 });
    const beside = `${dir}-web`;
    onTestFinished(() => rmSync(beside, { recursive: true, force: true }));
    expect(await types('--out', join(beside, 'src/types.ts'))).toMatchObject({
      status: 1,
      stderr: `Lectern cannot go on: There is no folder ${join(beside, 'src')}.\n`,
    });
    mkdirSync(beside);
    expect(await types('--out', join(beside, 'types.ts'))).toMatchObject({ status: 0 });
  });
});

describe('lectern dev --types', () => {
  const file = 'src/api/note/content-types/note/schema.json';
  const note = (type: string) => `${JSON.stringify(schemaFiles({ note: { attributes: { title: { type } } } })[file])}\n`;

  it('writes the types after each change, and does not take the file for a change', async () => {
    const { dir } = project();
    const out = join(dir, 'src/types.ts');
    const server = await startDev(dir, {}, ['--types', out]);
    onTestFinished(() => server.stop());
    expect(readFileSync(out, 'utf8')).toContain('  title: string | null;');
    const printed = await server.change({ [file]: note('text').replace('"title"', '"headline"') }, /Reloaded in/);
    expect(printed).toContain(`Wrote ${out}.`);
    expect(readFileSync(out, 'utf8')).toContain('  headline: string | null;');
    const next = await server.change({ [file]: note('text') }, /Reloaded in/);
    expect(`${printed}${next}`).not.toContain('Changed: src/types.ts');
  });

  it('serves the project if they cannot be written', async () => {
    const { dir } = project();
    const server = await startDev(dir, {}, ['--types', join(dir, 'lectern.config.json')]);
    onTestFinished(() => server.stop());
    expect(server.output.stderr).toContain('The types were not written: ');
    expect(readFileSync(join(dir, 'lectern.config.json'), 'utf8').trim()).toBe('{}');
    expect((await server.get('/api/notes')).status).toBe(403);
  });
});

const client = '../../client/src/result.ts';

/** Constants of real responses, each with the type that it should have. A literal with an attribute that its type lacks is an error as well. */
async function typedResponses(types: string, get: (path: string) => Promise<{ status: number; json: unknown }>): Promise<string> {
  const constants: string[] = [];
  for (const [list, name, uid] of pathsIn(types)) {
    const entry = new RegExp(`'${uid}': \\{\\n\\s*entry: (\\w+);`).exec(types)?.[1];
    for (const [query, shape] of [
      ['', 'object'],
      ['?populate=*', "{ populate: '*' }"],
      ['?status=draft&populate=*', "{ status: 'draft'; populate: '*' }"],
    ] as const) {
      const { status, json } = await get(`/api/${name}${query}`);
      if (status === 404 && list === 'singles') continue;
      expect(status, name).toBe(200);
      const data = JSON.stringify((json as { data: unknown }).data, withoutEmptyLocale);
      const many = list === 'collections' ? '[]' : '';
      const type = `Entry<all.Schema, ${JSON.stringify(name)}, ${shape}>${many}`;
      const number = constants.length;
      constants.push(`export const v${number}: ${type} = ${data};`);
      if (!query.includes('draft')) constants.push(`export const w${number}: all.${entry}${many} = ${data};`);
    }
  }
  return `import type * as all from './types.ts';\nimport type { Entry } from '${client}';\n${constants.join('\n')}\n`;
}

/** As Strapi, responses show a locale of types without locales if a `morphMany` leads to them. The types leave that out. */
const withoutEmptyLocale = (key: string, value: unknown) => (key === 'locale' && value === null ? undefined : value);

/** The paths in `Schema` of a written file. */
function pathsIn(types: string): (readonly ['collections' | 'singles', string, string])[] {
  return (['collections', 'singles'] as const).flatMap((list) => {
    const [, block = ''] = new RegExp(`^  ${list}: \\{\\n(.*?)^  \\};`, 'ms').exec(types) ?? [];
    return [...block.matchAll(/^ +'?([\w-]+)'?: '(.*)';$/gm)].map(([, name = '', uid = '']) => [list, name, uid] as const);
  });
}

/** Parameters of articles, which are their own type when they are written as JSON. */
const params = [
  {},
  { fields: ['title', 'kind'] },
  { fields: 'slug', populate: 'tags' },
  { fields: '*', populate: '*' },
  { populate: ['category.parent', 'author', 'blocks.file', 'cover'] },
  {
    fields: ['slug'],
    populate: { category: { fields: ['name'], populate: { parent: { fields: ['slug'] }, children: true } }, tags: { count: true } },
  },
  {
    fields: ['slug'],
    populate: { author: { populate: '*' }, gallery: { fields: ['url'] }, seo: { populate: 'shareImage' }, tags: false },
  },
  { fields: ['slug'], populate: { blocks: { populate: '*' }, localizations: { fields: ['slug', 'locale'] } } },
  {
    fields: ['slug'],
    populate: {
      blocks: {
        on: {
          'shared.quote': true,
          'shared.media': { fields: ['caption'], populate: { file: { fields: ['url'] } } },
          'shared.rich-text': false,
        },
      },
      related: { populate: ['links.article', 'category'] },
    },
  },
  { fields: ['title'], populate: { tags: { fields: ['name'], filters: { slug: 'coast' }, sort: 'name' } }, status: 'draft' },
];

describe('responses have the types that are written for them', () => {
  it('of the demo, also as fields, populate and status narrow them, and bodies that have their types are accepted', async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.stop());
    const { stdout: types } = await run(['types', '--dir', blog]);
    const lectern = createClient({ baseURL: `${demo.base}/api`, token: demo.token });
    const responses = await typedResponses(types, async (path) => {
      const response = await lectern.fetch(`${demo.base}${path}`);
      return { status: response.status, json: await response.json() };
    });
    expect(responses.match(/^export const v/gm)).toHaveLength(18);
    const imports = `import type { Schema } from './types.ts';\nimport type { CreateInput, Entry, UpdateInput } from '${client}';\n`;
    const narrowed = `${imports}${await narrowedResponses(lectern)}`;
    const bodies = `${imports}${await acceptedBodies(lectern)}`;
    expect(typeCheck({ 'types.ts': types, 'responses.ts': responses, 'narrowed.ts': narrowed, 'bodies.ts': bodies }).errors).toEqual({});
  });

  it.each([
    {
      it: 'of the largest recorded project',
      make: recordedProject,
      token: credentials.tokens.full,
      env: { ...secrets, LECTERN_PROFILE: 'strapi' },
      least: 30,
    },
    // Its types have every type of attribute and every kind of relation.
    {
      it: 'of the library',
      make: libraryProject,
      token: tokens.full.token,
      env: { API_TOKEN_SALT: apiTokenSalt, JWT_SECRET: jwtSecret },
      least: 15,
    },
  ])('$it', async ({ make, token, env, least }) => {
    const made = await make('sqlite');
    onTestFinished(() => made.remove());
    const server = await serverOfTest(made.dir, { ...made.env, ...env });
    const { stdout: types } = await run(['types', '--dir', made.dir], { ...made.env, ...env });
    const headers = { authorization: `Bearer ${token}` };
    const responses = await typedResponses(types, async (path) => {
      const response = await server.get(path, headers);
      return { status: response.status, json: response.json() };
    });
    expect(responses.match(/^export const v/gm)?.length).toBeGreaterThan(least);
    expect(typeCheck({ 'types.ts': types, 'responses.ts': responses }).errors).toEqual({});
  });
});

async function narrowedResponses(lectern: Client): Promise<string> {
  const constants = params.map(async (each, index) => {
    const { data } = await lectern
      .collection('articles')
      .find(each as never)
      .orThrow();
    expect(data.length).toBeGreaterThan(5);
    return `export const v${index}: Entry<Schema, 'articles', ${JSON.stringify(each)}>[] = ${JSON.stringify(data)};`;
  });
  return (await Promise.all(constants)).join('\n');
}

async function acceptedBodies(lectern: Client): Promise<string> {
  const { data: tags } = await lectern.collection('tags').find({ sort: 'id' }).orThrow();
  const [one, two, three] = tags;
  const bodies = [
    ['tags', { name: 'Tide' }],
    ['categories', { name: 'Tides', parent: null, articles: [] }],
    ['authors', { name: 'Ada', profile: { town: 'Skerra' }, email: 'ada@example.org' }],
    ['articles', { title: 'Fog' }],
    [
      'articles',
      {
        ...{
          title: 'Everything',
          kind: 'walk',
          readingMinutes: 5,
          distance: 5.5,
          visitedOn: '2024-02-29',
          eventAt: '2024-02-29T10:20:30.500Z',
        },
        ...{ featured: null, facts: { a: [1, null] }, contactEmail: 'ada@example.org', editorNotes: 'a', locale: 'fr' },
        sidebar: [
          { type: 'list', format: 'ordered', children: [{ type: 'list-item', children: [{ type: 'text', text: 'a', bold: true }] }] },
        ],
        tags: [one?.documentId, { documentId: two?.documentId }, three?.id],
        cover: 1,
        gallery: { connect: [{ id: 1 }, 2] },
        seo: { metaTitle: 'Fog', shareImage: { id: 1 } },
        links: [{ label: 'Map', article: null }],
        blocks: [
          { __component: 'shared.quote', body: 'a' },
          { __component: 'shared.media', file: 1 },
        ],
      },
    ],
  ] as const;
  const constants: string[] = [];
  for (const [name, body] of bodies) {
    const { error } = await lectern.collection(name).create(body);
    expect(error, name).toBeUndefined();
    constants.push(`export const v${constants.length}: CreateInput<Schema, '${name}'> = ${JSON.stringify(body)};`);
  }
  // A PATCH, with a stored component and changed links.
  const { data } = await lectern
    .collection('articles')
    .find({ filters: { title: 'Everything' }, locale: 'fr', status: 'draft', populate: ['links'] })
    .orThrow();
  const change = {
    links: [{ id: data[0]?.links[0].id, url: '/map' }],
    tags: { disconnect: [three?.id], connect: [{ documentId: one?.documentId, position: { end: true } }] },
  };
  const { error } = await lectern.collection('articles').update(`${data[0]?.documentId}`, change, { locale: 'fr' });
  expect(error).toBeUndefined();
  constants.push(`export const change: UpdateInput<Schema, 'articles'> = ${JSON.stringify(change)};`);
  return constants.join('\n');
}
