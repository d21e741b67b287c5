/** How often a write waits for PostgreSQL: across a network, each round trip costs more than most statements. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { apiTokenSalt, tokens } from '../../support/library/content.ts';
import { bodyOf, idOf } from '../../support/library/library.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import type { Project } from '../../support/project.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

type Data = Readonly<Record<string, unknown>>;

const authorization = { Authorization: `Bearer ${tokens.full.token}` };
const related = {
  writer: idOf('writer', 'bea'),
  subjects: [idOf('subject', 'optics'), idOf('subject', 'verse')],
  similar: [idOf('book', 'maps')],
};
const components = {
  summary: { headline: 'h', origin: { place: 'p', year: 1 } },
  editions: [1, 2].map((year) => ({ year, publisher: 'p', translator: idOf('writer', 'ada') })),
  sections: [1, 2].map((number) => ({ __component: 'print.quotation', words: `words ${number}` })),
};

describe.runIf(engines.includes('postgres'))('round trips of writes to PostgreSQL', () => {
  let project: Project;
  let relay: Relay;
  let server: RunningServer;
  let made = 0;
  beforeAll(async () => {
    project = await libraryProject('postgres');
    const url = new URL(project.env.DATABASE_URL ?? '');
    // Without a delay, a response could arrive between two statements that are sent without waiting.
    relay = await startRelay({ host: url.hostname, port: Number(url.port || 5432), delay: 10 });
    url.host = `127.0.0.1:${relay.port}`;
    const env = { ...project.env, DATABASE_URL: url.href, API_TOKEN_SALT: apiTokenSalt };
    server = await startServer(project.dir, { ...env, LECTERN_CACHE_BYTES: '0' });
  });
  afterAll(async () => {
    await server?.stop();
    await relay?.close();
    await project?.remove();
  });

  async function write(method: string, path: string, data?: Data): Promise<HttpResponse> {
    const response = await server.send({ method, path, headers: authorization, ...(data === undefined ? {} : { body: { data } }) });
    expect({ status: response.status < 300, text: response.status < 300 ? '' : response.text }).toEqual({ status: true, text: '' });
    return response;
  }
  const newBook = (data: Data): Data => {
    const key = `trips-${made++}`;
    return { title: key, slug: key, ...data };
  };
  async function book(data: Data, status: string): Promise<string> {
    const { data: created } = bodyOf(await write('POST', `/api/books?status=${status}`, newBook(data))) as {
      readonly data: { readonly documentId: string };
    };
    return `/api/books/${created.documentId}`;
  }
  /** The fewest of some tries: cached callers and locales are read again after half a second. */
  async function roundTrips(ready: () => Promise<() => Promise<unknown>>): Promise<number> {
    const counts = [];
    for (let time = 0; time < 4; time++) {
      const run = await ready();
      await server.get('/api/books?pagination[pageSize]=1', authorization);
      const before = relay.turns;
      await run();
      counts.push(relay.turns - before);
    }
    return Math.min(...counts);
  }
  const creating = (data: Data) => async () => () => write('POST', '/api/books', newBook(data));
  const changing = (stored: Data, data: Data) => async () => {
    const path = await book(stored, 'published');
    return () => write('PATCH', path, data);
  };
  const publishing = (stored: Data) => async () => {
    const path = await book(stored, 'draft');
    return () => write('POST', `${path}/actions/publish`);
  };
  const deleting = (stored: Data) => async () => {
    const path = await book(stored, 'published');
    return () => write('DELETE', path);
  };

  it.each([
    ['create', creating({}), 4],
    ['create with relations', creating(related), 5],
    ['create with components', creating(components), 5],
    ['change two fields', changing({}, { title: 'Changed', pages: 7 }), 4],
    ['change relations', changing({}, related), 5],
    ['publish', publishing({}), 6],
    ['publish with relations', publishing(related), 7],
    ['publish with components', publishing(components), 8],
    ['delete', deleting({}), 3],
    ['delete with components', deleting(components), 4],
  ])('%s', async (_, ready, expected) => {
    expect(await roundTrips(ready)).toBe(expected);
  });
});
