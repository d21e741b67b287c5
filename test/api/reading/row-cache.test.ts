/** On SQLite, the threads that read cache rows of responses, and on PostgreSQL the server. Nothing but the number of statements shows whether a row was cached. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type EngineName, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { useLimited } from '../../support/limited.ts';
import { hasPostgresPrograms } from '../../support/own-postgres.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';
import { useOwnPostgres } from '../../support/use-own-postgres.ts';

const env = { LECTERN_PROFILE: 'strapi', LECTERN_CACHE_BYTES: '0', LECTERN_DATABASE_READERS: '1' };
const statementsOf = ({ headers }: HttpResponse) => Number(/statements;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1]);

/** Asks until a response has taken no statement: its list was known, and all of its rows were cached. */
async function untilCached(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  for (let tried = 0; tried < 300; tried++) {
    const response = await ask();
    if (response.status === 200 && statementsOf(response) === 0) return response;
  }
  throw new Error('each response took statements');
}

const files = schemaFiles({
  note: { attributes: { title: { type: 'string' }, rank: { type: 'integer' }, tags: relation('manyToMany', 'tag') } },
  tag: { attributes: { name: { type: 'string' } } },
});
const tested = engines.filter((engine) => engine === 'sqlite' || (engine === 'postgres' && hasPostgresPrograms));
/** A file without tests would fail. */
const named: readonly EngineName[] = tested.length > 0 ? tested : ['sqlite'];
/** Any commit on a PostgreSQL server empties the row cache, and other tests write to the shared server. */
const ownDatabase = (engine: EngineName) => (engine === 'postgres' ? { database: useOwnPostgres() } : {});

describe.runIf(tested.length > 0).each(named)('%s: cached rows', (engine) => {
  const isPublic = ['api::note.note.find', 'api::tag.tag.find', 'api::note.note.findOne'];
  const served = useProject(engine, { files, public: isPublic, env, ...ownDatabase(engine) });
  const ask = (path: string, headers = {}) => served.ask('public', 'GET', path, undefined, headers);
  let note: Json;
  let tag: Json;
  beforeAll(async () => {
    tag = await served.write('POST', '/api/tags', { name: 'first' });
    for (let rank = 1; rank <= 5; rank++) note = await served.write('POST', '/api/notes', { title: `note ${rank}`, rank, tags: [tag.id] });
  });
  const populated = '/api/notes?sort=rank&populate=tags';
  const tagsIn = (response: HttpResponse) => [
    ...new Set((response.json() as { data: { tags: { name: string }[] }[] }).data.flatMap(({ tags }) => tags.map(({ name }) => name))),
  ];

  it('show a write of this server at once', async () => {
    for (const name of ['second', 'third']) {
      await untilCached(() => ask(populated));
      await served.write('PUT', `/api/tags/${tag.documentId}`, { name });
      expect(tagsIn(await ask(populated))).toEqual([name]);
    }
  });

  it('show a write of another program at once', async () => {
    for (const name of ['fourth', 'fifth']) {
      await untilCached(() => ask(populated));
      await served.change(`UPDATE tags SET name = '${name}'`);
      expect(tagsIn(await ask(populated))).toEqual([name]);
      expect(tagsIn(await untilCached(() => ask(populated)))).toEqual([name]);
    }
    await untilCached(() => ask(populated));
    await served.change('DELETE FROM notes_tags_lnk WHERE note_id = (SELECT max(id) FROM notes)');
    const lengths = (await ask(populated)).json() as { data: { tags: unknown[] }[] };
    expect(lengths.data.map(({ tags }) => tags.length)).toEqual([1, 1, 1, 1, 0]);
  });

  it('are shared by lists with other conditions', async () => {
    const search = (value: number) => ask(`/api/notes?sort=rank&filters[title][$contains]=note&filters[rank][$gt]=-${value}`);
    let value = 1;
    const response = await untilCached(() => search(value++));
    expect((response.json() as { data: unknown[] }).data).toHaveLength(5);
  });

  it('are in the envelope that was asked for', async () => {
    const v4 = { 'strapi-response-format': 'v4' };
    for (let time = 0; time < 3; time++) {
      const flat = (await untilCached(() => ask(populated))).json() as { data: Json[] };
      const nested = (await untilCached(() => ask(populated, v4))).json() as { data: Json[] };
      expect(flat.data[0]).toMatchObject({ id: expect.any(Number), title: 'note 1', tags: [{ name: 'fifth' }] });
      expect(nested.data[0]).toMatchObject({ attributes: { title: 'note 1', tags: { data: [{ attributes: { name: 'fifth' } }] } } });
    }
  });

  it('are not what a document is found by', async () => {
    await untilCached(() => ask('/api/notes?sort=rank'));
    await served.change(`DELETE FROM notes WHERE document_id = '${note.documentId}'`);
    expect((await ask(`/api/notes/${note.documentId}`)).status).toBe(404);
    expect(((await ask('/api/notes?sort=rank')).json() as { data: unknown[] }).data).toHaveLength(4);
  });
});

describe.runIf(tested.length > 0).each(named)('%s: cached rows and limits', (engine) => {
  const served = useProject(engine, {
    ...ownDatabase(engine),
    files,
    public: ['api::note.note.find', 'api::tag.tag.find'],
    env: { ...env, LECTERN_LIMITS_ROWS: '100', LECTERN_LIMITS_RESPONSE_BYTES: '17000' },
  });
  /** With each number the same plan, so that all run in threads. */
  const page = (size: number) => {
    const path = `/api/notes?fields=rank&populate[tags][fields]=name&pagination[pageSize]=100&filters[rank][$lte]=${size}`;
    return served.ask('public', 'GET', path);
  };
  beforeAll(async () => {
    const tag = await served.write('POST', '/api/tags', { name: 'x'.repeat(250) });
    for (let rank = 1; rank <= 60; rank++) await served.write('POST', '/api/notes', { title: 'note', rank, tags: [tag.id] });
  });

  it.each([
    [60, 'more than 100 rows'],
    [49, 'longer than 17000 bytes'],
  ])('a page of %i is refused whatever is cached', async (size, reason) => {
    await untilCached(() => page(40));
    for (let time = 0; time < 20; time++) {
      const response = await page(size);
      expect([response.status, errorOf(response).message]).toEqual([400, expect.stringContaining(reason)]);
      expect((await page(40)).status).toBe(200);
    }
  });
});

describe.runIf(tested.length > 0).each(named)('%s: cached rows of users with rights to their own rows', (engine) => {
  const limited = useLimited(engine, env, ownDatabase(engine));
  const notesIn = (response: HttpResponse) =>
    (response.json() as { data: { notes?: { title: string }[] }[] }).data.flatMap(({ notes = [] }) => notes.map(({ title }) => title));

  it('are shown to no other user', async () => {
    const path = '/api/topics?populate[notes][fields][0]=title';
    for (let time = 0; time < 3; time++) {
      for (const [who, other] of [
        ['ada', 'ben'],
        ['ben', 'ada'],
      ] as const) {
        const titles = notesIn(await untilCached(() => limited.as(who, 'GET', path)));
        expect(titles.length).toBeGreaterThan(0);
        expect(titles.filter((title) => title.startsWith(other))).toEqual([]);
      }
      const all = notesIn(await untilCached(() => limited.ask('full', 'GET', path)));
      expect(all).toEqual(expect.arrayContaining([expect.stringContaining('ada'), expect.stringContaining('ben')]));
    }
  });
});
