/** Runs reads of an embedded database on one connection. Reading processes and reading threads share this code. */
import { LRUCache } from 'lru-cache';
import { openThreadReader } from '../../../dialects/open-for-process.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { RequestRecord, recordedConnection } from '../../../observe/request-record.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';
import { ListCache } from '../../execute/list-cache.ts';
import { ReadBudget } from '../../execute/read-budget.ts';
import { RowCache } from '../../execute/row-cache.ts';
import { renderingOf } from '../../render/render-read.ts';
import { createFreeMemory } from '../processes/free-memory.ts';
import type { ReadMessage, ReadReply, ReadSetup } from './read-protocol.ts';
import { maxCachedCharacters, maxCachedPlans, type PreparedRead, prepareRead, runRead } from './run-read.ts';

interface ReadResponse {
  readonly reply: ReadReply;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
}

/** Runs a read and calls `send` with its reply; afterwards frees the memory that the read took. */
export type ServeRead = (request: ReadMessage, send: (response: ReadResponse) => void) => Promise<void>;

/** `rowBytes`: the size of its row cache; 0 for none. */
export function createReadServer(setup: ReadSetup, rowBytes: number): ServeRead {
  const reader = openThreadReader(setup.database, setup.file);
  const lists = new ListCache(reader.version);
  const rowCache = rowBytes > 0 ? new RowCache({ bytes: rowBytes, areUrlsSigned: setup.signing !== undefined }) : undefined;
  const plans = new LRUCache<number, PreparedRead>({ max: maxCachedPlans, maxSize: maxCachedCharacters });
  const rendering = renderingOf(setup.limits, setup.signing);
  const freeMemory = createFreeMemory(setup.limits.responseBytes);

  async function respond(request: ReadMessage, budget: ReadBudget): Promise<ReadResponse> {
    const sent = request.compiled && prepareRead(request.compiled, rendering);
    if (sent !== undefined) plans.set(request.plan, sent, { size: request.size });
    // The cache does not hold a plan that is larger than the whole cache, so a plan that has just been sent is used directly.
    const prepared = sent ?? plans.get(request.plan);
    if (prepared === undefined) return { reply: { kind: 'unknown plan' } };
    const record = request.wanted === 'nothing' ? undefined : new RequestRecord(request.wanted === 'texts');
    try {
      const { body, ...figures } = await reader.snapshot((connection) =>
        runRead(prepared, request.bindings, {
          connection: recordedConnection(connection, record),
          lists,
          rowCache,
          listVersion: request.listVersion,
          budget,
        }),
      );
      return { reply: { kind: 'done', found: body !== undefined, ran: record?.statements, ...figures }, body };
    } catch (error) {
      const expected = apiErrorOf(error, reader.errorKindOf, setup.limits);
      if (expected instanceof ApiError) return { reply: { kind: 'refused', error: expected.toData() } };
      return { reply: { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) } };
    }
  }

  return async (request, send) => {
    const budget = new ReadBudget(setup.limits);
    send(await respond(request, budget));
    rowCache?.sweep();
    freeMemory(budget.bytes);
  };
}
