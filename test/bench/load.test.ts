/** The client of the benchmark: its figures are worth nothing if it misreads the end of a response. */
import { spawn } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../support/listen.ts';

interface Figures {
  readonly responses: number;
  readonly sent: number;
  readonly failed: number;
  readonly firstFailure?: string;
}

const program = fileURLToPath(new URL('../../bench/load.mjs', import.meta.url));
const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Loads a server for a part of a second, with two connections. */
async function loadServer(server: net.Server, orders: object): Promise<Figures> {
  servers.push(server);
  const base = `http://127.0.0.1:${await listen(server)}`;
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ base, paths: ['/'], seconds: 0.3, connections: 2, ...orders }));
  return JSON.parse(await text(child.stdout));
}

const load = (handler: http.RequestListener, orders: object = {}) => loadServer(http.createServer(handler), orders);

/** A response whose chunks, and their ends, are cut in awkward places. */
const pieces = [
  'HTTP/1.1 200 OK\r\nTransfer-Enc',
  'oding: chunked\r\n',
  '\r\n',
  '3\r\n{}\n\r\n10\r\n',
  '0123456789012340\r',
  '\n0',
  '\r\n',
  '\r',
  '\n',
];

const whole: http.RequestListener = (_request, response) => void response.end('{"data":[]}');

describe('bench/load.mjs', () => {
  it('reads each response once, with a length', async () => {
    let served = 0;
    const { responses, sent, failed } = await load((request, response) => {
      served++;
      whole(request, response);
    });
    expect({ failed, sent }).toEqual({ failed: 0, sent: served });
    expect(responses).toBeGreaterThan(2);
    expect(responses).toBeLessThanOrEqual(sent);
  });

  it('reads chunked responses, wherever they are cut', async () => {
    let served = 0;
    const server = net.createServer({ noDelay: true }, (socket) => {
      socket.on('data', async () => {
        served++;
        for (const piece of pieces) {
          socket.write(piece);
          await setTimeout(2);
        }
      });
    });
    const { sent, responses, failed } = await loadServer(server, { connections: 1 });
    expect({ sent, failed }).toEqual({ sent: served, failed: 0 });
    expect(responses).toBeGreaterThan(1);
  });

  it('requests the paths in turn, beginning where the last round ended', async () => {
    const asked: (string | undefined)[] = [];
    await load(
      (request, response) => {
        asked.push(request.url);
        whole(request, response);
      },
      { paths: ['/a', '/b', '/c'], from: 2, connections: 1 },
    );
    expect(asked.slice(0, 4)).toEqual(['/c', '/a', '/b', '/c']);
  });

  it('counts other statuses as failures and says the first', async () => {
    const { responses, failed, sent, firstFailure } = await load((_request, response) => void response.writeHead(503).end('{}'));
    expect({ responses, firstFailure, all: failed === sent }).toEqual({ responses: 0, firstFailure: 'status 503', all: true });
  });

  it('connects again when the server closes a connection', async () => {
    let first = true;
    const { responses, failed } = await load((request, response) => {
      if (!first) return whole(request, response);
      first = false;
      request.socket.destroy();
    });
    expect(failed).toBe(1);
    expect(responses).toBeGreaterThan(0);
  });

  it('waits for slow responses until each connection could have had one', async () => {
    const { responses } = await load(async (request, response) => {
      await setTimeout(600);
      whole(request, response);
    });
    expect(responses).toBe(2);
  });
});
