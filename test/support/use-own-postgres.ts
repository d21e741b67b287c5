/** A PostgreSQL server of one test file. */
import { startOwnPostgres } from './own-postgres.ts';
import { useMade } from './use-made.ts';

/** Called in the body of a `describe`, before what uses the server. Returns a function that returns its URL. */
export function useOwnPostgres(): () => string {
  const own = useMade(() => startOwnPostgres());
  return () => own().url;
}
