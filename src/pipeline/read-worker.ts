/** A thread that reads an embedded database: one connection, and the plans that it was sent. A statement that takes long holds up this
 *  thread and no other request. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { openThreadReader } from '../dialects/open-thread-reader.ts';
import { ApiError } from '../errors/api-error.ts';
import { apiErrorOf } from './execute/faults.ts';
import { ListMemo } from './execute/list-memo.ts';
import { ReadBudget } from './execute/read-budget.ts';
import { createFreeMemory } from './free-memory.ts';
import { renderingOf } from './render/render-read.ts';
import { keptCharacters, keptPlans, type PreparedRead, prepareRead, runRead } from './run-read.ts';
import { placeState, type WorkerReply, type WorkerRequest, type WorkerSetup } from './worker-protocol.ts';

const setup = workerData as WorkerSetup;
const reader = openThreadReader(setup.database);
const memo = new ListMemo(reader.version);
const plans = new LRUCache<number, PreparedRead>({ max: keptPlans, maxSize: keptCharacters });
const rendering = renderingOf(setup.limits, setup.signing);
const text = new TextEncoder();
const freeMemory = createFreeMemory(setup.limits.responseBytes);

async function reply(request: WorkerRequest, budget: ReadBudget): Promise<WorkerReply> {
  // Kept even when the job has gone to another thread: the plan will not be sent again.
  const sent = request.compiled && prepareRead(request.compiled, rendering);
  if (sent !== undefined) plans.set(request.plan, sent, { size: request.size });
  if (Atomics.compareExchange(setup.places, request.place, placeState.queued, placeState.running) !== placeState.queued) {
    return { kind: 'withdrawn', place: request.place };
  }
  // Not only from the cache, which does not keep a plan that is larger than all of it.
  const prepared = sent ?? plans.get(request.plan);
  if (prepared === undefined) return { kind: 'unknown plan', place: request.place };
  try {
    const { body, ...figures } = await reader.snapshot((connection) =>
      runRead(prepared, request.key, { connection, bindIds: reader.dialect.bindIds, memo, budget }),
    );
    return { kind: 'done', place: request.place, body: body === undefined ? undefined : text.encode(body), ...figures };
  } catch (error) {
    const expected = apiErrorOf(error, reader.faultOf, setup.limits);
    if (expected instanceof ApiError) return { kind: 'refused', place: request.place, error: expected.toData() };
    return { kind: 'failed', place: request.place, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const send = (answer: WorkerReply) =>
  parentPort?.postMessage(answer, answer.kind === 'done' && answer.body !== undefined ? [answer.body.buffer as ArrayBuffer] : []);

parentPort?.on('message', async (request: WorkerRequest) => {
  const budget = new ReadBudget(setup.limits);
  send(await reply(request, budget));
  freeMemory(budget.bytes);
});
parentPort?.postMessage({ kind: 'ready' } satisfies WorkerReply);
