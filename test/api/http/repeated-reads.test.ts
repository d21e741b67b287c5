/** Responses from the cache that are sent before routing are those that the routes would send, and a request that equals no earlier one is routed. */

import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { fromCache, isHit } from '../../support/cached-response.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { versionedEngines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { sendRaw, statusesIn } from '../../support/raw-http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { changeIn, idOf, type Json, type ServedOptions, useProject } from '../../support/served-project.ts';

const find = ['api::note.note.find', 'api::note.note.findOne'];
const options: ServedOptions = {
  files: schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' } } } }),
  types: [
    {
      type: 'api::note.note',
      documents: ['one', 'two'].map((title) => ({ key: title, status: 'published' as const, data: { title } })),
    },
  ],
  public: find,
  tokens: { reader: find, drafts: [...find, 'api::note.note.findDraft'], nothing: [] },
};
const list = '/api/notes?sort=title';
const one = `/api/notes/${idOf('note', 'one')}`;

const ownToEach = new Set(['date', 'x-request-id', 'server-timing']);
const essence = ({ status, headers, text }: HttpResponse) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownToEach.has(name))),
  text,
});

describe.each(versionedEngines)('%s: repeated reads', (engine) => {
  const origins = ['https://one.example', 'https://two.example'];
  const served = useProject(engine, {
    ...options,
    env: {
      LECTERN_LOG_LEVEL: 'info',
      LECTERN_CORS_ORIGINS: origins.join(','),
      LECTERN_CORS_CREDENTIALS: 'true',
      LECTERN_CACHE_TYPES: JSON.stringify({
        'api::note.note': { cacheControl: 'public, max-age=60', surrogateKey: true, vary: ['X-Any'] },
      }),
    },
  });
  const ask = (who: string, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    served.ask(who, method, path, undefined, headers);

  const cases: readonly (readonly [it: string, who: string, path: string, headers: Readonly<Record<string, string>>])[] = [
    ['a list', 'public', list, {}],
    ['a document', 'public', one, {}],
    ['with a token', 'reader', one, {}],
    ['with a header that is no token', 'public', one, { Authorization: 'Basic YTpi' }],
    ['in the format of Strapi 4', 'public', one, { 'Strapi-Response-Format': 'v4' }],
    ['with source maps', 'public', one, { 'Strapi-Encode-Source-Maps': 'true' }],
    ['from a known origin', 'public', one, { Origin: origins[0] ?? '' }],
    ['from another known origin', 'public', one, { Origin: origins[1] ?? '' }],
    ['from an unknown origin', 'public', one, { Origin: 'https://three.example' }],
    ['whose tag the caller does not have', 'public', one, { 'If-None-Match': '"other"' }],
    ['whose tag the caller has', 'public', one, { 'If-None-Match': '*' }],
    ['that is to end the connection', 'public', one, { Connection: 'close' }],
  ];
  it('each kind of request gets its own headers and bytes, again and again, in whatever order they come', async () => {
    const fresh = new Map<string, unknown>();
    for (let time = 0; time < 4; time++) {
      for (const [name, who, path, headers] of cases) {
        for (const method of ['GET', 'HEAD']) {
          const response = time === 0 ? await ask(who, path, headers, method) : await fromCache(() => ask(who, path, headers, method));
          const key = `${name}, ${method}`;
          if (time === 0) fresh.set(key, essence(response));
          expect([key, essence(response)]).toEqual([key, fresh.get(key)]);
        }
      }
    }
    const bodies = cases.slice(0, 6).map(([name]) => JSON.stringify(fresh.get(`${name}, GET`)));
    // The format, the caller and the document are in the headers or in the body.
    expect(new Set(bodies).size).toBe(bodies.length - 1);
  });

  it('has an id of its own, or that of the caller', async () => {
    const ids = new Set<unknown>();
    for (let time = 0; time < 5; time++) ids.add((await fromCache(() => ask('public', list))).headers['x-request-id']);
    expect(ids.size).toBe(5);
    const named = await fromCache(() => ask('public', list, { 'X-Request-Id': 'mine-1' }));
    expect(named.headers['x-request-id']).toBe('mine-1');
  });

  it('is in the log like any other', async () => {
    const id = `logged-${engine}`;
    await fromCache(() => ask('public', list, { 'X-Request-Id': id }));
    await expect
      .poll(() => served.server.output.stderr.split('\n').filter((line) => line.includes(`"${id}"`)).length)
      .toBeGreaterThanOrEqual(3);
    const lines = served.server.output.stderr.split('\n').flatMap((line) => (line.includes(`"${id}"`) ? [JSON.parse(line) as Json] : []));
    const shape = ({ time: _time, milliseconds, ...line }: Json) => ({ ...line, milliseconds: typeof milliseconds });
    expect(lines[0]).toMatchObject({ requestId: id, method: 'GET', url: list, status: 200, msg: 'answered' });
    for (const line of lines) expect(shape(line)).toEqual(shape(lines[0] ?? {}));
    expect(Object.keys(lines.at(-1) ?? {})).toEqual(Object.keys(lines[0] ?? {}));
  });

  it('requests in one packet are answered in order', async () => {
    await fromCache(() => ask('public', list));
    await fromCache(() => ask('public', one));
    const get = (path: string, close = false) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;
    const received = await sendRaw(
      served.server.port,
      [list, one, '/api/notes/nothing', one, list].map((path, at) => get(path, at === 4)).join(''),
    );
    expect(statusesIn(received)).toEqual([200, 200, 404, 200, 200]);
    expect([...received.matchAll(/\{"data":(.)/g)].map(([, first]) => first)).toEqual(['[', '{', 'n', '{', '[']);
  });

  it('clients that leave at once do no harm', async () => {
    await fromCache(() => ask('public', list));
    const leave = (at: number) =>
      new Promise<void>((resolve) => {
        const socket = net.connect(served.server.port, '127.0.0.1', () => {
          socket.write(`GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(1 + (at % 20)));
          setTimeout(() => socket.resetAndDestroy(), at % 3);
        });
        socket.on('error', () => undefined).on('close', () => resolve());
      });
    await Promise.all(Array.from({ length: 200 }, (_, at) => leave(at)));
    expect((await fromCache(() => ask('public', list))).status).toBe(200);
    expect(served.server.alive()).toBe(true);
  });

  it('a client of HTTP/1.0 gets the connection closed', async () => {
    await fromCache(() => ask('public', one));
    const received = await sendRaw(served.server.port, `GET ${one} HTTP/1.0\r\n\r\n`);
    expect(statusesIn(received)).toEqual([200]);
    expect(received.toLowerCase()).toContain('connection: close');
  });

  it('other methods, and bodies, are for the routes', async () => {
    await fromCache(() => ask('public', one));
    expect((await ask('public', one, {}, 'DELETE')).status).toBe(403);
    expect((await ask('public', one, {}, 'OPTIONS')).status).toBe(200);
    const fresh = await served.send('public', { path: one, body: '{', headers: { 'Content-Type': 'application/json' } });
    const again = await served.send('public', { path: one, body: '{', headers: { 'Content-Type': 'application/json' } });
    expect(essence(again)).toEqual(essence(fresh));
  });

  it('a token that may read nothing, and one that does not exist, get nothing of what others asked for', async () => {
    for (const who of ['public', 'reader', 'full']) await fromCache(() => ask(who, one));
    for (let time = 0; time < 4; time++) {
      expect((await ask('nothing', one)).status).toBe(403);
      expect((await ask('public', one, { Authorization: `Bearer ${'0'.repeat(256)}` })).status).toBe(401);
    }
  });

  it('drafts stay with those who may read them', async () => {
    const path = `${list}&status=draft`;
    await fromCache(() => ask('full', path));
    const { status } = await ask('public', path);
    for (let time = 0; time < 4; time++) expect((await ask('public', path)).status).toBe(status);
  });

  it('a token that ends is refused from that moment on, although nothing changes in the database', async () => {
    const lifetime = 4000;
    const ends = Date.now() + lifetime;
    await changeIn(served.project, `UPDATE strapi_api_tokens SET expires_at = ${engineSql[engine].moment(ends)} WHERE name = 'drafts'`);
    // A slow machine may not get so far in time.
    let response = await ask('drafts', one);
    let hits = 0;
    while (response.status === 200) {
      expect(Date.now()).toBeLessThan(ends + 10_000);
      if (isHit(response)) hits++;
      const sent = Date.now();
      response = await ask('drafts', one);
      if (sent > ends) expect(response.status).toBe(401);
    }
    expect([response.status, hits > 0]).toEqual([401, true]);
    expect(Date.now()).toBeGreaterThanOrEqual(ends - 1);
  });
});

describe.each(versionedEngines)('%s: repeated reads with hardly a cache', (engine) => {
  const served = useProject(engine, { ...options, env: { LECTERN_CACHE_BYTES: '100' } });

  it('are read each time', async () => {
    for (let time = 0; time < 4; time++) expect(isHit(await served.ask('public', 'GET', one))).toBe(false);
  });
});

describe.each(versionedEngines)('%s: repeated reads with a limit of calls', (engine) => {
  const served = useProject(engine, { ...options, env: { LECTERN_RATE_LIMIT_MAX: '50' } });

  it('are counted', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 60; time++) statuses.push((await served.ask('public', 'GET', one)).status);
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), ...Array.from({ length: 10 }, () => 429)]);
  });
});
