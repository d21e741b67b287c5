/** Random writes by two servers and by a program, and readers of both servers: a read shows every write of its own server that was acknowledged before it, and
 *  what others have written as soon as `cache.consistency` promises. No acknowledged write is undone by another one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { Database } from '../../../src/dialects/database.ts';
import { openDatabase } from '../../../src/dialects/open-database.ts';
import { isHit } from '../../support/cached-response.ts';
import { type EngineName, engines } from '../../support/engines.ts';
import type { HttpResponse, SentRequest } from '../../support/http.ts';
import { isLong } from '../../support/long.ts';
import { hasPostgresPrograms } from '../../support/own-postgres.ts';
import { randomFrom } from '../../support/random.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { seedDocuments } from '../../support/seeds.ts';
import { idOf, type Json, useProject } from '../../support/served-project.ts';
import { type RunningServer, startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';
import { useOwnPostgres } from '../../support/use-own-postgres.ts';

const milliseconds = Number(process.env.LECTERN_TEST_STALE_MILLISECONDS ?? (isLong ? 60_000 : 500));
const seed = Number(process.env.LECTERN_TEST_STALE_SEED ?? 20_260_101);

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** The counter that each writer increases, by the key of its document: through the first server, the second one, and without a server. */
const writers = ['inside', 'beside', 'outside'] as const;
type Writer = (typeof writers)[number];

const files = schemaFiles({
  counter: {
    attributes: { name: { type: 'string' }, count: { type: 'integer' }, page: relation('manyToOne', 'page', { inversedBy: 'counters' }) },
  },
  page: { attributes: { title: { type: 'string' }, counters: relation('oneToMany', 'counter', { mappedBy: 'page' }) } },
  remark: { attributes: { text: { type: 'string' } } },
  pair: { attributes: { inside: { type: 'integer' }, beside: { type: 'integer' } } },
});
const remark = `/api/remarks/${idOf('remark', 'only')}`;
/** A document that both servers change at the same time, each one attribute. */
const pair = `/api/pairs/${idOf('pair', 'shared')}`;
const path = (writer: Writer) => `/api/counters/${idOf('counter', writer)}`;

const dataOf = (response: HttpResponse): readonly Json[] => [(response.json() as { readonly data: Json | readonly Json[] }).data].flat();
/** Requests, and the counters in their responses. */
const questions: readonly (readonly [path: string, counters: (response: HttpResponse) => readonly Json[]])[] = [
  ['/api/counters?sort=name', dataOf],
  ['/api/counters?filters[count][$gte]=0&fields=name,count', dataOf],
  ...writers.map((writer) => [path(writer), dataOf] as const),
  [
    `/api/pages/${idOf('page', 'both')}?populate=counters`,
    (response) => dataOf(response).flatMap(({ counters }) => counters as readonly Json[]),
  ],
  ['/api/counters?populate=page&sort=name', dataOf],
  [remark, dataOf],
  [pair, dataOf],
];

/** What was written and acknowledged, with the time. The values grow. */
class Acknowledged {
  readonly #all: { readonly value: number; readonly at: number }[] = [{ value: 0, at: 0 }];

  get last(): number {
    return this.#all.at(-1)?.value ?? 0;
  }

  note(value: number): void {
    this.#all.push({ value, at: performance.now() });
  }

  /** The least value in the response to a request of this moment that may lack what was acknowledged within the last `lag` milliseconds. */
  least(lag: number): number {
    const latest = performance.now() - lag;
    return this.#all.findLast(({ at }) => at <= latest)?.value ?? 0;
  }
}

interface Consistency {
  readonly consistency: 'by default' | 'exact';
  /** For this time, a response may lack commits of others. Milliseconds. */
  readonly lag: number;
}
const exact: Consistency = { consistency: 'exact', lag: 0 };
const second: Consistency = { consistency: 'by default', lag: 1000 };
const kinds: Readonly<Record<EngineName, readonly Consistency[]>> = {
  sqlite: [{ consistency: 'by default', lag: 0 }],
  postgres: [exact, second],
  mariadb: [second],
  mysql: [second],
};

