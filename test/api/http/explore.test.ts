/** What the server tells the page `/explore`, besides the API. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DescribedModel } from '../../../src/http/site/explore/described-model.ts';
import { startDev } from '../../support/dev-server.ts';
import { anyEngine } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { seedDocuments } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles({
  note: {
    drafts: true,
    attributes: {
      title: { type: 'string' },
      price: { type: 'integer' },
      secret: { type: 'string', private: true },
      pin: { type: 'password' },
      owner: relation('manyToOne', 'owner'),
    },
  },
  owner: { attributes: { name: { type: 'string' } } },
  hidden: { attributes: { codeName: { type: 'string' } } },
});

describe.each(anyEngine)('%s: /explore', (engine) => {
  const api = useProject(engine, {
    files,
    types: [{ type: 'api::note.note', documents: seedDocuments({ a: { title: 'A', price: 1 } }) }],
    public: ['api::note.note.find'],
    authenticated: ['api::note.note.find'],
    rules: { public: { 'api::note.note.find': { fields: ['title'], where: { title: 'never-told' } } } },
    tokens: { both: ['api::note.note.find', 'api::owner.owner.findOne', 'api::owner.owner.find', 'api::note.note.findDraft'], none: [] },
  });
  const typesOf = async (who: string) => (await api.ask(who, 'GET', '/explore/types')).json() as DescribedModel;
  const namesOf = (model: DescribedModel, uid: string) => model.schemas[uid]?.attributes.map(({ name }) => name);

  it('names the attributes that the caller may read, and no others', async () => {
    expect(namesOf(await typesOf('public'), 'api::note.note')).toEqual(['id', 'documentId', 'title']);
    expect(namesOf(await typesOf('both'), 'api::note.note')).toEqual(
      expect.arrayContaining(['id', 'documentId', 'title', 'price', 'owner', 'createdAt']),
    );
  });

  it.each(['public', 'both', 'full'])('names no private attribute and no password: %s', async (who) => {
    const { text } = await api.ask(who, 'GET', '/explore/types');
    for (const name of ['secret', 'pin']) expect(text).not.toContain(`"${name}"`);
  });

  it.each(['public', 'both', 'none'])('tells nothing of a type without rights, nor of the condition of a right: %s', async (who) => {
    const { text } = await api.ask(who, 'GET', '/explore/types');
    for (const word of ['hidden', 'Hidden', 'codeName', 'never-told']) expect(text).not.toContain(word);
    if (who !== 'both') expect(text).not.toContain('owner');
  });

  it('lists the types with the endpoints that the caller may call', async () => {
    const { roots } = await typesOf('both');
    const listed = { isSingle: false, mayFind: true, hasLocales: false };
    expect(roots).toEqual([
      { ...listed, uid: 'api::note.note', path: '/api/notes', mayFindOne: false, hasDrafts: true },
      { ...listed, uid: 'api::owner.owner', path: '/api/owners', mayFindOne: true, hasDrafts: false },
    ]);
    expect((await typesOf('none')).roots).toEqual([]);
  });

  it('is for pages of this origin, is not stored, and refuses a wrong token', async () => {
    const { headers } = await api.ask('public', 'GET', '/explore/types', undefined, { Origin: 'https://elsewhere.example' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: expect.stringContaining('Authorization') });
    const wrong = await api.send('public', { path: '/explore/types', headers: { Authorization: 'Bearer wrong' } });
    expect(wrong.status).toBe(401);
  });

  it.each(['public', 'full'])('a started server tells no statement, whatever the rights: %s', async (who) => {
    expect(await typesOf(who)).toMatchObject({ development: false });
    const { status, text } = await api.ask(who, 'GET', '/explore/statements/api/notes');
    expect(status).toBe(404);
    expect(text).not.toContain('SELECT');
  });

  it('no variable makes a started server tell statements', async () => {
    const env = { NODE_ENV: 'development', LECTERN_ENV: 'development', LECTERN_SITE_DEVELOPMENT: 'true' };
    const server = await api.beside(env);
    expect((await server.get('/explore/statements/api/notes', api.authorization('full'))).status).toBe(404);
  });

  it('lectern dev tells the statements of what the caller may read, and runs none', async () => {
    const dev = await startDev(api.project.dir, api.environment);
    onTestFinished(() => dev.stop());
    const get = (path: string, who: string) => dev.get(`/explore/statements${path}`, api.authorization(who));
    const explained = await get('/api/notes?populate=owner&filters[title][$contains]=b%27', 'both');
    expect(explained.status).toBe(200);
    expect(explained.headers).not.toHaveProperty('access-control-allow-origin');
    const { data } = explained.json() as { data: { sql: string; plan: string[]; parameters: unknown[] }[] };
    expect(data.map(({ sql }) => sql).join('\n')).toContain('"notes"');
    // Values are parameters, never text.
    expect(data.map(({ sql }) => sql).join('\n')).not.toContain("b'");
    expect(data.flatMap(({ parameters }) => parameters)).toContain("b'");
    for (const { plan } of data) expect(plan.length).toBeGreaterThan(0);
    expect((await get('/api/owners', 'public')).status).toBe(403);
    expect((await get('/api/notes?filters[price]=1', 'public')).status).toBe(400);
    expect((await get('/api/nothing', 'full')).status).toBe(404);
  });

  it('lectern dev tells no statement under a foreign name', async () => {
    const dev = await startDev(api.project.dir, { ...api.environment, PUBLIC_URL: 'https://notes.example.org/cms' });
    onTestFinished(() => dev.stop());
    const statusUnder = async (host: string) =>
      (await dev.send({ method: 'GET', path: '/explore/statements/api/notes', headers: { ...api.authorization('full'), host } })).status;
    for (const host of ['localhost:1337', 'notes.localhost', '127.0.0.1', '192.168.0.7:1337', '[::1]:1337', 'Notes.Example.ORG'])
      expect(`${host} ${await statusUnder(host)}`).toBe(`${host} 200`);
    for (const host of words`evil.example:1337 localhost.evil.example 127.0.0.1.evil.example localhost@evil.example example.org ::`)
      expect(`${host} ${await statusUnder(host)}`).toBe(`${host} 403`);
  });
});
