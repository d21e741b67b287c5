/** A PostgreSQL server of one test file. */
import { afterAll, beforeAll } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

/** Called in the body of a `describe`, before what uses the server. Returns a function that returns its URL. */
export function useOwnPostgres(): () => string {
  let own: OwnPostgres | undefined;
  beforeAll(async () => {
    own = await startOwnPostgres();
  });
  afterAll(() => own?.remove());
  return () => {
    if (own === undefined) throw new Error('the server runs from beforeAll on');
    return own.url;
  };
}
