/** Folders of the media library in Strapi's tables, and changes of several files at once. */
import { describe, expect, it } from 'vitest';
import { jwtSecret } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { multipart, type Part } from '../../support/multipart.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { changeIn, errorOf, type Json, type Served, useProject } from '../../support/served-project.ts';
import { info, red, words } from '../../support/uploads.ts';

const right = (...names: readonly string[]) => names.map((name) => `plugin::upload.content-api.${name}`);
const all = right('upload', 'destroy', 'find', 'findOne');
const editor = { username: 'editor', email: 'editor@example.org', password: 'Editor-Pass-1' };

const raw = (served: Served, who: string, method: string, path: string, body?: unknown) =>
  served.send(who, { method, path, ...(body === undefined ? {} : { body }) });
const dataIn = (response: { readonly text: string }): Json => (JSON.parse(response.text) as { data: Json }).data;
const listIn = (response: { readonly text: string }) => (JSON.parse(response.text) as { data: readonly Json[] }).data;

describe.each(engines)('%s: folders', (engine) => {
  const served = useProject(engine, {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    users: [editor],
    public: [...all, 'plugin::users-permissions.auth.callback'],
    env: { JWT_SECRET: jwtSecret },
    authenticated: all,
    // The right to one kind of files only.
    rules: {
      authenticated: {
        'plugin::upload.content-api.upload': { where: { mime: { $startsWith: 'image/' } } },
        'plugin::upload.content-api.destroy': { where: { mime: { $startsWith: 'image/' } } },
        'plugin::upload.content-api.find': { where: { mime: { $startsWith: 'image/' } } },
      },
    },
    tokens: { librarian: all, uploader: right('upload'), remover: right('destroy', 'find'), reader: right('find', 'findOne') },
  });
  const asked = (who: string, method: string, path: string, body?: unknown) => raw(served, who, method, `/api/upload/${path}`, body);
  const create = async (name: string, parent: number | null = null): Promise<number> => {
    const response = await asked('full', 'POST', '_folders', { name, parent });
    expect(response.status, response.text).toBe(201);
    return Number(dataIn(response).id);
  };
  const uploaded = async (...parts: readonly Part[]): Promise<number> => {
    const response = await served.send('full', { method: 'POST', path: '/api/upload', ...(await multipart(parts)) });
    expect(response.status, response.text).toBe(201);
    return Number((response.json() as Json[])[0]?.id);
  };
  const namesIn = async (query: string, who = 'full') => {
    const response = await asked(who, 'GET', `files?${query}`);
    expect(response.status, response.text).toBe(200);
    return (response.json() as Json[]).map(({ name }) => name);
  };
  const pathOf = async (file: number) => (await served.query(`SELECT folder_path FROM files WHERE id = ${file}`))[0]?.[0];
  const folderOf = async (file: number) =>
    (await served.query(`SELECT folder_id FROM files_folder_lnk WHERE file_id = ${file}`)).map(([id]) => Number(id));
  const signedIn = async () => {
    const response = await served.server.send({
      method: 'POST',
      path: '/api/auth/local',
      body: { identifier: editor.email, password: editor.password },
    });
    const { jwt } = response.json() as { jwt: string };
    return (method: string, path: string, body?: unknown) =>
      served.server.send({
        method,
        path: `/api/upload/${path}`,
        headers: { Authorization: `Bearer ${jwt}` },
        ...(body === undefined ? {} : { body }),
      });
  };

  it('are stored as Strapi stores them, and listed with what is in them', async () => {
    const top = await create('Top');
    const inner = await create('Inner', top);
    const file = await uploaded(red('in-inner.png'), info({ folder: inner }));
    const rows = await served.query(`SELECT name, path_id, path FROM upload_folders WHERE id IN (${top}, ${inner}) ORDER BY id`);
    const [[, topId] = [], [, innerId] = []] = rows;
    expect(rows).toEqual([
      ['Top', topId, `/${topId}`],
      ['Inner', innerId, `/${topId}/${innerId}`],
    ]);
    expect(await served.query(`SELECT inv_folder_id, folder_ord FROM upload_folders_parent_lnk WHERE folder_id = ${inner}`)).toEqual([
      [top, 1],
    ]);
    expect([await pathOf(file), await folderOf(file)]).toEqual([`/${topId}/${innerId}`, [inner]]);
    const listed = listIn(await asked('librarian', 'GET', '_folders'));
    expect(listed.filter(({ id }) => id === top || id === inner)).toMatchObject([
      { id: top, name: 'Top', parent: null, children: 1, files: 0 },
      { id: inner, name: 'Inner', parent: top, children: 0, files: 1 },
    ]);
    expect(Object.keys(listed[0] ?? {}).sort()).toEqual([
      'children',
      'createdAt',
      'documentId',
      'files',
      'id',
      'name',
      'parent',
      'updatedAt',
    ]);
  });

  it('filter lists of files, by their id or at the top', async () => {
    const folder = await create('Filtered');
    await uploaded(red('here.png'), info({ folder }));
    await uploaded(words('at-the-top.txt'), info({ folder: null }));
    expect(await namesIn(`folder=${folder}&fields[0]=name`)).toEqual(['here.png']);
    expect(await namesIn('folder=root&filters[name][$startsWith]=at-the')).toEqual(['at-the-top.txt']);
    expect(await namesIn('folder=999999')).toEqual([]);
    const page = await asked('full', 'GET', `files/page?folder=${folder}&pagination[pageSize]=1`);
    expect((page.json() as { meta: unknown }).meta).toMatchObject({ pagination: { total: 1 } });
    for (const wrong of ['folder=x', 'folder=1&folder=2', 'folder=', 'folder=-1'])
      expect((await asked('full', 'GET', `files?${wrong}`)).status, wrong).toBe(400);
    for (const who of ['reader', 'public']) expect((await asked(who, 'GET', `files?folder=${folder}`)).status).toBe(403);
    expect(await namesIn('', 'reader')).toContain('here.png');
  });

  it('move with all below, and files follow', async () => {
    const [from, to] = [await create('From'), await create('To')];
    const moved = await create('Moved', from);
    const below = await create('Below', moved);
    const file = await uploaded(words('deep.txt'), info({ folder: below }));
    const path = async (id: number) => String((await served.query(`SELECT path FROM upload_folders WHERE id = ${id}`))[0]?.[0]);
    const response = await asked('full', 'PUT', `_folders/${moved}`, { parent: to, name: 'Moved twice' });
    expect(dataIn(response)).toMatchObject({ id: moved, name: 'Moved twice', parent: to, children: 1 });
    expect(await path(moved)).toMatch(new RegExp(`^${await path(to)}/\\d+$`));
    expect(await path(below)).toMatch(new RegExp(`^${await path(moved)}/\\d+$`));
    expect([await pathOf(file), await folderOf(file)]).toEqual([await path(below), [below]]);
    await asked('full', 'PUT', `_folders/${moved}`, { parent: null });
    expect(await path(moved)).toMatch(/^\/\d+$/);
    expect(await pathOf(file)).toBe(await path(below));
  });

  it('do not move into themselves, nor deeper than their paths can be', async () => {
    const outer = await create('Outer');
    const inner = await create('Within', outer);
    for (const parent of [outer, inner]) {
      const response = await asked('full', 'PUT', `_folders/${outer}`, { parent });
      expect([response.status, errorOf(response).message]).toEqual([400, 'A folder cannot be moved into itself']);
    }
    expect((await asked('full', 'POST', 'actions/move', { folders: [outer], to: inner })).status).toBe(400);
    let deepest = await create('Deep');
    // As if it were below a hundred others.
    await served.change(`UPDATE upload_folders SET path = '${'/1'.repeat(100)}/${deepest}' WHERE id = ${deepest}`);
    let response = await asked('full', 'POST', '_folders', { name: 'Deeper', parent: deepest });
    for (let depth = 0; response.status === 201 && depth < 100; depth++) {
      deepest = Number(dataIn(response).id);
      response = await asked('full', 'POST', '_folders', { name: 'Deeper', parent: deepest });
    }
    expect(errorOf(response).message).toBe('Folders cannot be nested so deeply');
    let below = inner;
    for (let depth = 0; depth < 10; depth++) below = await create('Below', below);
    const moved = await asked('full', 'PUT', `_folders/${outer}`, { parent: deepest });
    expect([moved.status, errorOf(moved).message]).toEqual([400, 'Folders cannot be nested so deeply']);
    expect(await served.query(`SELECT inv_folder_id FROM upload_folders_parent_lnk WHERE folder_id = ${outer}`)).toEqual([]);
  });

  it('are deleted only when they are empty', async () => {
    const folder = await create('Full');
    const inner = await create('Empty', folder);
    const file = await uploaded(words('inside.txt'), info({ folder: inner }));
    for (const id of [folder, inner]) expect((await asked('full', 'DELETE', `_folders/${id}`)).status).toBe(409);
    await served.send('full', { method: 'DELETE', path: `/api/upload/files/${file}` });
    for (const id of [inner, folder]) expect((await asked('full', 'DELETE', `_folders/${id}`)).status).toBe(200);
    expect((await asked('full', 'DELETE', `_folders/${folder}`)).status).toBe(404);
    expect(await served.query(`SELECT id FROM upload_folders WHERE id IN (${folder}, ${inner})`)).toEqual([]);
  });

  it('deleted while files are uploaded into them never have files', async () => {
    const folders = await Promise.all(Array.from({ length: 6 }, (_, index) => create(`Race ${index}`)));
    await Promise.all(
      folders.flatMap((folder) => [
        multipart([words(), info({ folder })]).then((body) => served.send('full', { method: 'POST', path: '/api/upload', ...body })),
        asked('full', 'DELETE', `_folders/${folder}`),
      ]),
    );
    expect(await served.query('SELECT id FROM files_folder_lnk WHERE folder_id NOT IN (SELECT id FROM upload_folders)')).toEqual([]);
    const paths = "SELECT id FROM files WHERE folder_path <> '/' AND folder_path NOT IN (SELECT path FROM upload_folders)";
    expect(await served.query(paths)).toEqual([]);
  });

  /** The last ones are looked up in the database, or reach its limits; the others are refused on any engine alike. */
  const bodies: readonly (readonly [string, unknown])[] = [
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a slash', { name: 'a/b' }],
    ['a space at an end', { name: ' a' }],
    ['a tab at an end', { name: 'a\t' }],
    ['text that is turned around', { name: 'a\u202eb' }],
    ['a name that is too long', { name: 'x'.repeat(256) }],
    ['another type', { name: 7 }],
    ['a list', []],
    ['unknown keys', { name: 'a', path: '/1' }],
    ['a NUL', { name: 'a\0b' }],
    ['a parent that is missing', { name: 'a', parent: 999999 }],
    ['a parent that is no id', { name: 'a', parent: '1 OR 1=1' }],
    ['a parent beyond the ids', { name: 'a', parent: 2 ** 31 }],
  ];
  it.each(anyEngine.includes(engine) ? bodies : bodies.slice(-4))('cannot have %s', async (_, body) => {
    const before = await served.query('SELECT count(*) FROM upload_folders');
    const response = await asked('full', 'POST', '_folders', body);
    expect(response.status, response.text).toBe(400);
    expect(await served.query('SELECT count(*) FROM upload_folders')).toEqual(before);
  });

  it('have names that are unique within a folder', async () => {
    const folder = await create('Names');
    await create('Same', folder);
    expect((await asked('full', 'POST', '_folders', { name: 'Same', parent: folder })).status).toBe(400);
    const other = await create('Same');
    expect((await asked('full', 'PUT', `_folders/${other}`, { parent: folder })).status).toBe(400);
    expect((await asked('full', 'PUT', `_folders/${other}`, { name: 'Same' })).status).toBe(200);
    const made = await Promise.all(Array.from({ length: 5 }, () => asked('full', 'POST', '_folders', { name: 'Once' })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  it('are changed by those who have the rights', async () => {
    const folder = await create('Rights');
    const statuses = async (who: string) => [
      (await asked(who, 'GET', '_folders')).status,
      (await asked(who, 'POST', '_folders', { name: `${who}` })).status,
      (await asked(who, 'PUT', `_folders/${folder}`, { name: `Rights of ${who}` })).status,
      (await asked(who, 'POST', 'actions/move', { folders: [folder], to: null })).status,
      (await asked(who, 'POST', 'actions/delete', { files: [999999] })).status,
      (await asked(who, 'DELETE', '_folders/999999')).status,
    ];
    expect(await statuses('librarian')).toEqual([200, 201, 200, 200, 404, 404]);
    expect(await statuses('uploader')).toEqual([200, 201, 200, 200, 403, 403]);
    expect(await statuses('remover')).toEqual([403, 403, 403, 403, 404, 404]);
    expect(await statuses('reader')).toEqual([403, 403, 403, 403, 403, 403]);
    // Visitors have these rights here, as in projects with a form that uploads.
    expect(await statuses('public')).toEqual([403, 403, 403, 403, 403, 403]);
    // Numbers of files that a caller may not find are not counted.
    expect(listIn(await asked('uploader', 'GET', '_folders'))[0]).not.toHaveProperty('files');
    const chosen = await served.send('public', { method: 'POST', path: '/api/upload', ...(await multipart([red(), info({ folder })])) });
    expect(chosen.status).toBe(403);
  });

  it('of callers whose rights are restricted hold only the files that they reach', async () => {
    const ask = await signedIn();
    const [folder, away] = [await create('Restricted'), await create('Away')];
    const image = await uploaded(red(), info({ folder }));
    const text = await uploaded(words(), info({ folder }));
    const listed = listIn(await ask('GET', '_folders'));
    expect(listed.find(({ id }) => id === folder)).not.toHaveProperty('files');
    // Also those without a file that they reach: files may be put there.
    expect(listed.map(({ id }) => id)).toContain(away);
    expect((await ask('GET', `files?folder=${folder}`)).json()).toMatchObject([{ id: image }]);
    // Folders hold files of others.
    expect((await ask('POST', '_folders', { name: 'Own' })).status).toBe(403);
    expect((await ask('PUT', `_folders/${folder}`, { name: 'Own' })).status).toBe(403);
    expect((await ask('DELETE', `_folders/${away}`)).status).toBe(403);
    expect((await ask('POST', 'actions/move', { folders: [folder], to: away })).status).toBe(403);
    const refused = await ask('POST', 'actions/move', { files: [image, text], to: away });
    const missing = await ask('POST', 'actions/move', { files: [image, 999999], to: away });
    expect([refused.status, refused.text]).toEqual([404, missing.text]);
    expect((await ask('POST', 'actions/delete', { files: [image, text] })).status).toBe(404);
    expect([await folderOf(image), await folderOf(text)]).toEqual([[folder], [folder]]);
    expect((await ask('POST', 'actions/move', { files: [image], to: away })).status).toBe(200);
    expect(await folderOf(image)).toEqual([away]);
    expect((await ask('POST', 'actions/delete', { files: [image] })).status).toBe(200);
  });

  it('take several files and folders at once, or none', async () => {
    const [target, inner] = [await create('Target'), await create('Movable')];
    const files = [await uploaded(words('one.txt')), await uploaded(words('two.txt'))];
    const wrong = await asked('full', 'POST', 'actions/move', { files, folders: [inner, 999999], to: target });
    expect(wrong.status).toBe(400);
    expect(await namesIn(`folder=${target}`)).toEqual([]);
    const response = await asked('full', 'POST', 'actions/move', { files: [...files, ...files], folders: [inner], to: target });
    expect(dataIn(response)).toEqual({ files, folders: [inner] });
    expect(await namesIn(`folder=${target}&sort=name`)).toEqual(['one.txt', 'two.txt']);
    expect(await served.query(`SELECT file_ord FROM files_folder_lnk WHERE folder_id = ${target} ORDER BY file_ord`)).toEqual([[1], [2]]);
    const [event] = await served.query("SELECT document_id FROM lectern_events WHERE paths LIKE '%folder%' ORDER BY id DESC LIMIT 1");
    expect(event).toHaveLength(1);
    await asked('full', 'POST', 'actions/move', { files, to: null });
    expect([await pathOf(files[0] ?? 0), await folderOf(files[0] ?? 0)]).toEqual(['/', []]);
  });

  it('files are deleted together, with their bytes', async () => {
    const files = [await uploaded(red('gone.png')), await uploaded(words('gone.txt'))];
    const [{ url } = {}] = (await asked('full', 'GET', `files?filters[id]=${files[0]}`)).json() as Json[];
    expect((await asked('full', 'POST', 'actions/delete', { files: [...files, 999999] })).status).toBe(404);
    expect((await served.server.get(String(url))).status).toBe(200);
    expect(dataIn(await asked('full', 'POST', 'actions/delete', { files }))).toEqual({ files });
    expect((await served.server.get(String(url))).status).toBe(404);
    expect(await namesIn('filters[name][$startsWith]=gone')).toEqual([]);
    for (const body of [
      {},
      { files: [] },
      { files: 'all' },
      { files: ['1'] },
      { files: Array(101).fill(1) },
      { files: [1.5] },
      { files: [1], x: 1 },
    ])
      expect((await asked('full', 'POST', 'actions/delete', body)).status).toBe(400);
  });

  it('fileInfo moves a file, and leaves it where none is named', async () => {
    const folder = await create('By information');
    const file = await uploaded(words());
    const [api] = await folderOf(file);
    const change = (fileInfo: unknown) => raw(served, 'full', 'POST', `/api/upload?id=${file}`, { fileInfo });
    expect((await change({ folder })).status).toBe(200);
    expect(await folderOf(file)).toEqual([folder]);
    expect((await change({ caption: 'c' })).status).toBe(200);
    expect(await folderOf(file)).toEqual([folder]);
    expect((await change({ folder: null })).status).toBe(200);
    expect([await folderOf(file), await pathOf(file)]).toEqual([[], '/']);
    for (const wrong of ['x', 0, -1, 1.5, {}, true, 999999]) expect((await change({ folder: wrong })).status, String(wrong)).toBe(400);
    const replaced = await multipart([words('again.txt'), info({ folder: api })]);
    expect((await served.send('full', { method: 'POST', path: `/api/upload?id=${file}`, ...replaced })).status).toBe(200);
    expect(await folderOf(file)).toEqual([api]);
    const response = await asked('full', 'GET', `files/${file}`);
    expect(response.json()).not.toHaveProperty('folder');
    expect(response.json()).not.toHaveProperty('folderPath');
  });

  it('ten thousand are listed and counted, and no more are created', async () => {
    const [[highest] = []] = await served.query('SELECT max(path_id) FROM upload_folders');
    const [[count] = []] = await served.query('SELECT count(*) FROM upload_folders');
    const rows = Array.from({ length: 10_000 - Number(count) }, (_, index) => Number(highest) + 1 + index);
    for (let start = 0; start < rows.length; start += 1000) {
      const values = rows.slice(start, start + 1000).map((id) => `('many${id}', 'Many ${id}', ${id}, '/${id}')`);
      await changeIn(served.project, `INSERT INTO upload_folders (document_id, name, path_id, path) VALUES ${values.join(', ')}`);
    }
    const began = performance.now();
    expect(listIn(await asked('full', 'GET', '_folders'))).toHaveLength(10_000);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(errorOf(await asked('full', 'POST', '_folders', { name: 'One more' })).message).toContain('10000 folders');
  });
});
