/** The full body of a PUT: what it must name, what it may leave out, and single types, which it creates. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { noteProject, pathOf, whole } from '../../support/notes.ts';
import { dataOf, errorOf, errorPaths, idOf, useProject } from '../../support/served-project.ts';

describe.each(anyEngine)('%s: the full body of a PUT', (engine) => {
  const api = useProject(engine, noteProject);

  it('one error for each missing field, and a message that names the alternative', async () => {
    const { documentId: id } = await api.write('POST', '/api/notes', { title: 'Before' });
    const error = errorOf(await api.ask('full', 'PUT', `/api/notes/${String(id)}`, { title: 'After' }));
    expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
    expect(error.message).toMatch(/^5 errors occurred: .*null clears.*PATCH.*policies\.partialPut/);
    expect(error.details.errors).toEqual(
      ['body', 'rank', 'tint', 'flow', 'extra'].map((name) => ({
        path: [name],
        name: 'ValidationError',
        message: expect.stringMatching(new RegExp(`^${name} is missing: .*null clears.*PATCH.*policies\\.partialPut`)),
      })),
    );
    expect(await api.read(`/api/notes/${String(id)}`)).toMatchObject({ title: 'Before' });
  });

  it('together with everything else that is wrong', async () => {
    const { rank: _, ...rest } = whole;
    const path = `/api/notes/${idOf('note', 'kept')}`;
    expect(errorPaths(await api.ask('full', 'PUT', path, rest))).toEqual(['rank']);
    const response = await api.ask('full', 'PUT', path, { ...rest, tint: 'green', title: null });
    expect(errorPaths(response)?.sort()).toEqual(['rank', 'tint', 'title']);
  });

  it('relations, media, components, zones, private and password attributes may be omitted and stay', async () => {
    const populate =
      '?populate[friend][fields]=title&populate[photo][fields]=name&populate[stamp]=true&populate[strips]=true&populate[zone]=true';
    const created = await api.write('POST', `/api/notes${populate}`, {
      title: 'Before',
      pin: 'secret',
      hidden: 'hush',
      friend: idOf('note', 'kept'),
      photo: 1,
      stamp: { label: 's' },
      strips: [{ label: 'a' }, { label: 'b' }],
      zone: [{ __component: 'part.stamp', label: 'z' }],
    });
    const row = `SELECT pin, hidden FROM notes WHERE document_id = '${String(created.documentId)}'`;
    const before = await api.query(row);
    expect(before).toEqual([[expect.stringMatching(/^\$2/), 'hush']]);
    const put = await api.write('PUT', `/api/notes/${String(created.documentId)}${populate}`, whole);
    const { friend, photo, stamp, strips, zone } = created;
    expect(put).toMatchObject({ ...whole, friend, photo, stamp, strips, zone });
    expect(await api.query(row)).toEqual(before);
  });

  it('null clears a field, and PATCH needs none of it', async () => {
    const path = pathOf('note', await api.write('POST', '/api/notes', whole));
    expect(await api.write('PATCH', path, { rank: 2 })).toMatchObject({ ...whole, rank: 2 });
    expect(await api.write('PATCH', path, {})).toMatchObject({ ...whole, rank: 2 });
    const cleared = { title: 'Left', body: null, rank: null, tint: null, flow: null, extra: null };
    expect(await api.write('PUT', path, cleared)).toMatchObject(cleared);
  });

  it('creating a single type follows the rules for creations', async () => {
    const missing = errorOf(await api.ask('full', 'PUT', '/api/motto', { rank: 1 }));
    expect(missing).toMatchObject({ status: 400, message: 'text is required: expected a text ("required" in the schema file)' });
    expect((await api.ask('full', 'GET', '/api/motto')).status).toBe(404);
    const created = await api.ask('full', 'PUT', '/api/motto', { text: 'Read' });
    expect({ status: created.status, data: dataOf(created) }).toMatchObject({ status: 200, data: { text: 'Read', rank: null } });
    const again = errorOf(await api.ask('full', 'PUT', '/api/motto', { text: 'Read more' }));
    expect(again.details.errors?.map(({ path }) => path)).toEqual([['rank']]);
    expect(await api.write('PATCH', '/api/motto', { text: 'Read more' })).toMatchObject({
      documentId: dataOf(created).documentId,
      text: 'Read more',
    });
  });
});
