/** A server that is killed in the middle of many writes: what was acknowledged is there whole, with its event, and of everything else all or nothing. */
import { describe, expect, it } from 'vitest';
import { grouped } from '../../../src/collections.ts';
import { Driver as BetterSqlite3 } from '../../../src/dialects/sqlite-driver.ts';
import { anyEngine, type EngineName, engines, speaksMysql } from '../../support/engines.ts';
import { eventsOf } from '../../support/events.ts';
import { projectProblems } from '../../support/integrity.ts';
import { isLong } from '../../support/long.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { seedDocuments } from '../../support/seeds.ts';
import { dataOf, idOf, type Json, useProject } from '../../support/served-project.ts';
import { type RunningServer, startProcess, startServer } from '../../support/server.ts';

/** `bench/storm.mjs` kills for minutes. */
const killsOn = (engine: EngineName) => (isLong ? 4 : anyEngine.includes(engine) ? 2 : 1);
const clients = 16;
/** Confirmed writes of a round before the kill, and milliseconds more, so that it comes at any moment of a transaction. */
const answeredBeforeKill = (round: number) => 12 + 4 * (round % 5);
const delayOfKill = (round: number) => (round * 7) % 16;

const files = schemaFiles(
  {
    tag: { drafts: true, attributes: { name: { type: 'string' } } },
    page: {
      drafts: true,
      attributes: {
        ...{
          title: { type: 'string' },
          body: { type: 'text' },
          part: component('piece'),
          pieces: component('piece', { repeatable: true }),
        },
        ...{ main: relation('manyToOne', 'tag'), tags: relation('manyToMany', 'tag') },
        zone: { type: 'dynamiczone', components: ['part.piece', 'part.quote'] },
      },
    },
  },
  { piece: { label: { type: 'string' }, to: relation('oneToOne', 'tag') }, quote: { words: { type: 'string' } } },
);
const tags = ['t0', 't1', 't2', 't3'];
const populate =
  'populate[main]=true&populate[tags]=true&populate[part][populate]=to&populate[pieces][populate]=to&populate[zone][on][part.quote]=true' +
  '&populate[zone][on][part.piece][populate]=to';

/** The content of a document's n-th form, each of whose values differs from the form before. `link` tells bodies from responses. */
function formOf(title: string, n: number, link: (tag: string) => unknown) {
  const to = (index: number) => link(tags[(n + index) % tags.length] ?? '');
  const zone = [
    { __component: 'part.quote', words: title },
    { __component: 'part.piece', label: title, to: to(2) },
  ];
  return {
    ...{ title, body: `${title} `.repeat(200), main: to(0), tags: [to(0), to(1)], part: { label: title, to: to(1) } },
    ...{
      pieces: Array.from({ length: (n % 3) + 1 }, (_, index) => ({ label: `${title} ${index}`, to: to(index) })),
      zone: zone.slice(n % 2),
    },
  };
}

/** Which form of a document is there, in each status. */
interface State {
  readonly id?: unknown;
  readonly draft?: number | undefined;
  readonly published?: number | undefined;
}
const same = (a: State, b: State) => a.draft === b.draft && a.published === b.published;

/** Sends one write after another until the server has ended. Only it writes its document. */
class Client {
  readonly key: string;
  state: State = {};
  /** What a write without a response would have produced. */
  pending: State | undefined;
  /** Acknowledged writes of each document. */
  readonly writes = new Map<string, number>();
  #n = 0;

  constructor(key: string) {
    this.key = key;
  }

  async run(send: (method: string, path: string, data?: object) => Promise<Json>): Promise<void> {
    for (;;) {
      const n = ++this.#n;
      const { id, published } = this.state;
      const isDraft = n % 3 === 0;
      const after = { id, draft: n, published: isDraft ? published : n };
      this.pending = id !== undefined && n % 5 === 0 ? {} : after;
      const path = `/api/pages${id === undefined ? '' : `/${String(id)}`}`;
      const query = `?status=${isDraft ? 'draft' : 'published'}`;
      const form = formOf(`${this.key} ${n}`, n, (tag) => idOf('tag', tag));
      const written =
        this.pending === after
          ? send(id === undefined ? 'POST' : 'PATCH', path + query, form)
          : send('DELETE', path).then(() => ({ documentId: id }));
      const response = await written.catch(() => undefined);
      if (response === undefined) return;
      const documentId = String(response.documentId);
      this.writes.set(documentId, (this.writes.get(documentId) ?? 0) + 1);
      this.state = this.pending === after ? { ...after, id: response.documentId } : {};
      this.pending = undefined;
    }
  }
}

