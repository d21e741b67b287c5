/** A server that is killed in the middle of many writes: what was acknowledged is there whole, and of everything else all or nothing. */
import type mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver as BetterSqlite3 } from '../../../src/dialects/sqlite-driver.ts';
import { engines, speaksMysql } from '../../support/engines.ts';
import { apiTokenSalt, jwtSecret, tokens } from '../../support/library/content.ts';
import { bodyOf, idOf } from '../../support/library/library.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import { isLong } from '../../support/long.ts';
import { mysqlServers, onMariadb } from '../../support/mariadb-server.ts';
import { asAdministrator } from '../../support/postgres-server.ts';
import type { Project } from '../../support/project.ts';
import { projectProblems } from '../../support/project-integrity.ts';
import { type RunningServer, startProcess } from '../../support/server.ts';
import { words } from '../../support/words.ts';

/** `bench/storm.mjs` kills for minutes. */
const kills = isLong ? 4 : 2;
const writers = 16;
/** Confirmed writes of a round before the kill, and milliseconds more, so that it comes at any moment of a transaction. */
const answeredBeforeKill = (round: number) => 12 + 4 * (round % 5);
const delayOfKill = (round: number) => (round * 7) % 16;

const authors = ['ada', 'bea', 'cyd'] as const;
const topics = ['science', 'physics', 'optics', 'verse'] as const;
const shelved = ['lanterns', 'maps', 'tides'] as const;
const names: Readonly<Record<string, string>> = { ada: 'Ada Quill', bea: 'Bea Ink', cyd: 'Cyd Page' };
const headings: Readonly<Record<string, string>> = { science: 'Science', physics: 'Physics', optics: 'Optics', verse: 'Verse' };
const nth = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** The content of a document's n-th form: relations, components and zone differ from those of the form before. `link` and `show` tell bodies
 *  from responses. */
function contentOf(key: string, n: number, link: (type: string, key: string) => unknown) {
  const zone = Array.from({ length: (n % 3) + 1 }, (_, index) =>
    index % 2 === 0
      ? { __component: 'print.quotation', words: `${key} ${n} ${index}` }
      : { __component: 'print.pointer', label: `${key} ${n} ${index}`, to: link('book', nth(shelved, n)) },
  );
  return {
    title: `${key} ${n}`,
    slug: `storm-${key}-${n}`,
    pages: n,
    body: `${key} ${n} `.repeat(200),
    writer: link('writer', nth(authors, n)),
    subjects: [0, 1, 2].map((offset) => link('subject', nth(topics, n + offset))),
    similar: [0, 1].map((offset) => link('book', nth(shelved, n + offset))),
    summary: { headline: `${key} ${n}`, origin: { place: `${key} ${n}`, year: n } },
    editions: [
      { year: n, publisher: key, translator: link('writer', nth(authors, n + 1)) },
      { year: n + 1, publisher: key, translator: null },
    ],
    sections: zone,
  };
}

const bodyFor = (key: string, n: number) => ({ data: contentOf(key, n, idOf) });
const answerFor = (key: string, n: number) =>
  contentOf(key, n, (type, to) => (type === 'writer' ? { name: names[to] } : type === 'subject' ? { name: headings[to] } : { slug: to }));

const populate = words`
  fields=title,slug,pages,body populate[writer][fields]=name populate[subjects][fields]=name populate[similar][fields]=slug
  populate[summary][populate][origin]=true populate[summary][fields]=headline populate[editions][populate][translator][fields]=name
  populate[sections][on][print.quotation]=true populate[sections][on][print.pointer][populate][to][fields]=slug
`.join('&');

/** Which form of a document is there, in each status; undefined for none. */
interface State {
  readonly documentId: string | undefined;
  readonly draft: number | undefined;
  readonly published: number | undefined;
}
const absent: State = { documentId: undefined, draft: undefined, published: undefined };
const isThere = ({ draft }: State) => draft !== undefined;
const same = (a: State, b: State) => a.draft === b.draft && a.published === b.published;

/** The known states of the documents that the concurrent writes change. */
class Storm {
  readonly states = new Map<string, State>();
  /** Writes without a response: the state that they would have produced. */
  readonly pending = new Map<string, State>();
  acknowledged = 0;
  readonly unexpected: string[] = [];
  #forms = 0;

  /** One client: it sends one write after another until the server has ended. Only it writes to its own documents. */
  async client(number: number, server: RunningServer): Promise<void> {
    const acts = ['create', 'update', 'draft', 'revise', 'update', 'delete'] as const;
    for (let round = number; ; round++) {
      const own = [...this.states].filter(([key, state]) => key.startsWith(`c${number}n`) && isThere(state));
      const n = ++this.#forms;
      const wanted = acts[round % acts.length];
      const [newest] = own.slice(-1);
      const [oldest] = own;
      let alive: boolean;
      if (newest === undefined || oldest === undefined || (own.length < 5 && (wanted === 'create' || wanted === 'draft'))) {
        const status = wanted === 'draft' ? 'draft' : 'published';
        const key = `c${number}n${n}`;
        const after = { documentId: undefined, draft: n, published: status === 'published' ? n : undefined };
        alive = await this.#write(server, 'POST', `/api/books?status=${status}`, key, n, after);
      } else if (own.length > 2 && (wanted === 'delete' || own.length > 4)) {
        const [key, { documentId }] = oldest;
        alive = await this.#write(server, 'DELETE', `/api/books/${documentId}`, key, undefined, absent);
      } else {
        const [key, state] = newest;
        const status = wanted === 'revise' ? 'draft' : 'published';
        const after = { ...state, draft: n, published: status === 'published' ? n : state.published };
        alive = await this.#write(server, 'PATCH', `/api/books/${state.documentId}?status=${status}`, key, n, after);
      }
      if (!alive) return;
    }
  }

