/** `/api/openapi.json` has what the caller may use, and nothing else. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../src/openapi/document-parts.ts';
import { anyEngine } from '../support/engines.ts';
import { hiddenContent, hiddenFiles } from '../support/hidden-content.ts';
import { useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { writeFiles } from '../support/write-files.ts';
import { namesIn, propertiesIn, schemaIn } from './documents.ts';

/** What every caller may use. */
const openToAll = [
  'GET /api/_me',
  'POST /api/_validate/{uid}',
  'GET /api/_counts',
  'POST /api/_batch',
  'GET /api/_schedule',
  'GET /api/_releases',
  'POST /api/_releases',
  'GET /api/_releases/{id}',
  'PATCH /api/_releases/{id}',
  'DELETE /api/_releases/{id}',
  'POST /api/_releases/{id}/publish',
  'POST /api/_presence/{uid}/{documentId}',
  'DELETE /api/_presence/{uid}/{documentId}',
];

describe.each(anyEngine)('%s', (engine) => {
  const content = hiddenContent({ values: 'alpha', entries: 'alpha' });
  const site = useProject(engine, {
    files: hiddenFiles,
    ...content,
    tokens: {
      ...content.tokens,
      nobody: [],
      writer: ['api::article.article.create', 'api::article.article.update'],
      reader: ['api::person.person.findOne', 'api::article.article.find'],
    },
    authenticated: ['api::topic.topic.find', 'api::topic.topic.update', 'api::person.person.find'],
    rules: {
      authenticated: {
        'api::topic.topic.find': { fields: ['name', 'parent'] },
        'api::topic.topic.update': { fields: ['name'] },
      },
    },
    env: { JWT_SECRET: 'secret' },
  });
  const documentOf = async (who: string): Promise<OpenApiDocument> => {
    const response = await site.ask(who, 'GET', '/api/openapi.json');
    expect(response.status).toBe(200);
    return response.json() as OpenApiDocument;
  };
  const asRole = async (...roles: string[]): Promise<OpenApiDocument> => {
    const names = roles.flatMap((role) => ['--as', role]);
    const { stdout, stderr, status } = await run(['openapi', ...names, '--dir', site.project.dir], site.environment);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return JSON.parse(stdout);
  };

  it('shows a caller nothing of a type that the caller may not read', async () => {
    const text = JSON.stringify(await documentOf('public'));
    expect(text).toContain('/api/articles');
    for (const hidden of ['person', 'Person', '"age"', '"author"', '"readers"', '"patron"']) expect(text).not.toContain(hidden);
  });

  it.each(['public', 'full', 'users', 'writer', 'nobody'])('names no private attribute to %s', async (who) => {
    expect(JSON.stringify(await documentOf(who))).not.toMatch(/hush/i);
  });

  it('has passwords in bodies and never in responses', async () => {
    const document = await documentOf('full');
    expect(propertiesIn(document, 'TopicCreate')).toContain('code');
    expect(propertiesIn(document, 'Topic')).not.toContain('code');
    expect(propertiesIn(document, 'TopicFilterObject')).not.toContain('code');
  });

  it('has nothing for a token without rights but what is open to all, and only the writes for one that may only write', async () => {
    const open = await documentOf('nobody');
    expect(namesIn(open)).toEqual(openToAll);
    expect(Object.keys(open.components.schemas)).toEqual(expect.not.arrayContaining([expect.stringMatching(/Article|Person|Topic/)]));
    const document = await documentOf('writer');
    expect(namesIn(document).filter((name) => !openToAll.includes(name))).toEqual([
      'POST /api/articles',
      'PUT /api/articles/{documentId}',
      'PATCH /api/articles/{documentId}',
    ]);
    expect(propertiesIn(document, 'ArticleCreate')).toEqual(['title', 'rank', 'code', 'cover', 'part', 'parts', 'zone', 'locale']);
    expect(propertiesIn(document, 'PartPieceComponentInput')).not.toContain('person');
  });

  it('has a type that may be read one by one, and no relation to it', async () => {
    const document = await documentOf('reader');
    expect(namesIn(document)).toEqual([
      'GET /api/articles',
      'GET /api/persons/{documentId}',
      'GET /api/persons/{documentId}/versions-of-locales',
      'GET /api/persons/{documentId}/references',
      ...openToAll,
    ]);
    expect(propertiesIn(document, 'Article')).not.toContain('author');
    expect(propertiesIn(document, 'Person')).toContain('age');
  });

  it('has only the fields that a right is restricted to', async () => {
    const document = await asRole('authenticated');
    expect(propertiesIn(document, 'Topic')).toEqual(['id', 'documentId', 'name', 'parent']);
    expect(propertiesIn(document, 'TopicFilterObject')).toEqual(['$and', '$or', '$not', 'id', 'documentId', 'name', 'parent']);
    expect(propertiesIn(document, 'TopicUpdate')).toEqual(['name']);
    expect(schemaIn(document, 'TopicReplace').allOf?.[1]?.required).toEqual(['name']);
  });

  it('has what any of several roles may use', async () => {
    const [one, other, both] = [await asRole('public'), await asRole('authenticated'), await asRole('public', 'authenticated')];
    // Related documents need the rights to both types.
    const together = 'GET /api/persons/{documentId}/related';
    expect([...namesIn(both)].sort()).toEqual([...new Set([together, ...namesIn(one), ...namesIn(other)])].sort());
    expect(propertiesIn(both, 'Topic')).toContain('children');
  });

  it('refuses a role that does not exist, and names the known ones', async () => {
    const { status, stderr } = await run(['openapi', '--as', 'pubic', '--dir', site.project.dir], site.environment);
    expect(status).toBe(1);
    expect(stderr).toContain('--as: there is no role "pubic"; did you mean public? Roles: ');
    expect(stderr).toMatch(/public\. API tokens: full-access, read-only$/m);
  });

  it('makes the folders of its file, and says why a file cannot be written', async () => {
    const out = join(site.project.dir, 'made', 'openapi.json');
    const write = (path: string) => run(['openapi', '--as', 'read-only', '--out', path, '--dir', site.project.dir], site.environment);
    expect(await write(out)).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toHaveProperty('openapi');
    const { status, stderr } = await write(join(out, 'below-a-file.json'));
    expect(status).toBe(1);
    expect(stderr).toContain('below-a-file.json cannot be written: ');
    expect(stderr).not.toContain('unexpected');
    const beside = join(`${site.project.dir}-made`, 'openapi.json');
    expect(await write(beside)).toMatchObject({ status: 1, stderr: expect.stringContaining(`There is no folder ${dirname(beside)}.`) });
    expect(existsSync(dirname(beside))).toBe(false);
  });

  it('is served as other responses are: to right tokens, with an entity tag, to GET alone', async () => {
    const ask = (who: string, headers: Record<string, string> = {}, method = 'GET') =>
      site.send(who, { method, path: '/api/openapi.json', headers });
    expect((await ask('public', { Authorization: 'Bearer abcdef' })).status).toBe(401);
    expect(await ask('full', {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET' } });
    const { headers } = await ask('users');
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: expect.stringContaining('Authorization') });
    const known = { 'If-None-Match': String(headers.etag) };
    expect(await ask('users', known)).toMatchObject({ status: 304, text: '' });
    expect((await ask('public', known)).status).toBe(200);
  });

  it('changes at once with the rights', async () => {
    const before = await documentOf('public');
    expect(namesIn(before)).not.toContain('GET /api/persons');
    const allow = await run(['role', 'allow', 'public', 'person', 'find', '--dir', site.project.dir], site.environment);
    expect(allow.status).toBe(0);
    await expect.poll(async () => namesIn(await documentOf('public'))).toContain('GET /api/persons');
    await run(['role', 'deny', 'public', 'person', 'find', '--dir', site.project.dir], site.environment);
    await expect.poll(async () => namesIn(await documentOf('public'))).not.toContain('GET /api/persons');
  });

  it('can be switched off', async () => {
    const server = await site.beside({ LECTERN_API_OPENAPI: 'false' });
    expect((await server.get('/api/openapi.json')).status).toBe(404);
  });

  it('leaves the path to a route of the project’s own code', async () => {
    writeFiles(site.project.dir, {
      'src/api/topic/routes/own.js':
        "module.exports = { routes: [{ method: 'GET', path: '/openapi.json', handler: 'topic.describe' }] };\n",
    });
    const server = await site.beside();
    expect((await server.get('/api/openapi.json', site.authorization('full'))).status).toBe(501);
  });
});
