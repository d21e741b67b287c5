import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { App } from '../app.ts';
import { FrontServer } from './front-server.ts';

/** What the front server uses of an app. */
const appOf = (text: string): App => {
  const server = createServer((_, response) => response.end(text));
  return { server, close: async () => undefined } as unknown as App;
};

describe('requests during a pause', () => {
  it('wait for the next app, at most a thousand of them; the others are asked to come again', async () => {
    const front = new FrontServer();
    await front.replace(appOf('former'));
    const url = await front.listen('127.0.0.1', 0);
    await front.pause(0);
    const responses = Array.from({ length: 1020 }, () => fetch(url));
    const early = await Promise.race(responses);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await early.json()).toMatchObject({ data: null, error: { status: 503, name: 'ServiceUnavailableError' } });
    const refused = await Promise.all(responses.map((each) => Promise.race([each.then(({ status }) => status), later()])));
    expect(refused.filter((status) => status === 503).length).toBe(20);
    await front.replace(appOf('next'));
    const served = (await Promise.all(responses)).filter(({ status }) => status === 200);
    expect(served).toHaveLength(1000);
    expect(await served[0]?.text()).toBe('next');
    await front.close();
  }, 60_000);
});

const later = () => new Promise<number>((resolve) => setTimeout(() => resolve(0), 2000));