/** Everything that was written, as it is; each of them whole, or the test fails. */
async function storedStates(read: (path: string) => Promise<readonly Json[]>): Promise<Map<string, State>> {
  const states = new Map<string, State>();
  for (const status of ['draft', 'published'] as const) {
    for (const entry of await read(`/api/pages?status=${status}&${populate}`)) {
      const [key = '', n] = String(entry.title).split(' ');
      expect(entry).toMatchObject(formOf(`${key} ${n}`, Number(n), (name) => ({ name })));
      const before = states.get(key);
      // A document of its own would be half of something.
      if (status === 'published') expect(before?.id).toBe(entry.documentId);
      else expect(before).toBeUndefined();
      states.set(key, { ...before, id: entry.documentId, [status]: Number(n) });
    }
  }
  return states;
}

async function killed(server: RunningServer): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => server.alive(), { interval: 5 }).toBe(false);
}

describe.each(engines)('%s: a server that is killed', (engine) => {
  const kills = killsOn(engine);
  const api = useProject(engine, {
    files,
    types: [{ type: 'api::tag.tag', documents: seedDocuments(Object.fromEntries(tags.map((name) => [name, { name }]))) }],
  });
  const connections = speaksMysql(engine)
    ? 'SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()'
    : 'SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

  it(`has written each write wholly or not at all, ${kills} times`, async () => {
    // Stops the server that `useProject` has started.
    await api.command('check');
    const writers = Array.from({ length: clients }, (_, number) => new Client(`c${number}`));
    const unexpected: string[] = [];
    let acknowledged = 0;
    let interrupted = 0;
    let server = await startProcess(api.project.dir, api.environment);
    const send = async (method: string, path: string, data?: object) => {
      const response = await server.send({ method, path, headers: api.authorization('full'), ...(data && { body: { data } }) });
      acknowledged++;
      if (response.status > 204) unexpected.push(`${method} ${path}: ${response.status} ${response.text.slice(0, 300)}`);
      return response.status === 204 ? {} : dataOf(response);
    };
    const read = async (path: string) => (await server.get(path, api.authorization('full'))).json() as { data: readonly Json[] };
    try {
      for (let round = 0; round < kills; round++) {
        const enough = acknowledged + answeredBeforeKill(round);
        const writing = Promise.all(writers.map((writer) => writer.run(send)));
        await expect.poll(() => acknowledged >= enough || unexpected.length > 0, { interval: 2 }).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, delayOfKill(round)));
        await killed(server);
        await writing;
        expect(unexpected).toEqual([]);
        // The database finishes the statements that the server has sent.
        if (engine !== 'sqlite') await expect.poll(async () => Number((await api.query(connections))[0]?.[0])).toBe(0);
        // The last one is not killed.
        server = await (round + 1 < kills ? startProcess : startServer)(api.project.dir, api.environment);

        const told = grouped(await eventsOf(api), ({ documentId }) => documentId);
        const stored = await storedStates(async (path) => (await read(path)).data);
        for (const writer of writers) {
          const is = stored.get(writer.key) ?? {};
          const allowed = [writer.state, ...(writer.pending === undefined ? [] : [writer.pending])];
          expect(
            allowed.some((state) => same(is, state)),
            `${writer.key}: ${JSON.stringify({ is, allowed })}`,
          ).toBe(true);
          if (writer.pending !== undefined) interrupted++;
          for (const [documentId, writes] of writer.writes) {
            // The write that was interrupted may have been committed.
            const most = writes + (writer.pending === undefined ? 0 : 1);
            const events = told.get(documentId)?.length ?? 0;
            expect(events >= writes && events <= most, `${documentId}: ${events} events of ${writes} writes`).toBe(true);
            writer.writes.set(documentId, events);
          }
          writer.state = is;
        }
        expect(await projectProblems(api.project)).toEqual([]);
        if (engine === 'sqlite') {
          const file = new BetterSqlite3(api.project.file, { readonly: true });
          expect(file.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
          expect(file.pragma('foreign_key_check')).toEqual([]);
          file.close();
        }
      }
      expect(interrupted).toBeGreaterThan(kills);
      await server.stop();
    } finally {
      if (server.alive()) await server.stop();
    }
  }, 120_000);
});
