/** Versions for each table: a write to one type leaves what is cached of other types alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, idOf, type Json, type Served, useProject } from '../../support/served-project.ts';
import type { Environment } from '../../support/server.ts';

const files = schemaFiles({
  note: { attributes: { title: { type: 'string' }, topic: relation('manyToOne', 'topic', { inversedBy: 'notes' }) } },
  topic: { attributes: { name: { type: 'string' }, notes: relation('oneToMany', 'note', { mappedBy: 'topic' }) } },
  remark: { attributes: { text: { type: 'string' } } },
});
const find = ['note', 'topic', 'remark'].flatMap((type) => ['find', 'findOne'].map((action) => `api::${type}.${type}.${action}`));

const useNotes = (engine: (typeof engines)[number], env: Environment): Served =>
  useProject(engine, {
    files,
    types: [
      { type: 'api::topic.topic', documents: ['sea', 'sky'].map((key) => ({ key, status: 'published' as const, data: { name: key } })) },
      {
        type: 'api::note.note',
        documents: Array.from({ length: 30 }, (_, at) => ({
          key: `n${at}`,
          status: 'published' as const,
          data: { title: `Note ${at}`, topic: at % 2 === 0 ? 'sea' : 'sky' },
        })),
      },
      { type: 'api::remark.remark', documents: [{ key: 'r', status: 'published', data: { text: 'none' } }] },
    ],
    public: find,
    users: [ada],
    authenticated: [],
    env,
  });

const isHit = ({ headers }: HttpResponse) => String(headers['server-timing']).includes('cache;desc=hit');
const _statementsOf = ({ headers }: HttpResponse) => Number(/statements;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1]);
const remark = `/api/remarks/${idOf('remark', 'r')}`;

describe.runIf(engines.includes('sqlite'))('sqlite: a write to one type', () => {
  const engine = 'sqlite';
  const served = useNotes(engine, { JWT_SECRET: jwtSecret });
  const get = (path: string) => served.ask('public', 'GET', path);
  const writeRemark = (text: string) => served.write('PUT', remark, { text });

  beforeAll(async () => {
    // The server must have met its writing process once.
    await writeRemark('first');
    await get(remark);
  });

  /** A write always empties the cache of its own tables. That of others stays, unless two connections of the server write at the same moment: a token's use
   *  is written down at any time. */
  const staysCached = async (path: string, write: () => Promise<unknown>) => {
    for (let tried = 0; tried < 5; tried++) {
      await get(path);
      await write();
      if (isHit(await get(path))) return;
    }
    throw new Error(`${path} is not cached after a write of another type`);
  };

  const notes = '/api/notes?sort=title';
  const withTopics = '/api/notes?populate=topic&sort=title';
  const filtered = '/api/notes?filters[topic][name]=sea';

  it('leaves the responses of other types cached', async () => {
    for (let time = 0; time < 20; time++) {
      const [path = notes] = [notes, withTopics, filtered, '/api/topics'].slice(time % 4);
      await staysCached(path, () => writeRemark(`text ${time}`));
      expect(dataOf(await get(remark)).text).toBe(`text ${time}`);
    }
  });

  it('is seen wherever its rows are populated or filtered by', async () => {
    const path = `/api/topics/${idOf('topic', 'sky')}`;
    for (let time = 0; time < 5; time++) {
      for (const each of [notes, withTopics, filtered]) await get(each);
      await staysCached(notes, () => served.write('PUT', path, { name: time % 2 === 0 ? 'sea' : `sky ${time}` }));
      const populated = await get(withTopics);
      const names = (populated.json() as { data: readonly { readonly topic: Json }[] }).data.map(({ topic }) => topic.name);
      expect(new Set(names)).toEqual(new Set(time % 2 === 0 ? ['sea'] : ['sea', `sky ${time}`]));
      const found = (await get(filtered)).json() as { meta: { pagination: { total: number } } };
      expect(found.meta.pagination.total).toBe(time % 2 === 0 ? 30 : 15);
    }
  });

  it('counts for the rows that a deletion takes along', async () => {
    const made = await served.write('POST', '/api/topics', { name: 'short-lived', notes: [idOf('note', 'n1')] });
    const path = `/api/notes/${idOf('note', 'n1')}`;
    const topicOf = async () => (dataOf(await get(`${path}?populate=topic`)).topic as Json | null)?.name;
    expect(await topicOf()).toBe('short-lived');
    await served.write('DELETE', `/api/topics/${String(made.documentId)}`);
    expect(await topicOf()).toBeUndefined();
  });

  it('leaves rights and locales cached, and a sign-in leaves responses cached', async () => {
    const signIn = () =>
      served.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier: ada.email, password: ada.password } });
    for (let time = 0; time < 3; time++) await staysCached(notes, async () => expect((await signIn()).status).toBe(200));
  });

  it('by somebody else counts for all types, at once', async () => {
    await get(notes);
    await served.change("UPDATE remarks SET text = 'beside'");
    expect(dataOf(await get(remark)).text).toBe('beside');
    await get(notes);
    await writeRemark('within');
    expect(dataOf(await get(remark)).text).toBe('within');
    await served.change("UPDATE notes SET title = 'A note beside' WHERE title = 'Note 3'");
    expect((await get(notes)).text).toContain('"A note beside"');
    await staysCached(notes, () => writeRemark('again'));
  });
});