describe.each(engines)('%s: responses of two servers under writes', (engine) => {
  // No response comes from the cache while other tests write to the same server.
  const database = engine === 'postgres' && hasPostgresPrograms ? useOwnPostgres() : undefined;
  const served = useProject(engine, {
    files,
    types: [
      { type: 'api::page.page', documents: seedDocuments({ both: { title: 'Both' } }) },
      { type: 'api::counter.counter', documents: writers.flatMap((name) => seedDocuments({ [name]: { name, count: 0, page: 'both' } })) },
      { type: 'api::pair.pair', documents: seedDocuments({ shared: { inside: 0, beside: 0 } }) },
      { type: 'api::remark.remark', documents: seedDocuments({ only: { text: 'none' } }) },
    ],
    ...(database === undefined ? {} : { database }),
  });
  let outside: Database;
  beforeAll(async () => {
    const { dir, env } = served.project;
    const config = loadConfig({ dir, environment: env, overrides: {} });
    if (!config.ok) throw new Error(config.errors.join('\n'));
    outside = await openDatabase(config.config.database, { create: false, statementTime: 60_000 });
  });
  afterAll(() => outside?.close());

  describe.each(kinds[engine])('consistency $consistency', ({ consistency, lag }) => {
    beforeAll(async () => {
      const begin = ['UPDATE counters SET count = 0', 'UPDATE pairs SET inside = 0, beside = 0', "UPDATE remarks SET text = 'none'"];
      await served.change(...begin, "DELETE FROM pages WHERE title <> 'Both'");
    });
    const start = () =>
      startServer(served.project.dir, { ...served.environment, LECTERN_CACHE_CONSISTENCY: consistency === 'exact' ? 'exact' : '' });
    const first = useMade(start);
    const other = useMade(start);

    it(`none is older than promised (seed ${seed})`, { timeout: milliseconds + 120_000 }, async () => {
      const headers = served.authorization('full');
      const acknowledged = { inside: new Acknowledged(), beside: new Acknowledged(), outside: new Acknowledged() };
      const send = async (server: RunningServer, request: Omit<SentRequest, 'headers'>) => {
        for (;;) {
          const response = await server.send({ ...request, headers });
          if (response.status < 300) return response;
          // On a busy machine, the request may be refused or undone.
          if (response.status !== 503) throw new Error(`${response.status} ${response.text}`);
        }
      };
      const write: Record<Writer, (count: number) => Promise<unknown>> = {
        inside: (count) => send(first(), { method: 'PATCH', path: path('inside'), body: { data: { count } } }),
        beside: (count) => send(other(), { method: 'PATCH', path: path('beside'), body: { data: { count } } }),
        async outside(count) {
          await outside.write((connection) => connection.query(`UPDATE counters SET count = ${count} WHERE name = 'outside'`, []));
        },
      };
      const begun = Date.now();
      const end = begun + milliseconds;
      /** On a busy machine it takes longer until there is something to be compared. */
      const goesOn = () => Date.now() < end || (!isEnough() && Date.now() < end + 60_000);
      /** All writers pause at the same times, so that responses come from the cache on a busy machine, too. */
      const rest = async () => {
        while (goesOn() && (Date.now() - begun) % 500 > 350) await pause(20);
      };
      const stale: unknown[] = [];
      let [responses, hits] = [0, 0];

      const writing = async (writer: Writer, random: () => number) => {
        while (goesOn()) {
          await rest();
          const count = acknowledged[writer].last + 1;
          await write[writer](count);
          acknowledged[writer].note(count);
          // Sometimes long enough for responses to come from the cache, sometimes not at all.
          if (random() < 0.7) await pause(random() * 40);
        }
      };
      const halves = { inside: new Acknowledged(), beside: new Acknowledged() };
      const pairing = async (half: keyof typeof halves, server: RunningServer, random: () => number) => {
        while (goesOn()) {
          await rest();
          const count = halves[half].last + 1;
          await send(server, { method: 'PATCH', path: pair, body: { data: { [half]: count } } });
          halves[half].note(count);
          await pause(random() * 60);
        }
      };
      const written = new Acknowledged();
      /** Writes of another type. */
      const remarking = async (random: () => number) => {
        while (goesOn()) {
          await rest();
          const text = String(written.last + 1);
          await send(first(), { method: 'PATCH', path: remark, body: { data: { text } } });
          written.note(Number(text));
          await pause(random() * 200);
        }
      };
      /** The deleted pages: those that the first server has deleted, and those of anybody. */
      const gone = { inside: new Acknowledged(), anyhow: new Acknowledged() };
      /** Creates pages for a counter and deletes them: a cascade deletes the rows of their links. */
      const deleting = async (random: () => number) => {
        while (goesOn()) {
          await rest();
          const title = gone.anyhow.last + 1;
          const data = { title: String(title), counters: [idOf('counter', 'outside')] };
          const made = await send(first(), { method: 'POST', path: '/api/pages', body: { data } });
          await pause(random() * 30);
          const own = `/api/pages/${String(dataOf(made)[0]?.documentId)}`;
          if (random() < 0.5) {
            await send(first(), { method: 'DELETE', path: own });
            gone.inside.note(title);
          } else await outside.write((connection) => connection.query(`DELETE FROM pages WHERE title = '${title}'`, []));
          gone.anyhow.note(title);
          await pause(random() * 300);
        }
      };
      const reading = async (server: RunningServer, random: () => number) => {
        while (goesOn()) {
          const [question] = questions.slice(Math.floor(random() * questions.length));
          if (question === undefined) continue;
          const [asked, counters] = question;
          const isFirst = server === first();
          const [lagOfInside, lagOfBeside] = isFirst ? [0, lag] : [lag, 0];
          const least = {
            inside: acknowledged.inside.least(lagOfInside),
            beside: acknowledged.beside.least(lagOfBeside),
            outside: acknowledged.outside.least(lag),
          };
          const leastHalves = { inside: halves.inside.least(lagOfInside), beside: halves.beside.least(lagOfBeside) };
          const leastWritten = written.least(lagOfInside);
          const leastGone = gone.anyhow.least(lag);
          const justGone = isFirst ? gone.inside.last : 0;
          const sent = await Promise.all(Array.from({ length: 1 + Math.floor(random() * 4) }, () => send(server, { path: asked })));
          responses += sent.length;
          hits += sent.filter(isHit).length;
          for (const { name, count, page, text, inside, beside } of sent.flatMap(counters)) {
            if (Number(inside) < leastHalves.inside || Number(beside) < leastHalves.beside)
              stale.push({ asked, inside, beside, leastHalves });
            if (Number(count) < least[name as Writer]) stale.push({ asked, name, count, least: least[name as Writer] });
            if (Number(text) < leastWritten) stale.push({ asked, text, leastWritten });
            const title = Number((page as Json | null | undefined)?.title);
            if (title <= leastGone || title === justGone) stale.push({ asked, name, title, leastGone, justGone });
          }
        }
      };
      const everything = () => [...Object.values(acknowledged), ...Object.values(halves), written, gone.anyhow];
      // Without cached responses the test would prove little.
      const isEnough = () => hits > 3 && everything().every(({ last }) => last > 3);
      const both = [first(), other()];
      await Promise.all([
        ...writers.map((writer, at) => writing(writer, randomFrom(seed + at))),
        remarking(randomFrom(seed + 5)),
        deleting(randomFrom(seed + 6)),
        pairing('inside', first(), randomFrom(seed + 7)),
        pairing('beside', other(), randomFrom(seed + 8)),
        ...both.flatMap((server, at) => [0, 1].map((each) => reading(server, randomFrom(seed + 10 + 2 * at + each)))),
      ]);

      expect(stale.slice(0, 5)).toEqual([]);
      await pause(lag);
      for (const server of both) {
        for (const writer of writers)
          expect(dataOf(await send(server, { path: path(writer) }))[0]).toMatchObject({ count: acknowledged[writer].last });
        expect(dataOf(await send(server, { path: pair }))[0]).toMatchObject({ inside: halves.inside.last, beside: halves.beside.last });
      }
      expect(isEnough()).toBe(true);
      expect(responses).toBeGreaterThan(hits);
    });
  });
});
