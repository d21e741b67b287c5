/** A Redis for tests, behind a relay that can fall silent or hang up as a real network does. */
import net from 'node:net';
import { type Relay, startRelay } from './relay.ts';

const redisUrl = process.env.LECTERN_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const target = () => {
  const { hostname, port } = new URL(redisUrl);
  return { host: hostname, port: Number(port === '' ? 6379 : port) };
};

export const redisAnswers = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(target(), () => socket.write('PING\r\n'));
    const end = (responses: boolean) => {
      socket.destroy();
      resolve(responses);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on('data', (response) => end(response.toString().startsWith('+PONG')));
    socket.on('error', () => end(false));
  });

export interface RedisRelay extends Relay {
  /** The value of `rateLimit.redis` for a server. */
  readonly url: string;
}

export async function startRedisRelay(listenOn = '127.0.0.1'): Promise<RedisRelay> {
  const relay = await startRelay({ ...target(), listenOn });
  return Object.assign(relay, { url: `redis://${listenOn}:${relay.port}${new URL(redisUrl).pathname}` });
}
