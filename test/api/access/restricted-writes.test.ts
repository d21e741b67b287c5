/** Writes by callers whose rights are restricted to some rows and fields: made, changed, published, linked, in other locales. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { essence, isRefused, type Limited, useLimited } from '../../support/limited.ts';
import { dataOf, errorOf } from '../../support/served-project.ts';

describe.each(engines)('%s: a write with a restricted right', (engine) => {
  const limited: Limited = useLimited(engine, { LECTERN_PROFILE: 'specification' });
  const as: Limited['as'] = (...args) => limited.as(...args);
  const rowsOf = async (title: string) => (await limited.query(`SELECT id FROM notes WHERE title = '${title}'`)).length;

  it('creates only documents that match the condition', async () => {
    const made = await as('ada', 'POST', '/api/notes', { title: 'mine', owner: limited.userId('ada') });
    expect(made.status).toBe(201);
    for (const data of [
      { title: 'not mine', owner: null },
      { title: 'not mine', owner: [] },
    ]) {
      expect(errorOf(await as('ada', 'POST', '/api/notes', data)).status).toBe(403);
    }
    // Ben is nobody whom Ada may find.
    expect(errorOf(await as('ada', 'POST', '/api/notes', { title: 'not mine', owner: limited.userId('ben') })).status).toBe(400);
    expect(await rowsOf('not mine')).toBe(0);
    const path = `/api/notes/${dataOf(made).documentId}`;
    expect(errorOf(await as('ada', 'PATCH', path, { owner: null })).status).toBe(403);
    expect(errorOf(await as('ada', 'PATCH', path, { owner: { disconnect: [limited.userId('ada')] } })).status).toBe(403);
    expect((await as('ada', 'PATCH', path, { title: 'still mine' })).status).toBe(200);
    expect((await as('ada', 'DELETE', path)).status).toBe(204);
    expect(await rowsOf('still mine')).toBe(0);
  });

  it('fills in the values of the caller that the right demands, and no constants', async () => {
    const path = `/api/notes/${dataOf(await as('ada', 'POST', '/api/notes', { title: 'filled in' })).documentId}`;
    expect((await limited.read(`${path}?populate=owner`)).owner).toMatchObject({ username: 'ada' });
    expect((await as('ada', 'DELETE', path)).status).toBe(204);
    const message = 'The right is restricted, and this write would change or create something outside of the restriction';
    expect(errorOf(await as('ada', 'POST', '/api/bulletins', { title: 'at once' })).message).toBe(message);
  });

  it('publishes only what the right to publish allows', async () => {
    const made = await as('ada', 'POST', '/api/bulletins?status=draft', { title: 'early', ready: false });
    expect(made.status).toBe(201);
    const path = `/api/bulletins/${dataOf(made).documentId}`;
    expect(errorOf(await as('ada', 'PATCH', path, { title: 'too early' })).status).toBe(403);
    expect(errorOf(await as('ada', 'POST', '/api/bulletins', { title: 'at once', ready: false })).status).toBe(403);
    expect((await as('ada', 'PATCH', path, { title: 'later', ready: true })).status).toBe(200);
    expect(await limited.query('SELECT title FROM bulletins WHERE published_at IS NOT NULL')).toEqual([['later']]);
  });

  it('links to nothing that the caller may not find, as if it did not exist', async () => {
    const path = `/api/notes/${limited.id('ada two')}`;
    const hidden = limited.id('ben one');
    const missing = 'z'.repeat(24);
    const shapes = [
      (id: string) => ({ links: [id] }),
      (id: string) => ({ links: { connect: [id] } }),
      (id: string) => ({ links: { set: [{ documentId: id }] } }),
      (id: string) => ({ links: { disconnect: [id] } }),
      (id: string) => ({ links: { connect: [{ documentId: limited.id('ada one'), position: { before: id } }] } }),
    ];
    for (const shape of shapes) {
      const error = errorOf(await as('ada', 'PATCH', path, shape(hidden)));
      const absent = errorOf(await as('ada', 'PATCH', path, shape(missing)));
      expect({ ...error, message: error.message.replaceAll(hidden, '') }).toEqual({
        ...absent,
        message: absent.message.replaceAll(missing, ''),
      });
      expect(error.status).toBe(400);
    }
    const [[rowId]] = (await limited.query(`SELECT id FROM notes WHERE title = 'ben one'`)) as [[number]];
    const byRow = essence(await as('ada', 'PATCH', path, { links: [Number(rowId)] }));
    const noRow = essence(await as('ada', 'PATCH', path, { links: [999_999] }));
    expect({ status: byRow.status, text: byRow.text.replaceAll(String(rowId), '') }).toMatchObject({
      status: noRow.status,
      text: noRow.text.replaceAll('999999', ''),
    });
  });

  it('takes no document of others from the other side of a relation', async () => {
    // Ada may write topics, and through them she would change the notes that point at them.
    const path = `/api/topics/${limited.id('empty')}`;
    expect(errorOf(await as('ada', 'PATCH', path, { notes: [limited.id('ben two')] })).status).toBe(400);
    expect((await as('ada', 'PATCH', path, { notes: [limited.id('ada two')] })).status).toBe(200);
    expect((await as('ada', 'PATCH', path, { notes: [] })).status).toBe(200);
    // A draft takes the condition on drafts as well; to her it does not exist, by its row id either.
    const [[draftId]] = (await limited.query(`SELECT id FROM storys WHERE title = 'ben draft'`)) as [[number]];
    const byRow = async (id: number) =>
      (await as('ada', 'POST', '/api/cycles?status=draft', { name: 'cycle', stories: [id] })).text.replaceAll(String(id), '');
    expect(await byRow(Number(draftId))).toBe(await byRow(999_999));
    // She may find this story of Ben's, and not change it.
    const named = (title: string) => ({ name: 'cycle', stories: [limited.id(title)] });
    expect(errorOf(await as('ada', 'POST', '/api/cycles', named('ben open'))).status).toBe(403);
    expect((await as('ada', 'POST', '/api/cycles', named('ada closed'))).status).toBe(201);
  });

  it('changes no document of others by linking, unlinking or taking over targets', async () => {
    const own = `/api/notes/${limited.id('ada one')}`;
    const shared = `/api/topics/${limited.id('shared')}`;
    const bens = `/api/topics/${limited.id('bens')}`;
    const refused = [
      // A note of Ben's is among them, and would lose its topic.
      [shared, { notes: [] }],
      [shared, { notes: [limited.id('ada one')] }],
      [shared, { notes: null }],
      // Targets of Ben's note, which can have one source only.
      [own, { title: 'lost', next: limited.id('ada two') }],
      [own, { remarks: [limited.id('on ben')] }],
      [own, { remarks: { connect: [limited.id('on ben')] } }],
      // Her own note, which she could not write any more.
      [bens, { notes: { connect: [limited.id('ada two')] } }],
    ] as const;
    const read = async () => [
      await limited.read(`/api/notes/${limited.id('ben one')}?populate[topic]=true&populate[next]=true`),
      await limited.read(`/api/remarks/${limited.id('on ben')}?populate=about`),
      await limited.read(`/api/notes/${limited.id('ada two')}?populate=topic`),
    ];
    const before = await read();
    for (const [path, data] of refused) expect(errorOf(await as('ada', 'PATCH', path, data)).status).toBe(403);
    expect(errorOf(await as('ada', 'POST', '/api/notes', { owner: limited.userId('ada'), next: limited.id('ada two') })).status).toBe(403);
    expect(await read()).toEqual(before);
    expect((await as('ada', 'PATCH', shared, { notes: { disconnect: [limited.id('ada one')] } })).status).toBe(200);
    expect((await as('ada', 'PATCH', shared, { notes: { connect: [limited.id('ada one')] } })).status).toBe(200);
    expect((await as('ada', 'PATCH', own, { remarks: [] })).status).toBe(200);
    expect((await as('ada', 'PATCH', own, { remarks: [limited.id('on ada')] })).status).toBe(200);
    expect((await as('ada', 'PATCH', own, { previous: limited.id('ada two') })).status).toBe(200);
    expect((await as('ada', 'PATCH', own, { previous: null })).status).toBe(200);
  });

  it('does not change a single type of another user', async () => {
    expect((await as('ada', 'GET', '/api/prefs')).status).toBe(404);
    expect((await as('ada', 'PUT', '/api/prefs', { color: 'blue' })).status).toBe(404);
    expect((await as('ada', 'DELETE', '/api/prefs')).status).toBe(204);
    expect(dataOf(await as('ben', 'GET', '/api/prefs')).color).toBe('red');
    expect(dataOf(await as('ben', 'PATCH', '/api/prefs', { color: 'green' })).color).toBe('green');
  });

  it('changes no locale that the condition hides, and adds no new one beside it', async () => {
    const own = `/api/pages/${limited.id('ada page')}`;
    const mixed = `/api/pages/${limited.id('mixed page')}`;
    expect((await as('ada', 'PUT', own, { title: 'changed', tone: 'loud' })).status).toBe(200);
    expect((await as('ada', 'PUT', `${mixed}?locale=de`, { title: 'geändert', tone: 'calm' })).status).toBe(404);
    expect((await as('ada', 'PUT', `/api/pages/${limited.id('ben page')}?locale=de`, { title: 'neu', tone: 'calm' })).status).toBe(404);
    expect(errorOf(await as('ada', 'PATCH', `/api/pages/${limited.id('locked page')}`, { tone: 'loud' })).status).toBe(403);
    expect((await as('ada', 'PATCH', mixed, { title: 'only mine' })).status).toBe(200);
    expect(errorOf(await as('ada', 'PATCH', mixed, { tone: 'loud' })).status).toBe(403);
    expect((await as('ada', 'DELETE', `${mixed}?locale=*`)).status).toBe(204);
    expect(await limited.query(`SELECT title, tone FROM pages WHERE holder = 'ben' ORDER BY title`)).toEqual([
      ['ben page', 'calm'],
      ['gemischt', 'calm'],
    ]);
    expect(await limited.query(`SELECT title FROM pages WHERE title = 'only mine'`)).toHaveLength(1);
  });

  it('names no attribute that is not among the fields', async () => {
    isRefused(await as('public', 'POST', '/api/notes', { title: 'a', secret: 'b' }), 'secret');
    isRefused(await as('public', 'POST', '/api/notes', { title: 'a', owner: 1 }), 'owner');
    isRefused(await as('ada', 'PATCH', `/api/pages/${limited.id('ada page')}`, { holder: 'ben' }), 'holder');
    const made = await as('public', 'POST', '/api/notes', { title: 'by the public', rank: 3 });
    expect(made.status).toBe(201);
    expect(Object.keys(dataOf(made)).sort()).toEqual(['documentId', 'id', 'title']);
    await limited.ask('full', 'DELETE', `/api/notes/${dataOf(made).documentId}`);
  });

  it('is answered without a body where the caller may not read what was written', async () => {
    const response = await as('ada', 'POST', '/api/teams', { name: 'green' });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await limited.query(`SELECT name FROM teams WHERE name = 'green'`)).toHaveLength(1);
  });
});
