/** Knows editors in this process, in the primary process (`workers`), or in Redis. */
import { isWorker } from '../../observe/workers.ts';
import type { RedisScripts } from '../rate-limits/redis-scripts.ts';
import { Editors, type Presence } from './presence.ts';

export async function openPresence(redis: RedisScripts | undefined): Promise<Presence> {
  if (redis !== undefined) return (await import('./redis-presence.ts')).redisPresence(redis);
  if (isWorker()) return (await import('./worker-presence.ts')).openWorkerPresence();
  return new Editors();
}
