/** Responses from the response cache. */
import type { HttpResponse } from './http.ts';

export const isHit = ({ headers }: HttpResponse): boolean => String(headers['server-timing']).includes('cache;desc=hit');

/** On PostgreSQL any transaction of the server empties the cache, also those of other test files. */
const tries = 500;
/** On MariaDB a server that gets no version within half a second, as on a busy machine, asks for none for a second. Milliseconds. */
const longestPause = 20_000;

/** Asks until a response comes from the cache. */
export async function fromCache(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const end = performance.now() + longestPause;
  for (let tried = 0; tried < tries || performance.now() < end; tried++) {
    const response = await ask();
    if (isHit(response)) return response;
  }
  throw new Error('no response came from the cache');
}
