/** Random writes by two processes, and readers of three servers: a read that begins after a write was acknowledged shows it, and no such write is undone by another. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { Database } from '../../../src/dialects/dialect.ts';
import { openDatabase } from '../../../src/dialects/open-database.ts';
import { type EngineName, engines } from '../../support/engines.ts';
import type { HttpResponse, SentRequest } from '../../support/http.ts';
import { isLong } from '../../support/long.ts';
import { hasPostgresPrograms } from '../../support/own-postgres.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { idOf, type Json, useProject } from '../../support/served-project.ts';
import { type RunningServer, startServer } from '../../support/server.ts';
import { useOwnPostgres } from '../../support/use-own-postgres.ts';

const milliseconds = Number(process.env.LECTERN_TEST_STALE_MILLISECONDS ?? (isLong ? 60_000 : 10_000));
const seed = Number(process.env.LECTERN_TEST_STALE_SEED ?? 20_260_101);

/** A linear congruential generator (Numerical Recipes): the same numbers from 0 to 1 for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

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

/** What the versions that validate cached responses cover: each table, or everything. MariaDB and MySQL report none, so no response is cached there. */
const versions: Readonly<Record<EngineName, string>> = {
  sqlite: 'by table',
  postgres: 'of everything',
  mariadb: 'of nothing',
  mysql: 'of nothing',
};

