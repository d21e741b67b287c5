/** Retries, time limits, cancelling, and the errors of all of them. */
import { createClient, LecternError } from '@lectern/client';
import { describe, expect, it } from 'vitest';
import { useMade } from '../support/use-made.ts';
import { ok, type PlayedResponse, refusal, startPlayedServer } from './played-server.ts';

const server = useMade(startPlayedServer);
const open = (more: object = {}) => createClient({ baseURL: `${server().base}/api`, retry: { delay: 5 }, ...more });
type Client = ReturnType<typeof open>;

const find = (client: Client) => client.collection('articles').find();
const create = (client: Client) => client.collection('articles').create({ title: 'a' });
const update = (client: Client) => client.collection('articles').update('a', { title: 'a' });
const remove = (client: Client) => client.collection('articles').delete('a');
const publish = (client: Client) => client.collection('articles').publish('a');
const ifMatch = (client: Client) => client.collection('articles').update('a', { title: 'a' }, {}, { ifMatch: '"1"' });
const upload = (client: Client) => client.upload(new Blob(['a']));
const login = (client: Client) => client.auth.login({ identifier: 'a', password: 'b' });
const broken: PlayedResponse = { breaks: 'before' };
const cut: PlayedResponse = { body: '{"data":', breaks: 'within' };

describe('a request is sent again', () => {
  it.each([
    ['find', 'a 503', find, refusal(503)],
    ['find', 'a 429', find, refusal(429)],
    ['find', 'a broken connection', find, broken],
    ['find', 'half a response', find, cut],
    ['update', 'a 503', update, refusal(503)],
    ['delete', 'a broken connection', remove, broken],
    ['publish', 'a 503', publish, refusal(503)],
    ['create', 'a 503', create, refusal(503)],
    ['create', 'a broken connection', create, broken],
    ['login', 'a 429', login, refusal(429)],
    ['upload', 'a 429', upload, refusal(429)],
    ['update with ifMatch', 'a 429', ifMatch, refusal(429)],
  ])('%s after %s', async (_, __, send, failure) => {
    server().play(failure, failure, ok);
    expect((await send(open())).error).toBeUndefined();
    expect(server().requests).toHaveLength(3);
    const [first] = server().requests;
    for (const { method, url, body, headers } of server().requests) {
      expect({ method, url, body: body.replaceAll(/formdata-\S*/g, ''), key: headers['idempotency-key'] }).toEqual({
        method: first?.method,
        url: first?.url,
        body: first?.body.replaceAll(/formdata-\S*/g, ''),
        key: first?.headers['idempotency-key'],
      });
    }
  });

  it.each([
    ['upload', 'a 503, as the server may have stored the file', upload, refusal(503), 'unavailable'],
    ['upload', 'a broken connection', upload, broken, 'network'],
    ['login', 'a 503', login, refusal(503), 'unavailable'],
    ['update with ifMatch', 'a 503: its own write would be the conflict', ifMatch, refusal(503), 'unavailable'],
    ['find', 'a 500', find, refusal(500), 'server'],
    ['find', 'a 400', find, refusal(400), 'invalid'],
  ])('but not %s after %s', async (_, __, send, failure, kind) => {
    server().play(failure, ok);
    expect((await send(open())).error?.kind).toBe(kind);
    expect(server().requests).toHaveLength(1);
  });

  it('three times at most, or as often as the options say', async () => {
    server().play(refusal(503));
    expect((await find(open())).error).toMatchObject({ kind: 'unavailable', status: 503, code: 'some.code' });
    expect(server().requests).toHaveLength(4);
    server().play(broken);
    expect((await find(open({ retry: { attempts: 1, delay: 1 } }))).error?.kind).toBe('network');
    expect(server().requests).toHaveLength(2);
    server().play(refusal(429));
    expect((await find(open({ retry: { attempts: 0 } }))).error?.kind).toBe('rate-limit');
    expect(server().requests).toHaveLength(1);
  });

  it('later each time', async () => {
    server().play(refusal(503));
    await find(open({ retry: { attempts: 2, delay: 100 } }));
    const [first = 0, second = 0, third = 0] = server().requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(37);
    expect(third - second).toBeGreaterThanOrEqual(87);
  });

  it.each([
    ['a number of seconds', 429, () => '1'],
    ['a date', 503, () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString()],
  ])('when Retry-After says so: %s', async (_, status, after) => {
    server().play(() => refusal(status, { 'retry-after': after() }), ok);
    expect((await find(open())).error).toBeUndefined();
    const [first = 0, second = 0] = server().requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(900);
  });

  it.each([
    ['longer than maxDelay', { 'retry-after': '21' }, {}],
    ['longer than the time that is left', { 'retry-after': '2' }, { timeout: 1000 }],
    ['a year', { 'retry-after': '31536000' }, { timeout: 0 }],
  ])('but the call ends at once if it would have to wait for %s', async (_, headers, options) => {
    server().play(refusal(429, headers), ok);
    const { error } = await find(open(options));
    expect(error).toMatchObject({ kind: 'rate-limit', retryAfter: Number(headers['retry-after']) });
    expect(server().requests).toHaveLength(1);
  });

  it('without its key where the database has no table for keys', async () => {
    const client = open();
    server().play(refusal(501, {}, 'idempotency.no-table'), ok);
    expect((await create(client)).error).toBeUndefined();
    await create(client);
    expect(server().requests.map(({ headers }) => typeof headers['idempotency-key'])).toEqual(['string', 'undefined', 'undefined']);
    server().play(refusal(503), ok);
    expect((await create(client)).error?.kind).toBe('unavailable');
    expect(server().requests).toHaveLength(1);
  });

  it('by fetch, unless its body is a stream', async () => {
    server().play(refusal(503), { body: 'done' });
    const put = () => open().fetch('/x', { method: 'PUT', body: 'a' });
    expect(await (await put()).text()).toBe('done');
    server().play(refusal(503), { body: 'done' });
    const init = { method: 'PUT', body: new Blob(['a']).stream(), duplex: 'half' };
    expect((await open().fetch('/x', init as RequestInit)).status).toBe(503);
    expect(server().requests).toHaveLength(1);
    server().play(refusal(503), { body: 'done' });
    expect((await open().fetch('/x', { method: 'POST', body: 'a' })).status).toBe(503);
    server().play(refusal(503), { body: 'done' });
    expect((await open().fetch('/x', { method: 'POST', body: 'a', headers: { 'Idempotency-Key': 'b' } })).status).toBe(200);
  });
});

