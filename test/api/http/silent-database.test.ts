/** A database server that falls silent while many requests wait: every one of them gets its 503 in time, whatever it waits for and however many wait before it. */
import { describe, expect, it } from 'vitest';
import { jwtSecret } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Served, useProject } from '../../support/served-project.ts';
import { useRelay } from '../../support/servers-to-lose.ts';

/** Milliseconds. About two seconds are promised; the rest is for a machine that has other work. */
const inTime = 3500;
const burst = 100;
/** Longer than what has been looked up may be taken as still true. */
const lookUpsEnd = 1100;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Timed {
  readonly status: number;
  readonly retry: unknown;
  readonly milliseconds: number;
}

async function timed(ask: () => Promise<HttpResponse>): Promise<Timed> {
  const began = performance.now();
  const { status, headers } = await ask();
  return { status, retry: headers['retry-after'], milliseconds: performance.now() - began };
}

/** The responses that are not a 503 in time, each as a text. */
const exceptions = (responses: readonly Timed[]) =>
  responses
    .filter(({ status, retry, milliseconds }) => status !== 503 || retry === undefined || milliseconds > inTime)
    .map(({ status, retry, milliseconds }) => `${status} after ${Math.round(milliseconds)} ms, Retry-After ${retry}`);

const slowest = (responses: readonly Timed[]) => Math.round(Math.max(...responses.map(({ milliseconds }) => milliseconds)));

const servers = engines.filter((engine) => engine !== 'sqlite');
// Without these engines the tests are skipped: a file without any test would fail.
describe.runIf(servers.length > 0).each(servers.length > 0 ? servers : ['postgres' as const])('%s that falls silent', (engine) => {
  const relay = useRelay(engine, { isRecorded: false });
  let unequal = 0;
  const served: Served = useProject(engine, {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    public: ['api::note.note.find'],
    authenticated: [],
    env: () => ({ ...relay.env(served.project), JWT_SECRET: jwtSecret }),
  });

  /** A read that shares no run, and is not cached. */
  const read = () => served.ask('public', 'GET', `/api/notes?filters[title][$eq]=${++unequal}`);
  const reads = (count: number) => Promise.all(Array.from({ length: count }, () => timed(read)));
  /** A token that nobody has looked up yet. */
  const stranger = () => {
    const token = (++unequal).toString(16).padStart(256, '0');
    return served.send('public', { path: '/api/notes', headers: { Authorization: `Bearer ${token}` } });
  };
  const requests: readonly (() => Promise<HttpResponse>)[] = [
    read,
    () => served.ask('public', 'GET', '/api/notes?pagination[page]=1'),
    () => served.ask('full', 'POST', '/api/notes', { title: 'x' }),
    () => served.ask('full', 'GET', '/api/users'),
    stranger,
  ];
  const strangers = (count: number) => Promise.all(Array.from({ length: count }, () => timed(stranger)));
  /** Opens all connections, and looks up the rights of the public, which are then used for a second: so each read waits for a connection of its own. */
  const warm = async () => {
    const statuses = async () => new Set((await Promise.all([reads(burst), strangers(20)])).flat().map(({ status }) => status));
    // Right after a silence, some of the connections may not be open again.
    await expect.poll(statuses).toEqual(new Set([200, 401]));
    await pause(lookUpsEnd);
    expect((await read()).status).toBe(200);
  };
  const recovered = async () => {
    await relay.get().restore();
    const began = performance.now();
    while ((await read()).status !== 200 && performance.now() - began < 10_000) await pause(50);
    return performance.now() - began;
  };

  it('with many requests at once: each gets its 503 in time, and the server serves again by itself', async () => {
    await warm();
    relay.get().silence();
    const first = await reads(burst);
    const second = await reads(burst);
    console.log(` ${engine}, a burst: the slowest response after ${slowest(first)} ms`);
    const back = await recovered();
    expect(exceptions(first)).toEqual([]);
    expect(exceptions(second)).toEqual([]);
    expect(back).toBeLessThan(6000);
  });

  it('under mixed load: no request waits for longer, however long the silence lasts', async () => {
    await warm();
    const responses: Timed[] = [];
    let isOver = false;
    const client = async (number: number) => {
      for (let round = number; !isOver; round++) {
        const ask = requests[round % requests.length] ?? read;
        const began = performance.now();
        const response = await timed(ask);
        if (began > silentAt) responses.push(response);
        await pause(20);
      }
    };
    let silentAt = Number.POSITIVE_INFINITY;
    const clients = Array.from({ length: 60 }, (_, number) => client(number));
    await pause(500);
    relay.get().silence();
    silentAt = performance.now();
    await pause(3500);
    isOver = true;
    await Promise.all(clients);
    await recovered();
    expect(exceptions(responses)).toEqual([]);
    await warm();
  });
});
