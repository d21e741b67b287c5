/** `Idempotency-Key` for endpoints whose writes are no documents. */
import type { Connection, Database } from '../dialects/database.ts';
import { writeUnshown } from '../dialects/retry-conflicts.ts';
import type { Caller } from './call.ts';
import {
  checkIdempotencyTable,
  idempotentRequest,
  type StoredResponse,
  storedResponse,
  storeResponse,
} from './run/write/idempotency-store.ts';

interface OnceCall {
  readonly idempotencyKey: string | undefined;
  /** The same key is another one in another scope. */
  readonly scope: string;
  readonly caller: Caller;
  readonly body: unknown;
}

interface OnceOutcome extends Pick<StoredResponse, 'status' | 'body'> {
  readonly repeated?: boolean;
}

type Write = (connection: Connection) => Promise<StoredResponse>;

/** Answers a request with a key that was answered before as it was then, and writes nothing.
 *  `prepare` checks the request and returns what writes, or why it is refused. A repeated request is
 *  not checked: what the first one was about may be gone, and its time over. */
export async function answerOnce<Refusal extends object>(
  { idempotencyKey: key, scope, caller, body }: OnceCall,
  database: Database,
  prepare: () => Promise<Write | Refusal>,
): Promise<OnceOutcome | Refusal> {
  const { dialect } = database;
  const request = key === undefined ? undefined : idempotentRequest(key, caller.key, scope, body);
  if (request === undefined) {
    const write = await prepare();
    return typeof write === 'function' ? writeUnshown(database, write) : write;
  }
  await checkIdempotencyTable(database);
  const stored = await writeUnshown(database, (connection) => storedResponse(request, Date.now(), connection, dialect));
  if (stored !== undefined) return { ...stored, repeated: true };
  const write = await prepare();
  if (typeof write !== 'function') return write;
  return writeUnshown(database, async (connection) => {
    const now = Date.now();
    const meanwhile = await storedResponse(request, now, connection, dialect);
    if (meanwhile !== undefined) return { ...meanwhile, repeated: true };
    const response = await write(connection);
    await storeResponse({ request, response, now }, connection, dialect);
    return response;
  });
}
