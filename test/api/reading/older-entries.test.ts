/** Entries that are older than the schema files, or that other programs wrote: attributes that a body omits are not lost. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { writeFiles } from '../../support/write-files.ts';

const files = (more: object = {}) =>
  schemaFiles(
    {
      note: {
        drafts: true,
        attributes: {
          title: { type: 'string' },
          body: { type: 'text' },
          tags: relation('manyToMany', 'tag'),
          next: relation('oneToOne', 'note'),
          parts: component('link', { repeatable: true }),
          ...more,
        },
      },
      tag: { attributes: { name: { type: 'string' } } },
    },
    { link: { url: { type: 'string' } } },
  );

const inTable = (name: string): ReturnType<typeof files> => {
  const path = 'src/api/tag/content-types/tag/schema.json';
  const written = files()[path] as Json;
  return { ...files({ kind: { type: 'string', required: true, default: 'plain' } }), [path]: { ...written, collectionName: name } };
};

describe.each(engines)('%s: older entries', (engine) => {
  const api = useProject(engine, { files: files() });
  const all = 'populate[tags]=true&populate[parts]=true&populate[next]=true';
  const make = async (title: string, more: object = {}) => {
    const data = { title, body: `of ${title}`, parts: [{ url: '1' }, { url: '2' }], ...more };
    return String((await api.write('POST', '/api/notes', data)).documentId);
  };

  it.each(['published', 'draft'])('a PATCH of a document without a draft keeps omitted attributes (status=%s)', async (status) => {
    const tag = String((await api.write('POST', '/api/tags', { name: 'T' })).documentId);
    const next = await make('next');
    const id = await make('one', { tags: [tag], next });
    await api.change(`DELETE FROM notes WHERE document_id = '${id}' AND published_at IS NULL`);
    await api.write('PATCH', `/api/notes/${id}?status=${status}`, { title: 'two' });
    const kept = { body: 'of one', tags: [{ name: 'T' }], parts: [{ url: '1' }, { url: '2' }], next: { title: 'next' } };
    expect(await api.read(`/api/notes/${id}?status=draft&${all}`)).toMatchObject({ ...kept, title: 'two' });
    expect(await api.read(`/api/notes/${id}?${all}`)).toMatchObject({ ...kept, title: status === 'published' ? 'two' : 'one' });
    await api.write('PATCH', `/api/notes/${id}`, { body: null });
    expect(await api.read(`/api/notes/${id}?${all}`)).toMatchObject({ ...kept, title: 'two', body: null });
  });

  it('null clears an attribute, even if there was no draft', async () => {
    const id = await make('one');
    await api.change(`DELETE FROM notes WHERE document_id = '${id}' AND published_at IS NULL`);
    await api.write('PATCH', `/api/notes/${id}`, { body: null, parts: [] });
    expect(await api.read(`/api/notes/${id}?${all}`)).toMatchObject({ title: 'one', body: null, parts: [] });
  });

  // Migrations are tested on every engine.
  if (!anyEngine.includes(engine)) return;

  it('an attribute that is required now takes its default', async () => {
    const id = await make('older');
    const withKind = files({ kind: { type: 'string', required: true, default: 'plain' } });
    writeFiles(api.project.dir, withKind);
    // Before the column is there, every row lacks a value.
    expect((await api.command('migrate', 'plan')).stdout).toMatch(/api::note\.note\.kind is required; rows without a value: \d+\./);
    expect(await api.restart(withKind)).not.toBe(null);
    expect(await api.write('PATCH', `/api/notes/${id}`, { title: 'newer' })).toMatchObject({
      title: 'newer',
      kind: 'plain',
      body: 'of older',
    });
    expect((await api.ask('full', 'PATCH', `/api/notes/${id}`, { kind: null })).status).toBe(400);
    await make('older, too');
    await api.change("UPDATE notes SET kind = NULL WHERE title = 'older, too'");
    const plan = await api.command('migrate', 'plan');
    expect(plan.status).toBe(0);
    expect(plan.stdout).toMatch(/api::note\.note\.kind is required; rows without a value: \d+\./);
    expect(JSON.parse((await api.command('migrate', 'plan', '--json')).stdout)).toMatchObject({
      nothingToDo: true,
      notes: [expect.any(String)],
    });
    expect(await api.restart({})).not.toBe(null);
    expect(await api.write('PATCH', `/api/notes/${id}`, { kind: 'other' })).toMatchObject({ kind: 'other' });
  });

  it('check reports a possible rename, even if the start has added the new column', async () => {
    const path = 'src/api/tag/content-types/tag/schema.json';
    const before = files()[path] as Json;
    writeFiles(api.project.dir, { [path]: { ...before, attributes: { label: { type: 'string' } } } });
    const checked = await api.command('check');
    expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('the start adds what is missing') });
    expect(checked.stderr).toContain('a rename (api::tag.tag.name=label)');
    expect(await api.restart({ [path]: before })).not.toBe(null);
  });

  it('a new collectionName: the start refuses until the table is renamed', async () => {
    const before = await api.ask('full', 'GET', '/api/tags?sort=id');
    expect(await api.restart(inTable('labels'))).toBe(null);
    const refused = await api.command('start', '--port', '0');
    expect(refused.stderr).toMatch(/lectern migrate apply --dir \S+ --rename api::tag\.tag=api::tag\.tag/);
    const checked = (await api.command('check')).stderr;
    expect(checked).toMatch(/lectern migrate apply --dir \S+ --rename api::tag\.tag=api::tag\.tag/);
    // An empty table beside the old one would help nobody.
    expect(checked).not.toContain('has no table');
    expect((await api.command('migrate', 'plan')).stdout).toContain('The table "tags" of api::tag.tag becomes "labels".');
    const applied = await api.command('migrate', 'apply', '--rename', 'api::tag.tag=api::tag.tag');
    expect(applied).toMatchObject({ status: 0 });
    expect((await api.command('migrate', 'plan')).status).toBe(0);
    expect(await api.restart({})).not.toBe(null);
    expect((await api.ask('full', 'GET', '/api/tags?sort=id')).json()).toEqual(before.json());
  });

  it('a type without drafts takes the default as well', async () => {
    const path = 'src/api/tag/content-types/tag/schema.json';
    const before = inTable('labels')[path] as Json;
    const id = String((await api.write('POST', '/api/tags', { name: 'older' })).documentId);
    const kind = { type: 'string', required: true, default: 'plain' };
    expect(await api.restart({ [path]: { ...before, attributes: { name: { type: 'string' }, kind } } })).not.toBe(null);
    expect(await api.read(`/api/tags/${id}`)).toMatchObject({ kind: null });
    expect(await api.write('PATCH', `/api/tags/${id}`, { name: 'newer' })).toMatchObject({ name: 'newer', kind: 'plain' });
    expect(await api.restart({ [path]: before })).not.toBe(null);
  });
});
