/** A Redis for tests, behind a relay that can fall silent or hang up as a real network does. */
import net from 'node:net';

const redisUrl = process.env.LECTERN_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const target = () => {
  const { hostname, port } = new URL(redisUrl);
  return { host: hostname, port: Number(port === '' ? 6379 : port) };
};

export const redisAnswers = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(target(), () => socket.write('PING\r\n'));
    const end = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on('data', (answer) => end(answer.toString().startsWith('+PONG')));
    socket.on('error', () => end(false));
  });

export interface RedisRelay {
  /** What a server is given as `rateLimit.redis`. */
  readonly url: string;
  /** Everything that was sent to Redis so far. */
  readonly sent: string;
  /** Keeps connections, and takes new ones, but passes nothing on. */
  silence(): void;
  hangUp(): Promise<void>;
  restore(): Promise<void>;
}

export async function startRedisRelay(): Promise<RedisRelay> {
  const sockets = new Set<net.Socket>();
  let silent = false;
  let sent = '';
  const server = net.createServer((caller) => {
    const redis = net.connect(target());
    for (const socket of [caller, redis]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        caller.destroy();
        redis.destroy();
      });
    }
    caller.on('data', (data) => {
      sent += data.toString('latin1');
      if (!silent) redis.write(data);
    });
    redis.on('data', (data) => {
      if (!silent) caller.write(data);
    });
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { pathname } = new URL(redisUrl);
  return {
    url: `redis://127.0.0.1:${port}${pathname}`,
    get sent() {
      return sent;
    },
    silence() {
      silent = true;
    },
    async hangUp() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async restore() {
      silent = false;
      if (!server.listening) await listen(port);
    },
  };
}
