/** Runs scripts in Redis. What it does not reply in time counts as no reply: no request waits
 *  for it. */
import { createHmac } from 'node:crypto';
// The main module has clients of clusters, too. For commands, see `build/redis-commands.cjs`.
import clientModule from '@redis/client/dist/lib/client/index.js';
import type { RateCountsLog } from './rate-limiter.ts';

/** Redis must reply within this time. Milliseconds. */
const replyTimeout = 250;
const connectWithin = 1000;
/** The start waits at most this long for Redis, to count the first requests there. Milliseconds. */
const connectTimeout = 500;
/** After a failure, Redis is not used for this long: requests would wait in vain. Milliseconds. */
const retryAfter = 1000;
const maxRetryDelay = 2000;
/** A connection on which nothing arrives for `silence`, not even the response to a PING, is
 *  replaced: the longer a network is broken, the more rarely its packets are sent again.
 *  Milliseconds. */
const [pingEvery, silence] = [1000, 2500];
const maxWaiting = 1000;

export interface RedisScripts {
  /** Returns undefined if Redis does not reply in time. */
  evaluate(script: string, key: string, ...values: readonly string[]): Promise<unknown>;
  /** A key that shows neither the IP address nor the e-mail of a caller, nor a document. */
  keyOf(prefix: string, name: string): string;
  close(): void;
}

/** `secret` separates projects in one Redis. */
export async function openRedis(url: string, secret: string, log: RateCountsLog): Promise<RedisScripts> {
  const client = clientModule.default.create({
    url,
    // All versions of Redis support RESP 2.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    pingInterval: pingEvery,
    socket: {
      connectTimeout: connectWithin,
      socketTimeout: silence,
      reconnectStrategy: (retries) => Math.min(100 * (retries + 1), maxRetryDelay),
    },
  });
  let isLost = false;
  let retryAt = 0;
  const lost = (error: unknown) => {
    retryAt = performance.now() + retryAfter;
    if (!isLost) log.lost(error);
    isLost = true;
  };
  client.on('error', lost);

  async function evaluate(script: string, key: string, ...values: readonly string[]): Promise<unknown> {
    if (!client.isReady || performance.now() < retryAt) return undefined;
    try {
      const reply = await inTime(client.eval(script, { keys: [key], arguments: [...values] }));
      if (isLost) log.found();
      isLost = false;
      return reply;
    } catch (error) {
      lost(error);
      return undefined;
    }
  }

  const connecting = client.connect().catch(lost);
  await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, connectTimeout).unref())]);
  return {
    evaluate,
    keyOf: (prefix, name) => `${prefix}:${createHmac('sha256', secret).update(name).digest('base64url')}`,
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

function inTime<T>(reply: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis has not responded within ${replyTimeout} ms`)), replyTimeout);
  });
  return Promise.race([reply, late]).finally(() => clearTimeout(timer));
}
