/** Entity tags of documents and lists, and `If-None-Match`. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { bookPath, idOf, useOwnLibrary } from '../../support/library/library.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { changeIn, type Json, useProject } from '../../support/served-project.ts';

const v4 = { 'Strapi-Response-Format': 'v4' };
const strong = /^"[\w-]+\.[\w-]+"$/;
const versionOf = (tag: string | undefined) => tag?.slice(1).split('.')[0];
const subjectPath = (key: string) => `/api/subjects/${idOf('subject', key)}`;

describe.each(engines)('%s: entity tags', (engine) => {
  const library = useOwnLibrary(engine);
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    library.ask('full', { method, path, headers });
  const tagOf = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await ask(path, headers);
    expect(response.status).toBe(200);
    return response.headers.etag;
  };

  const change = (table: string, set: string, key: string) =>
    changeIn(library.project, `UPDATE ${table} SET ${set} WHERE document_id = '${idOf('subject', key)}'`);
  const later = {
    sqlite: 'updated_at = updated_at + 1',
    postgres: "updated_at = updated_at + interval '1 millisecond'",
    mariadb: 'updated_at = updated_at + interval 1000 microsecond',
    mysql: 'updated_at = updated_at + interval 1000 microsecond',
  }[engine];

  it.each([bookPath('maps'), '/api/entrance', '/api/rules', `${bookPath('maps')}?populate=*`, `${bookPath('maps')}?status=draft`])(
    '%s has one, the same each time',
    async (path) => {
      const tag = await tagOf(path);
      expect(tag).toMatch(strong);
      expect(await tagOf(path)).toBe(tag);
      expect((await ask(path, {}, 'HEAD')).headers.etag).toBe(tag);
    },
  );

  it.each([
    ['/api/books/nothing', 404],
    [`${bookPath('maps')}?nope=1`, 400],
    ['/api/users/1', 200],
    ['/api/upload/files/1', 200],
    ['/api/i18n/locales', 200],
  ])('%s has none', async (path, status) => {
    const response = await ask(path, { 'If-None-Match': '*' });
    expect({ status: response.status, tag: response.headers.etag }).toEqual({ status, tag: undefined });
  });

  it.each(['/api/books', '/api/books?populate=subjects'])('the list %s has one, of its bytes alone', async (path) => {
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf(path)).toBe(tag);
    expect((await ask(path, {}, 'HEAD')).headers.etag).toBe(tag);
    expect(await tagOf(path, v4)).not.toBe(tag);
    expect((await ask(path, { 'If-None-Match': String(tag) })).status).toBe(304);
    expect((await ask(bookPath('maps'), { 'If-Match': String(tag) }, 'DELETE')).status).toBe(412);
  });

  it('identify the response: other fields, other relations or another envelope give another tag with the same version', async () => {
    const path = bookPath('maps');
    const tags = [
      await tagOf(path),
      await tagOf(`${path}?fields=title`),
      await tagOf(`${path}?fields=title&populate[subjects][fields]=name`),
      await tagOf(`${path}?fields=title,updatedAt`),
      await tagOf(path, v4),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(new Set(tags.map(versionOf)).size).toBe(1);
  });

  it('identify the row: draft and published version differ, and so do documents', async () => {
    const versions = [await tagOf(bookPath('maps')), await tagOf(`${bookPath('maps')}?status=draft`), await tagOf(bookPath('lanterns'))];
    expect(new Set(versions.map(versionOf)).size).toBe(3);
  });

  it('change with the row, even if no shown value changes', async () => {
    const path = `${subjectPath('physics')}?fields=name`;
    const before = await tagOf(path);
    await change('subjects', later, 'physics');
    const after = await tagOf(path);
    expect(versionOf(after)).not.toBe(versionOf(before));
    expect((await ask(path, { 'If-None-Match': String(before) })).status).toBe(200);
  });

  it('change with the documents in the response, with the same version', async () => {
    const path = `${subjectPath('optics')}?fields=name&populate[parent][fields]=rank`;
    const before = await tagOf(path);
    await change('subjects', 'rank = 4321', 'physics');
    const after = await tagOf(path);
    expect(after).not.toBe(before);
    expect(versionOf(after)).toBe(versionOf(before));
  });

  describe('If-None-Match', () => {
    const path = `${bookPath('lanterns')}?populate=subjects`;
    it.each([
      ['GET', 'the tag', (tag: string) => tag, 304],
      ['HEAD', 'a list with the tag, weak as proxies that compress make it', (tag: string) => `"other", W/${tag}`, 304],
      ['GET', 'the version alone', (tag: string) => `"${versionOf(tag)}"`, 200],
    ] as const)('%s with %s', async (method, _what, header, status) => {
      const tag = String(await tagOf(path));
      const response = await ask(path, { 'If-None-Match': header(tag), Origin: 'https://shop.example' }, method);
      expect(response.status).toBe(status);
      expect(response.headers.etag).toBe(tag);
      if (status === 304) {
        expect(response.raw.length).toBe(0);
        expect(response.headers['content-type']).toBeUndefined();
        expect(response.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': '*',
          'x-request-id': expect.any(String),
          'server-timing': expect.stringContaining('statements'),
        });
      }
    });

    it('is not evaluated before the right', async () => {
      const response = await library.ask('public', { path: `/api/loans/${idOf('loan', 'zoe')}`, headers: { 'If-None-Match': '*' } });
      expect(response.status).toBe(403);
    });

    it('does not match the tag of another caller, who sees more', async () => {
      const other = `${bookPath('lanterns')}?populate=*`;
      const response = await library.ask('public', { path: other, headers: { 'If-None-Match': String(await tagOf(other)) } });
      expect(response.status).toBe(200);
    });
  });
});

describe.each(anyEngine)('%s: the entity tag of a type whose updatedAt is private', (engine) => {
  const files = schemaFiles({ note: { single: true, attributes: { title: { type: 'string' } } } });
  const [[path = '', schema] = []] = Object.entries(files).filter(([name]) => name.endsWith('schema.json'));
  const options = { privateAttributes: ['updatedAt'] };
  const served = useProject(engine, { files: { ...files, [path]: { ...(schema as Json), options } } });

  it('exists, and does not reveal it', async () => {
    await served.write('PUT', '/api/note', { title: 'a' });
    const response = await served.ask('full', 'GET', '/api/note');
    expect(response.headers.etag).toMatch(strong);
    expect(response.text).toContain('createdAt');
    expect(response.text).not.toContain('updatedAt');
  });
});