describe('a time limit', () => {
  it.each([
    ['of the client', { timeout: 300 }, {}],
    ['of the call', {}, { timeout: 300 }],
    ['with a signal as well', {}, { timeout: 300, signal: new AbortController().signal }],
  ])('%s ends the call', async (_, client, call) => {
    server().play({ hangs: 'before' });
    const { error } = await open(client).collection('articles').find({}, call);
    expect(error).toMatchObject({ kind: 'timeout', message: 'GET /api/articles took longer than 300 ms' });
    expect(server().requests).toHaveLength(1);
  });

  it('includes all retries', async () => {
    server().play(refusal(503));
    expect((await find(open({ timeout: 300, retry: { attempts: 1000, delay: 20 } }))).error?.kind).toMatch(/^(unavailable|timeout)$/);
    expect(server().requests.length).toBeLessThan(10);
  });

  it('includes the body', async () => {
    server().play({ body: '{"data"', hangs: 'within' });
    expect((await find(open({ timeout: 300 }))).error?.kind).toBe('timeout');
  });

  it('is none of uploads', async () => {
    server().play(ok);
    expect((await open({ timeout: 1e-9 }).upload(new Blob(['a']))).error).toBeUndefined();
  });
});

describe('a signal', () => {
  it('cancels a call that waits for the response', async () => {
    server().play({ hangs: 'before' });
    const controller = new AbortController();
    server()
      .arrived(1)
      .then(() => controller.abort(new Error('left the page')));
    const { error } = await open().collection('articles').find({}, { signal: controller.signal });
    expect(error).toMatchObject({ kind: 'aborted', cause: expect.objectContaining({ message: 'left the page' }) });
  });

  it('cancels a call that waits for a retry', async () => {
    server().play(refusal(503, { 'retry-after': '15' }));
    const controller = new AbortController();
    server()
      .arrived(1)
      .then(() => setTimeout(() => controller.abort(), 50));
    const { error } = await open().collection('articles').find({}, { signal: controller.signal });
    expect(error?.kind).toBe('aborted');
    expect(server().requests).toHaveLength(1);
  });

  it('that was aborted before sends nothing', async () => {
    server().play(ok);
    const { error } = await open().collection('articles').find({}, { signal: AbortSignal.abort() });
    expect(error?.kind).toBe('aborted');
    expect(server().requests).toEqual([]);
  });

  it.each(['before', 'within'] as const)('cancels a call whose body does not end (%s)', async (hangs) => {
    server().play({ body: '{"data"', hangs });
    const controller = new AbortController();
    server()
      .arrived(1)
      .then(() => setTimeout(() => controller.abort(), 50));
    expect((await open().collection('articles').find({}, { signal: controller.signal })).error?.kind).toBe('aborted');
  });

  it('cancels the body of a response of fetch, which has no time limit', async () => {
    server().play({ body: 'begins', hangs: 'within' });
    const controller = new AbortController();
    const response = await open({ timeout: 100 }).fetch('/x', { signal: controller.signal });
    setTimeout(() => controller.abort(), 250);
    await expect(response.text()).rejects.toThrow('aborted');
  });

  it('cancels the loop over pages', async () => {
    server().play({ hangs: 'before' });
    const controller = new AbortController();
    server()
      .arrived(1)
      .then(() => controller.abort());
    const loop = async () => {
      for await (const _ of open().collection('articles').all({}, { signal: controller.signal }));
    };
    await expect(loop()).rejects.toMatchObject({ kind: 'aborted' });
  });
});

