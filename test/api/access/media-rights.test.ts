/** Rights to files hold for attaching them, and relations of any type lead only to types that the API serves. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { changeIn, dataOf, errorOf, type Json, type ServedOptions, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    note: {
      attributes: {
        title: { type: 'string' },
        cover: { type: 'media', multiple: false },
        files: { type: 'media', multiple: true },
        part: component('holder'),
        about: { type: 'relation', relation: 'morphToOne' },
        things: { type: 'relation', relation: 'morphToMany' },
      },
    },
  },
  { holder: { picture: { type: 'media', multiple: false } } },
);

const note = ['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`);
const insertFile = (id: number, name: string) =>
  `INSERT INTO files (id, document_id, name, caption, hash, mime, size, url, provider, folder_path) VALUES (${id}, 'file${id}', '${name}', 'secret-caption', 'h${id}', 'text/plain', 1, '/uploads/h${id}.txt', 'local', '/')`;

const options: ServedOptions = {
  files,
  prepare: (project) => changeIn(project, insertFile(1, 'open-1'), insertFile(2, 'open-2'), insertFile(3, 'hidden-3')),
  public: ['api::note.note.find', 'api::note.note.create', 'api::note.note.update', 'plugin::upload.content-api.find'],
  rules: { public: { 'plugin::upload.content-api.find': { fields: ['name'], where: { name: { $startsWith: 'open' } } } } },
  tokens: { writer: note, librarian: [...note, 'plugin::upload.content-api.find'] },
};

const shown = '?populate[0]=files&populate[1]=cover&populate[2]=part.picture';

describe.each(anyEngine)('%s: files', (engine) => {
  const served = useProject(engine, { ...options, env: { LECTERN_PROFILE: 'specification' } });
  const bodies: readonly (readonly [string, (id: number) => Json])[] = [
    ['of a list', (id) => ({ files: [id] })],
    ['of one', (id) => ({ cover: id })],
    ['as an object', (id) => ({ files: [{ id }] })],
    ['that is connected', (id) => ({ files: { connect: [{ id }] } })],
    ['by documentId', (id) => ({ files: [{ documentId: `file${id}` }] })],
    ['in a component', (id) => ({ part: { picture: id } })],
  ];

  it.each(bodies)('cannot be attached by a caller who may not find them: %s', async (_, body) => {
    const refused = await served.ask('writer', 'POST', `/api/notes${shown}`, body(3));
    const missing = await served.ask('writer', 'POST', `/api/notes${shown}`, body(9));
    expect(refused.status).toBe(400);
    expect(refused.text.replaceAll('file3', 'file9').replaceAll('the id 3 ', 'the id 9 ')).toBe(missing.text);
    expect((await served.ask('librarian', 'POST', '/api/notes', body(3))).status).toBe(201);
  });

  it('are attached within the rows of the right, and shown within its fields', async () => {
    expect(errorOf(await served.ask('public', 'POST', '/api/notes', { files: [3] })).message.replace('the id 3 ', 'the id 9 ')).toBe(
      errorOf(await served.ask('public', 'POST', '/api/notes', { files: [9] })).message,
    );
    const made = await served.ask('public', 'POST', `/api/notes${shown}`, { title: 'mine', files: [1], cover: 2 });
    expect(dataOf(made).files).toEqual([{ id: 1, documentId: 'file1', name: 'open-1' }]);
    expect(dataOf(made).cover).toEqual({ id: 2, documentId: 'file2', name: 'open-2' });
    expect((await served.ask('public', 'GET', `/api/notes${shown}`)).text).not.toContain('secret-caption');
    const guess = await served.ask('public', 'GET', '/api/notes?filters[files][caption][$startsWith]=s');
    expect(errorOf(guess)).toMatchObject({ status: 400, message: 'Invalid key caption at files.caption' });
    expect(errorOf(await served.ask('public', 'GET', '/api/notes?sort=cover.caption')).status).toBe(400);
  });

  it('that a document already has may stay, be moved and be removed', async () => {
    const path = `${await served.make('/api/notes', { files: [1, 3], cover: 3 })}${shown}`;
    const ids = (data: Json) => (data.files as Json[]).map(({ id }) => id);
    const moved = await served.ask('writer', 'PATCH', path, { title: 'x', files: [3, 1], cover: 3 });
    expect(ids(dataOf(moved))).toEqual([3, 1]);
    expect((await served.ask('writer', 'PATCH', path, { files: { connect: [{ id: 2 }] } })).status).toBe(400);
    expect((await served.ask('writer', 'PATCH', path, { cover: 1 })).status).toBe(400);
    expect(ids(dataOf(await served.ask('writer', 'PATCH', path, { files: { disconnect: [{ id: 1 }] } })))).toEqual([3]);
    expect(dataOf(await served.ask('writer', 'PATCH', path, { files: [], cover: null }))).toMatchObject({ files: [], cover: null });
  });

  it.each(['admin::api-token', 'admin::user', 'plugin::users-permissions.permission'])(
    'relations of any type link to no %s',
    async (type) => {
      const target = { __type: type, id: 1 };
      for (const body of [{ about: target }, { things: [target] }, { things: { connect: [target] } }]) {
        const response = await served.ask('full', 'POST', '/api/notes', body);
        expect(errorOf(response)).toMatchObject({ status: 400, message: `Invalid key ${Object.keys(body)[0]}` });
      }
    },
  );

  it('and show none that others have linked', async () => {
    const { documentId, id } = await served.write('POST', '/api/notes', { title: 'morph' });
    await served.change(`UPDATE notes SET target_id = 1, target_type = 'admin::api-token' WHERE id = ${String(id)}`);
    await served.change(
      `INSERT INTO notes_things_mph (note_id, things_id, things_type, field, "order") VALUES (${String(id)}, 1, 'admin::api-token', 'things', 1)`,
    );
    const named = 'populate[about][on][admin::api-token]=true&populate[things][on][admin::api-token][populate]=*';
    const all = await served.read(`/api/notes/${documentId}?populate=*`);
    expect(all).toMatchObject({ about: null, things: [] });
    // Asked for by a type that the caller may not read, the relations are left out.
    const asked = await served.read(`/api/notes/${documentId}?${named}`);
    expect(asked).not.toHaveProperty('about');
    expect(asked).not.toHaveProperty('things');
    const { things } = await served.read(`/api/notes/${documentId}?populate[things][count]=true`);
    expect(things).toEqual({ count: 0 });
  });
});

describe.each(anyEngine)('%s: in profile strapi', (engine) => {
  const served = useProject(engine, { ...options, env: { LECTERN_PROFILE: 'strapi' } });
  it('any file may be attached, as in Strapi, and no API token', async () => {
    const made = await served.ask('writer', 'POST', `/api/notes${shown}`, { files: [3] });
    expect(dataOf(made).files).toMatchObject([{ id: 3, caption: 'secret-caption' }]);
    const token = await served.ask('full', 'POST', '/api/notes', { about: { __type: 'admin::api-token', id: 1 } });
    expect(errorOf(token)).toMatchObject({ status: 400, message: 'Invalid key about' });
  });
});