  async #write(server: RunningServer, method: string, path: string, key: string, n: number | undefined, after: State): Promise<boolean> {
    const body = n === undefined ? {} : { body: bodyFor(key, n) };
    const headers = { Authorization: `Bearer ${tokens.full.token}` };
    this.pending.set(key, after);
    const response = await server.send({ method, path, headers, ...body }).catch(() => undefined);
    if (response === undefined) return false;
    this.pending.delete(key);
    if (response.status > 204) this.unexpected.push(`${method} ${path}: ${response.status} ${response.text.slice(0, 300)}`);
    else {
      this.acknowledged++;
      const documentId = method === 'POST' ? documentIdIn(bodyOf(response).data) : after.documentId;
      this.states.set(key, { ...after, documentId });
    }
    return true;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const documentIdIn = (data: unknown) => (isObject(data) && typeof data.documentId === 'string' ? data.documentId : undefined);

/** Without the ids of any level. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'id' && key !== 'documentId');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutIds(inner)]));
}

/** Everything that the storm wrote, as it is; each of them whole, or the test fails. */
async function actualStates(server: RunningServer): Promise<Map<string, State>> {
  const states = new Map<string, State>();
  for (const status of ['draft', 'published'] as const) {
    const path = `/api/books?status=${status}&filters[slug][$startsWith]=storm-&pagination[pageSize]=100&${populate}`;
    const { data, meta } = bodyOf(await server.get(path, { Authorization: `Bearer ${tokens.full.token}` }));
    if (!Array.isArray(data)) throw new Error('no list');
    expect(meta).toMatchObject({ pagination: { total: data.length } });
    for (const entry of data.filter(isObject)) {
      const [key = '', n] = String(entry.title).split(' ');
      expect(withoutIds(entry)).toEqual(answerFor(key, Number(n)));
      const before = states.get(key) ?? absent;
      // A published version alone, or of another document, would be half of something.
      if (status === 'published') expect(before.documentId).toBe(entry.documentId);
      states.set(key, { ...before, documentId: documentIdIn(entry), [status]: Number(n) });
    }
  }
  return states;
}

async function killed(server: RunningServer): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  while (server.alive()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits until the database has finished the statements that the killed server sent. */
async function withoutBackends({ database }: Project): Promise<void> {
  if (database.url === undefined) return;
  const name = new URL(database.url).pathname.slice(1);
  const untilNone = async (connections: () => Promise<number>) => {
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  if (speaksMysql(database.engine)) {
    await onMariadb(mysqlServers[database.engine].url, (connection) =>
      untilNone(async () => {
        const [rows] = await connection.query<mysql.RowDataPacket[]>('SELECT 1 FROM information_schema.processlist WHERE db = ?', [name]);
        return rows.length;
      }),
    );
  } else {
    await asAdministrator((client) =>
      untilNone(async () => (await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [name])).rows.length),
    );
  }
}

describe.each(engines)('%s: a server that is killed', (engine) => {
  let project: Project;
  const environment = () => ({
    ...project.env,
    API_TOKEN_SALT: apiTokenSalt,
    JWT_SECRET: jwtSecret,
    LECTERN_POLICIES_POPULATE_WITH_PAGINATION: 'true',
  });
  beforeAll(async () => {
    project = await libraryProject(engine);
  });
  afterAll(() => project.remove());

  const problems = () => projectProblems(project.dir, project.env);

  it(`has written each write wholly or not at all, ${kills} times`, async () => {
    expect(await problems()).toEqual([]);
    const storm = new Storm();
    let interrupted = 0;
    let server = await startProcess(project.dir, environment());
    try {
      for (let round = 0; round < kills; round++) {
        const before = storm.acknowledged;
        const clients = Array.from({ length: writers }, (_, number) => storm.client(number, server));
        while (storm.acknowledged < before + answeredBeforeKill(round) && storm.unexpected.length === 0)
          await new Promise((resolve) => setTimeout(resolve, 2));
        await new Promise((resolve) => setTimeout(resolve, delayOfKill(round)));
        await killed(server);
        await Promise.all(clients);
        expect(storm.unexpected).toEqual([]);
        await withoutBackends(project);
        server = await startProcess(project.dir, environment());

        const actual = await actualStates(server);
        for (const key of new Set([...storm.states.keys(), ...storm.pending.keys(), ...actual.keys()])) {
          const is = actual.get(key) ?? absent;
          const allowed = [storm.states.get(key) ?? absent, ...[storm.pending.get(key)].flatMap((state) => state ?? [])];
          expect(
            allowed.some((state) => same(is, state)),
            `${key}: ${JSON.stringify({ is, allowed })}`,
          ).toBe(true);
          storm.states.set(key, is);
        }
        interrupted += storm.pending.size;
        storm.pending.clear();
        expect(await problems()).toEqual([]);
        if (engine === 'sqlite') {
          const file = new BetterSqlite3(project.file, { readonly: true });
          expect(file.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
          expect(file.pragma('foreign_key_check')).toEqual([]);
          file.close();
        }
      }
      expect(interrupted).toBeGreaterThan(kills);
      await server.stop();
    } finally {
      if (server.alive()) await killed(server);
    }
  }, 120_000);
});