describe('an error', () => {
  it.each([
    [400, 'invalid'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [405, 'invalid'],
    [409, 'conflict'],
    [410, 'not-found'],
    [412, 'conflict'],
    [413, 'invalid'],
    [422, 'invalid'],
    [429, 'rate-limit'],
    [500, 'server'],
    [501, 'server'],
    [503, 'unavailable'],
    [507, 'server'],
  ])('of the status %i is of the kind %s', async (status, kind) => {
    server().play(refusal(status, { 'x-request-id': 'r1' }));
    const client = open({ retry: { attempts: 0 } });
    const { data, error } = await find(client);
    expect(data).toBeNull();
    expect(error).toBeInstanceOf(LecternError);
    expect(error).toMatchObject({ kind, status, code: 'some.code', message: 'No', name: 'SomeError', details: { a: 1 }, requestId: 'r1' });
    await expect(find(client).orThrow()).rejects.toMatchObject({ kind, status });
  });

  it('has its code from the header in profile strapi', async () => {
    server().play({
      status: 400,
      headers: { 'x-error-code': 'query.invalid-key' },
      body: { data: null, error: { status: 400, message: 'No' } },
    });
    expect((await find(open())).error).toMatchObject({ code: 'query.invalid-key', details: {} });
  });

  it.each([
    ['a page of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }, { kind: 'server', status: 502, message: /502: <h1>Bad gateway/ }],
    [
      'an error of another shape',
      { status: 400, body: { error: 'no' } },
      { kind: 'invalid', code: undefined, message: /400: {"error":"no"}/ },
    ],
    ['null', { status: 400, body: 'null' }, { kind: 'invalid' }],
    ['a success that is not JSON', { body: '<html>' }, { kind: 'unexpected', status: 200, message: /not JSON: <html>/ }],
    ['a 304 that was not asked for', { status: 304 }, { kind: 'unexpected', status: 304 }],
  ])('stands for %s', async (_, response, expected) => {
    server().play(response);
    const { error } = await find(open());
    const { message = /./, ...more } = expected as { message?: RegExp };
    expect(error).toMatchObject(more);
    expect(error?.message).toMatch(message);
  });

  it('says that a server cannot be reached, without the token', async () => {
    const { error } = await createClient({ baseURL: 'http://127.0.0.1:1/api', token: 'very-secret', retry: { attempts: 0 } })
      .collection('a')
      .find();
    expect(error).toMatchObject({ kind: 'network', message: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:1\/api\/a failed: /) });
    expect(JSON.stringify(error) + String(error) + String(error?.cause)).not.toContain('very-secret');
  });

  it('of a storage for tokens is thrown, and handled once', async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listener);
    const storage = {
      get() {
        throw new Error('the disk is full');
      },
      set: () => undefined,
    };
    const client = open({ auth: { storage } });
    await expect(find(client).orThrow()).rejects.toThrow('the disk is full');
    await expect(find(client)).rejects.toThrow('the disk is full');
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
  });

  it('says that data cannot be JSON', async () => {
    server().play(ok);
    const { error } = await open().collection('articles').create({ a: 1n });
    expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining('JSON') });
  });
});
