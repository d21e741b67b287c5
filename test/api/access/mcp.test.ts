/** `/api/_mcp`, with a real client: the token decides what each tool may do. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { connectByHttp, type McpClient } from '../../support/mcp.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { apiTokenSalt, type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const plain = schemaFiles({
  note: {
    drafts: true,
    localized: true,
    attributes: {
      title: { type: 'string', required: true, maxLength: 20, ...translated, lectern: { label: 'Head line', help: 'Short.' } },
      owner: relation('manyToOne', 'owner'),
      secret: { type: 'string', private: true },
    },
  },
  owner: { attributes: { name: { type: 'string' } } },
  motto: { single: true, attributes: { text: { type: 'string' } } },
  codename: { attributes: { hush: { type: 'string' } } },
});
const noteFile = 'src/api/note/content-types/note/schema.json';
const described = { ...(plain[noteFile] as { info: Json }).info, description: 'What was noted' };
const files = { ...plain, [noteFile]: { ...(plain[noteFile] as Json), info: described } };

const note = 'api::note.note';
const mcpWrite = 'lectern::mcp.write';
const all = ['list_types', 'describe_type', 'find', 'find_one', 'search', 'create', 'update', 'publish', 'upload'];
const reading = all.slice(0, 5);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe.each(anyEngine)('%s: /api/_mcp', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      public: ['plugin::users-permissions.auth.callback', `${note}.find`],
      authenticated: [`${note}.find`],
      users: [ada],
      tokens: {
        nothing: [],
        reader: [`${note}.find`, `${note}.findDraft`],
        editor: [`${note}.find`, `${note}.findOne`, `${note}.findDraft`, `${note}.create`, `${note}.update`],
        writer: [`${note}.find`, `${note}.findOne`, `${note}.findDraft`, `${note}.create`, `${note}.update`, mcpWrite],
        uploader: ['plugin::upload.content-api.upload', mcpWrite],
      },
      env: { LECTERN_PROFILE: profile, LECTERN_MCP_ENABLED: 'true', JWT_SECRET: jwtSecret, LECTERN_LOG_LEVEL: 'info' },
      prepare: async ({ dir, env }) => {
        const create = async (name: string, ...args: readonly string[]) => {
          const options = ['--name', name, ...args, '--dir', dir];
          const { status, stdout, stderr } = await run(['token', 'create', ...options], { ...env, API_TOKEN_SALT: apiTokenSalt });
          if (status !== 0) throw new Error(stderr);
          secrets.set(name, stdout.trim());
        };
        await create('assistant', '--type', 'full-access', '--mcp', 'write');
        await create('site', '--type', 'read-only');
      },
    });
    const secrets = new Map<string, string>();
    const authorization = (who: string) => (secrets.has(who) ? { Authorization: `Bearer ${secrets.get(who)}` } : api.authorization(who));
    const clients = new Map<string, Promise<McpClient>>();
    const as = (who: string): Promise<McpClient> => {
      const client = clients.get(who) ?? connectByHttp(api.server.base, authorization(who));
      clients.set(who, client);
      return client;
    };
    const data = async (who: string, name: string, given: Json) => {
      const { isError, content, text } = await (await as(who)).call(name, given);
      expect([isError, text]).toEqual([false, JSON.stringify(content)]);
      return content.data as Json;
    };
    let owner: Json = {};
    beforeAll(async () => {
      owner = await api.write('POST', '/api/owners', { name: 'Ida' });
      await api.make('/api/notes', { title: 'fog', secret: 'hush hush', owner: owner.documentId });
      await api.write('PUT', '/api/motto', { text: 'plainly' });
      await api.make('/api/codenames', { hush: 'rose' });
    });

    it.each([
      ['full', 'a full-access token', reading],
      ['assistant', 'a full-access token with mcp: write', all],
      ['site', 'a read-only token', reading],
      ['reader', 'a token that reads one type', ['list_types', 'describe_type', 'find', 'search']],
      ['editor', 'a token that writes one type, but not through MCP', reading],
      ['writer', 'a token that writes one type through MCP', [...reading, 'create', 'update']],
      ['uploader', 'a token that uploads through MCP', ['list_types', 'describe_type', 'upload']],
      ['nothing', 'a token without rights', ['list_types', 'describe_type']],
    ])('%s: %s sees the tools that it may use', async (who, _, tools) => {
      const connected = await as(who);
      expect(await connected.tools()).toEqual(tools);
      expect(connected.problems).toEqual([]);
    });

    it('says of each tool whether it only reads', async () => {
      const { tools } = await (await as('assistant')).client.listTools();
      expect(tools.map(({ name, annotations: { readOnlyHint, destructiveHint } = {} }) => [name, readOnlyHint, destructiveHint])).toEqual([
        ...reading.map((name) => [name, true, false]),
        ...['create', 'update', 'publish', 'upload'].map((name) => [name, false, name === 'update' || name === 'publish']),
      ]);
      for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    });

    it.each([
      ['full', [note, 'api::codename.codename', 'api::motto.motto', 'api::owner.owner']],
      ['reader', [note]],
      ['nothing', []],
    ])('%s: list_types names the types that the token may use', async (who, uids) => {
      const { content } = await (await as(who)).call('list_types');
      const types = content.types as readonly Json[];
      expect(types.map(({ uid }) => uid).sort()).toEqual([...uids].sort());
      if (uids.includes(note)) {
        expect(types.find(({ uid }) => uid === note)).toMatchObject({
          label: 'note',
          description: 'What was noted',
          draftAndPublish: true,
        });
        expect(content.locales).toMatchObject([{ code: 'en', isDefault: true }, { code: 'de' }]);
      }
    });

    it('describes a type by its schema file, without what the caller may not see', async () => {
      const { content, text } = await (await as('reader')).call('describe_type', { type: note });
      expect(content).toMatchObject({ type: { uid: note, description: 'What was noted' }, components: {} });
      const { attributes } = content.type as { attributes: readonly Json[] };
      expect(attributes.find(({ name }) => name === 'title')).toMatchObject({
        label: 'Head line',
        lectern: { help: 'Short.' },
        maxLength: 20,
      });
      for (const hidden of ['secret', 'owner', 'codename']) expect(text).not.toContain(hidden);
    });

    it('reads as the API does', async () => {
      const query = { type: note, filters: { title: { $contains: 'fo' } }, sort: ['title:desc'], fields: ['title'], pageSize: 5 };
      const { content } = await (await as('reader')).call('find', query);
      const url = '/api/notes?filters[title][$contains]=fo&sort[0]=title:desc&fields[0]=title&pagination[page]=1&pagination[pageSize]=5';
      expect(content).toEqual((await api.send('reader', { path: url })).json());
      expect(content.data).toMatchObject([{ title: 'fog' }]);
      const [{ documentId } = {}] = content.data as readonly Json[];
      expect(await data('full', 'find_one', { type: note, documentId, populate: { owner: { fields: ['name'] } } })).toMatchObject({
        title: 'fog',
        owner: { name: 'Ida' },
      });
      expect(await data('full', 'find_one', { type: 'api::motto.motto' })).toMatchObject({ text: 'plainly' });
      expect(await data('site', 'search', { type: note, query: 'fog' })).toMatchObject([{ title: 'fog' }]);
      expect(await data('site', 'search', { type: note, query: 'hush hush' })).toEqual([]);
    });

    it('creates a draft, changes it, and publishes it', async () => {
      const { documentId } = await data('assistant', 'create', { type: note, data: { title: 'new', owner: owner.documentId } });
      const path = `/api/notes/${documentId}`;
      expect((await api.send('full', { path })).status).toBe(404);
      await data('assistant', 'update', { type: note, documentId, data: { title: 'newer' } });
      expect((await api.send('full', { path })).status).toBe(404);
      await data('assistant', 'publish', { type: note, documentId });
      expect(await api.read(`${path}?populate=owner`)).toMatchObject({ title: 'newer', owner: { name: 'Ida' } });
      await data('assistant', 'update', { type: note, documentId, data: { title: 'newest' }, status: 'published' });
      expect(await api.read(path)).toMatchObject({ title: 'newest' });
      await data('assistant', 'update', { type: 'api::motto.motto', data: { text: 'more plainly' } });
      expect(await api.read('/api/motto')).toMatchObject({ text: 'more plainly' });
    });

    it('creates in a locale', async () => {
      const created = await data('writer', 'create', { type: note, data: { title: 'neu' }, locale: 'de' });
      expect(created).toMatchObject({ title: 'neu', locale: 'de', publishedAt: null });
    });

    it('uploads a file, which a document can have', async () => {
      const file = await data('assistant', 'upload', { name: 'a.txt', content: base64('abc'), alternativeText: 'An a' });
      expect(file).toMatchObject({ name: 'a.txt', alternativeText: 'An a', mime: 'text/plain' });
      expect((await api.send('public', { path: String(file.url) })).text).toBe('abc');
    });

    it.each([
      ['full', 'create', { type: note, data: { title: 'x' } }, 'mcp.write'],
      ['site', 'create', { type: note, data: { title: 'x' } }, 'mcp.write'],
      ['editor', 'update', { type: note, documentId: 'x', data: {} }, 'mcp.write'],
      ['full', 'upload', { name: 'a.txt', content: base64('abc') }, 'mcp.write'],
      ['writer', 'create', { type: 'api::owner.owner', data: { name: 'x' } }, 'access.forbidden'],
      ['writer', 'publish', { type: note, documentId: 'x' }, 'access.forbidden'],
      ['writer', 'upload', { name: 'a.txt', content: base64('abc') }, 'access.forbidden'],
      ['writer', 'create', { type: note, data: { title: 'x', owner: 'x' } }, 'body.invalid-key'],
      ['writer', 'create', { type: note, data: { nope: 'x' } }, 'body.invalid-key'],
      ['reader', 'find', { type: 'api::owner.owner' }, 'access.forbidden'],
      ['reader', 'find_one', { type: note, documentId: 'x' }, 'access.forbidden'],
      ['reader', 'describe_type', { type: 'api::codename.codename' }, 'access.forbidden'],
      ['reader', 'find', { type: 'api::nope.nope' }, 'access.forbidden'],
      ['full', 'find', { type: 'api::nope.nope' }, 'document.not-found'],
      ['full', 'find', { type: 'plugin::users-permissions.user' }, 'document.not-found'],
      ['full', 'find', { type: 'api::motto.motto' }, 'document.not-found'],
      ['full', 'find_one', { type: note, documentId: 'nope' }, 'document.not-found'],
      ['full', 'find_one', { type: note }, 'mcp.arguments'],
      ['full', 'find_one', { type: 'api::motto.motto', documentId: 'x' }, 'mcp.arguments'],
      ['assistant', 'update', { type: note, documentId: 'nope', data: { title: 'x' } }, 'document.not-found'],
      ['assistant', 'create', { type: note, data: { title: 'x'.repeat(30) } }, 'body.values'],
      ['assistant', 'upload', { name: '../up.txt', content: base64('abc') }, 'upload.file-name'],
      ['assistant', 'upload', { name: 'a.txt', content: '' }, 'upload.no-files'],
    ])('%s: %s %j is refused with %s, as by the API', async (who, name, given, code) => {
      expect(await (await as(who)).refused(name, given)).toBe(code);
    });

    it('has the message of the API', async () => {
      const { content } = await (await as('full')).call('find', { type: note, filters: { secret: 'x' } });
      const { error } = (await api.send('full', { path: '/api/notes?filters[secret]=x' })).json() as { error: Json };
      expect(content.error).toMatchObject(error);
    });

    it.each([
      ['nobody', 'public', 401, 'mcp.visitor'],
      ['a wrong token', { Authorization: 'Bearer abc' }, 401, 'access.credentials'],
    ])('is closed to %s', async (_, who, status, code) => {
      const headers = typeof who === 'string' ? {} : who;
      const response = await api.send('public', {
        method: 'POST',
        path: '/api/_mcp',
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
        headers,
      });
      expect([response.status, codeOf(response)]).toEqual([status, code]);
    });

    it('is closed to users', async () => {
      const { username: identifier, password } = ada;
      const { jwt } = signedInBy(await api.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier, password } }));
      await expect(connectByHttp(api.server.base, { Authorization: `Bearer ${jwt}` })).rejects.toThrow('MCP is for API tokens');
    });

    it('keeps no connection: GET and DELETE are not supported', async () => {
      for (const method of ['GET', 'DELETE']) {
        const response = await api.send('full', { method, path: '/api/_mcp' });
        expect([response.status, response.headers.allow]).toEqual([405, 'POST']);
      }
    });

    it('writes each call into the log, without its values', async () => {
      const lines = () =>
        api.server.output.stderr
          .split('\n')
          .filter((line) => line.includes('"tool called"'))
          .map((line) => JSON.parse(line) as Json);
      const count = lines().length;
      await (await as('site')).call('search', { type: note, query: 'a secret wish' });
      await (await as('site')).call('find', { type: 'api::nope.nope' });
      await expect
        .poll(() => lines().slice(count))
        .toMatchObject([
          { tool: 'search', type: note, tokenId: expect.any(Number), status: 200, milliseconds: expect.any(Number) },
          { tool: 'find', status: 404 },
        ]);
      expect(api.server.output.stderr).not.toContain('a secret wish');
    });
  });
});

const codeOf = ({ headers, text }: { headers: Json; text: string }) =>
  headers['x-error-code'] ?? (JSON.parse(text) as { error: { code: string } }).error.code;