describe.each(engines.map((engine) => ({ engine, versioned: versions[engine] })))(
  '$engine, versions $versioned: responses of two servers under writes',
  ({ engine, versioned }) => {
    // With one version of everything, no response comes from the cache while other tests write to the same server.
    const database = versioned === 'of everything' && hasPostgresPrograms ? useOwnPostgres() : undefined;
    const served = useProject(engine, {
      files,
      types: [
        { type: 'api::page.page', documents: [{ key: 'both', status: 'published', data: { title: 'Both' } }] },
        {
          type: 'api::counter.counter',
          documents: writers.map((name) => ({ key: name, status: 'published' as const, data: { name, count: 0, page: 'both' } })),
        },
        { type: 'api::pair.pair', documents: [{ key: 'shared', status: 'published', data: { inside: 0, beside: 0 } }] },
        { type: 'api::remark.remark', documents: [{ key: 'only', status: 'published', data: { text: 'none' } }] },
      ],
      ...(database === undefined ? {} : { database }),
    });
    let second: RunningServer;
    /** A server that only reads, without the response cache, so that its responses are made of cached rows. */
    let third: RunningServer;
    let outside: Database;
    beforeAll(async () => {
      const { dir, env } = served.project;
      second = await startServer(dir, served.environment);
      third = await startServer(dir, { ...served.environment, LECTERN_CACHE_BYTES: '0' });
      const config = loadConfig({ dir, environment: env, overrides: {} });
      if (!config.ok) throw new Error(config.errors.join('\n'));
      outside = await openDatabase(config.config.database, { create: false, statementTime: 60_000 });
    });
    afterAll(async () => {
      await second?.stop();
      await third?.stop();
      await outside?.close();
    });

    it(`none is older than its request (seed ${seed})`, { timeout: milliseconds + 120_000 }, async () => {
      const headers = served.authorization('full');
      const acknowledged: Record<Writer, number> = { inside: 0, beside: 0, outside: 0 };
      const send = async (server: RunningServer, request: Omit<SentRequest, 'headers'>) => {
        for (;;) {
          const response = await server.send({ ...request, headers });
          if (response.status < 300) return response;
          // On a busy machine, the request may be refused or undone.
          if (response.status !== 503) throw new Error(`${response.status} ${response.text}`);
        }
      };
      const write: Record<Writer, (count: number) => Promise<unknown>> = {
        inside: (count) => send(served.server, { method: 'PATCH', path: path('inside'), body: { data: { count } } }),
        beside: (count) => send(second, { method: 'PATCH', path: path('beside'), body: { data: { count } } }),
        async outside(count) {
          await outside.write((connection) => connection.query(`UPDATE counters SET count = ${count} WHERE name = 'outside'`, []));
        },
      };
      const begun = Date.now();
      const end = begun + milliseconds;
      /** All writers pause at the same times, so that responses come from the cache on a busy machine, too. */
      const rest = async () => {
        while (Date.now() < end && (Date.now() - begun) % 1000 > 700) await pause(20);
      };
      const stale: unknown[] = [];
      let [responses, hits, ofRows, shared] = [0, 0, 0, 0];

      const writing = async (writer: Writer, random: () => number) => {
        while (Date.now() < end) {
          await rest();
          const count = acknowledged[writer] + 1;
          await write[writer](count);
          acknowledged[writer] = count;
          // Sometimes long enough for responses to come from the cache, sometimes not at all.
          if (random() < 0.7) await pause(random() * 40);
        }
      };
      const halves = { inside: 0, beside: 0 };
      const pairing = async (half: keyof typeof halves, server: RunningServer, random: () => number) => {
        while (Date.now() < end) {
          await rest();
          const count = halves[half] + 1;
          await send(server, { method: 'PATCH', path: pair, body: { data: { [half]: count } } });
          halves[half] = count;
          await pause(random() * 60);
        }
      };
      let written = 0;
      /** Writes of another type. */
      const remarking = async (random: () => number) => {
        while (Date.now() < end) {
          await rest();
          const text = String(written + 1);
          await send(served.server, { method: 'PATCH', path: remark, body: { data: { text } } });
          written++;
          await pause(random() * 200);
        }
      };
      let gone = 0;
      /** Creates pages for a counter and deletes them: a cascade deletes the rows of their links. */
      const deleting = async (random: () => number) => {
        while (Date.now() < end) {
          await rest();
          const data = { title: String(gone + 1), counters: [idOf('counter', 'outside')] };
          const made = await send(served.server, { method: 'POST', path: '/api/pages', body: { data } });
          await pause(random() * 30);
          const own = `/api/pages/${String(dataOf(made)[0]?.documentId)}`;
          if (random() < 0.5) await send(served.server, { method: 'DELETE', path: own });
          else await outside.write((connection) => connection.query(`DELETE FROM pages WHERE title = '${gone + 1}'`, []));
          gone++;
          await pause(random() * 300);
        }
      };
      const reading = async (server: RunningServer, random: () => number) => {
        while (Date.now() < end) {
          const [question] = questions.slice(Math.floor(random() * questions.length));
          if (question === undefined) continue;
          const [asked, counters] = question;
          const least = { ...acknowledged };
          const [leastWritten, leastGone, leastHalves] = [written, gone, { ...halves }];
          // Equal reads that wait at the same time share a run.
          const sent = await Promise.all(Array.from({ length: 1 + Math.floor(random() * 4) }, () => send(server, { path: asked })));
          responses += sent.length;
          const timings = sent.map((response) => String(response.headers['server-timing']));
          hits += timings.filter((timing) => timing.includes('cache;desc=hit')).length;
          if (server === third) ofRows += timings.filter((timing) => timing.includes('statements;desc="0"')).length;
          shared += timings.filter((timing) => timing.includes('shared;')).length;
          for (const { name, count, page, text, inside, beside } of sent.flatMap(counters)) {
            if (Number(inside) < leastHalves.inside || Number(beside) < leastHalves.beside)
              stale.push({ asked, inside, beside, leastHalves });
            if (Number(count) < least[name as Writer]) stale.push({ asked, name, count, least: least[name as Writer] });
            if (Number(text) < leastWritten) stale.push({ asked, text, leastWritten });
            const title = (page as Json | null | undefined)?.title;
            if (Number(title) <= leastGone) stale.push({ asked, name, title, leastGone });
          }
        }
      };
      const both = [served.server, second];
      await Promise.all([
        ...writers.map((writer, at) => writing(writer, randomFrom(seed + at))),
        remarking(randomFrom(seed + 5)),
        deleting(randomFrom(seed + 6)),
        pairing('inside', served.server, randomFrom(seed + 7)),
        pairing('beside', second, randomFrom(seed + 8)),
        ...[...both, third].flatMap((server, at) => [0, 1].map((each) => reading(server, randomFrom(seed + 10 + 2 * at + each)))),
      ]);

      expect(stale.slice(0, 5)).toEqual([]);
      for (const server of both) {
        for (const writer of writers)
          expect(dataOf(await send(server, { path: path(writer) }))[0]).toMatchObject({ count: acknowledged[writer] });
        expect(dataOf(await send(server, { path: pair }))[0]).toMatchObject(halves);
      }
      for (const writer of writers) expect(acknowledged[writer]).toBeGreaterThan(3);
      expect([written > 3, gone > 3, halves.inside > 3, halves.beside > 3]).toEqual([true, true, true, true]);
      // Without cached responses the test would prove little.
      if (versioned !== 'of nothing') expect(hits).toBeGreaterThan(3);
      if (engine === 'sqlite' || database !== undefined) expect(ofRows).toBeGreaterThan(3);
      expect(shared).toBeGreaterThan(3);
      expect(responses).toBeGreaterThan(hits + shared);
    });
  },
);
