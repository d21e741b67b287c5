/** Entity tags of documents and lists, and `If-None-Match`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { openDatabase } from '../../../src/dialects/open-database.ts';
import { engines } from '../../support/engines.ts';
import { apiTokenSalt, tokens } from '../../support/library/content.ts';
import { bookPath, idOf, useOwnLibrary } from '../../support/library/library.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import type { Project } from '../../support/project.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

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

  async function change(table: string, set: string, where: string): Promise<void> {
    const config = loadConfig({ dir: library.project.dir, environment: library.project.env, overrides: {} });
    if (!config.ok) throw new Error(config.errors.join('\n'));
    const database = await openDatabase(config.config.database, { create: false, statementTime: 60_000 });
    await database.write((connection) => connection.query(`UPDATE ${table} SET ${set} WHERE ${where}`, []));
    await database.close();
  }
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

  it('reveal no column that was not requested', async () => {
    const response = await ask(`${bookPath('maps')}?fields=title`);
    expect(response.json()).toEqual({ data: { id: expect.any(Number), documentId: idOf('book', 'maps'), title: 'Maps' }, meta: {} });
  });

  it('change with the row, even if no shown value changes', async () => {
    const path = `${subjectPath('physics')}?fields=name`;
    const before = await tagOf(path);
    await change('subjects', later, `document_id = '${idOf('subject', 'physics')}'`);
    const after = await tagOf(path);
    expect(versionOf(after)).not.toBe(versionOf(before));
    expect((await ask(path, { 'If-None-Match': String(before) })).status).toBe(200);
  });

  it('change with the documents in the response, with the same version', async () => {
    const path = `${subjectPath('optics')}?fields=name&populate[parent][fields]=rank`;
    const before = await tagOf(path);
    await change('subjects', 'rank = 4321', `document_id = '${idOf('subject', 'physics')}'`);
    const after = await tagOf(path);
    expect(after).not.toBe(before);
    expect(versionOf(after)).toBe(versionOf(before));
  });

  describe('If-None-Match', () => {
    const path = `${bookPath('lanterns')}?populate=subjects`;
    const forms: readonly (readonly [what: string, header: (tag: string) => string, status: number])[] = [
      ['the tag', (tag) => tag, 304],
      ['a weak tag, as proxies that compress make them', (tag) => `W/${tag}`, 304],
      ['a list', (tag) => `"other", ${tag}`, 304],
      ['anything', () => '*', 304],
      ['another tag', () => '"other"', 200],
      ['the version alone', (tag) => `"${versionOf(tag)}"`, 200],
      ['a tag without quotes', (tag) => tag.slice(1, -1), 200],
    ];
    describe.each(['GET', 'HEAD'])('%s', (method) => {
      it.each(forms)('%s', async (_what, header, status) => {
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

  it('can be read and sent by pages of other origins', async () => {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'PUT' };
    const preflight = await ask(bookPath('maps'), headers, 'OPTIONS');
    const allowed = String(preflight.headers['access-control-allow-headers']).split(',');
    expect(allowed).toEqual(expect.arrayContaining(['If-Match', 'If-None-Match', 'Idempotency-Key']));
    const response = await ask(bookPath('maps'), { Origin: 'https://shop.example' });
    expect(String(response.headers['access-control-expose-headers']).split(',')).toEqual(
      expect.arrayContaining(['ETag', 'Idempotent-Replayed', 'X-Error-Code']),
    );
  });
});

describe.each(engines)('%s: entity tags of a type whose updatedAt is private', (engine) => {
  let project: Project | undefined;
  let server: RunningServer | undefined;
  beforeAll(async () => {
    project = await libraryProject(engine);
    const file = join(project.dir, 'src/api/rules/content-types/rules/schema.json');
    const schema = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...schema, options: { ...schema.options, privateAttributes: ['updatedAt'] } }));
    server = await startServer(project.dir, { ...project.env, API_TOKEN_SALT: apiTokenSalt });
  });
  afterAll(async () => {
    await server?.stop();
    await project?.remove();
  });

  it('exist, and do not reveal it', async () => {
    const response = await server?.get('/api/rules', { Authorization: `Bearer ${tokens.full.token}` });
    expect(response?.status).toBe(200);
    expect(response?.headers.etag).toMatch(strong);
    expect(response?.text).toContain('createdAt');
    expect(response?.text).not.toContain('updatedAt');
  });
});
