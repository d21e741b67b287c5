/** The program of a thread that reads an embedded database on one connection. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { openThreadReader } from '../../../dialects/open-for-thread.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { nameSourcesInStacks } from '../../../errors/source-positions.ts';
import { RequestRecord, recordedConnection } from '../../../observe/request-record.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';
import { ReadBudget } from '../../execute/read-budget.ts';
import { renderingOf } from '../../render/render-read.ts';
import { createFreeMemory } from '../threads/free-memory.ts';
import type { ReadMessage, ReadReply, ThreadSetup } from './read-protocol.ts';
import { maxCachedCharacters, maxCachedPlans, type PreparedRead, prepareRead, runRead } from './run-read.ts';

nameSourcesInStacks(import.meta.url);
const port = parentPort;
if (port === null) throw new Error('this module is the program of a thread');
const { database, file, limits, signing, stopped } = workerData as ThreadSetup;
let job = 0;
const reader = openThreadReader(database, file, () => Atomics.load(stopped, 0) === job);
const plans = new LRUCache<number, PreparedRead>({ max: maxCachedPlans, maxSize: maxCachedCharacters });
const rendering = renderingOf(limits, signing);
const freeMemory = createFreeMemory(limits.responseBytes);

async function replyTo({ plan, compiled, size, bindings, wanted }: ReadMessage, budget: ReadBudget): Promise<ReadReply> {
  const sent = compiled && prepareRead(compiled, rendering);
  if (sent !== undefined) plans.set(plan, sent, { size });
  // The cache does not hold a plan that is larger than the whole cache, so a plan that has just
  // been sent is used directly.
  const prepared = sent ?? plans.get(plan);
  if (prepared === undefined) return { kind: 'unknown plan' };
  const record = wanted === 'nothing' ? undefined : new RequestRecord(wanted === 'texts');
  try {
    const result = await reader.snapshot((connection) =>
      runRead(prepared, bindings, { connection: recordedConnection(connection, record), budget }),
    );
    return { kind: 'done', ran: record?.statements, result };
  } catch (error) {
    const expected = apiErrorOf(error, reader.errorKindOf, limits);
    if (expected instanceof ApiError) return { kind: 'refused', error: expected.toData() };
    return { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', async (message: ReadMessage) => {
  const budget = new ReadBudget(limits);
  job = message.job;
  const reply = await replyTo(message, budget);
  // Transferred, not copied.
  const bytes = reply.kind === 'done' ? [reply.result.body?.buffer, reply.result.shown.buffer] : [];
  port.postMessage(
    reply,
    bytes.filter((each) => each !== undefined),
  );
  freeMemory(budget.bytes);
});
port.postMessage({ kind: 'ready' } satisfies ReadReply);
