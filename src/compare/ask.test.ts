import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { listen } from '../../test/support/listen.ts';
import { sideAt } from './ask.ts';
import { asTarget } from './target.ts';

it('a response that changes the protocol is none to compare', async () => {
  const server = createServer((request) => {
    request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  });
  const base = new URL(`http://127.0.0.1:${await listen(server)}`);
  const side = sideAt(base, undefined, { milliseconds: 2000, bytes: 1000 }, new AbortController().signal);
  expect(await side.ask({ method: 'GET', target: asTarget('/') })).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining('101'),
  });
  side.close();
  server.close();
});
