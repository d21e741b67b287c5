/** A process that reads an embedded database: one connection, and the plans that it was sent. A statement that takes long holds up this process
 *  and no other request, and whoever has waited enough kills it. */
import { LRUCache } from 'lru-cache';
import { openThreadReader } from '../../dialects/open-reader.ts';
import { ApiError } from '../../errors/api-error.ts';
import { apiErrorOf } from '../execute/database-errors.ts';
import { ListMemo } from '../execute/list-memo.ts';
import { ReadBudget } from '../execute/read-budget.ts';
import { renderingOf } from '../render/render-read.ts';
import { createFreeMemory } from './free-memory.ts';
import { ProcessEnd } from './process-end.ts';
import type { ReadReply, ReadRequest, ReadSetup } from './read-protocol.ts';
import { keptCharacters, keptPlans, type PreparedRead, prepareRead, runRead } from './run-read.ts';

const server = new ProcessEnd();
const setup = server.receive() as ReadSetup;
const reader = openThreadReader(setup.database);
const memo = new ListMemo(reader.version);
const plans = new LRUCache<number, PreparedRead>({ max: keptPlans, maxSize: keptCharacters });
const rendering = renderingOf(setup.limits, setup.signing);
const freeMemory = createFreeMemory(setup.limits.responseBytes);

async function answer(
  request: ReadRequest,
  budget: ReadBudget,
): Promise<{ readonly reply: ReadReply; readonly body?: string | undefined }> {
  const sent = request.compiled && prepareRead(request.compiled, rendering);
  if (sent !== undefined) plans.set(request.plan, sent, { size: request.size });
  // Not only from the cache, which does not keep a plan that is larger than all of it.
  const prepared = sent ?? plans.get(request.plan);
  if (prepared === undefined) return { reply: { kind: 'unknown plan' } };
  try {
    const { body, ...figures } = await reader.snapshot((connection) =>
      runRead(prepared, request.key, { connection, bindIds: reader.dialect.bindIds, memo, budget }),
    );
    return { reply: { kind: 'done', found: body !== undefined, ...figures }, body };
  } catch (error) {
    const expected = apiErrorOf(error, reader.errorKindOf, setup.limits);
    if (expected instanceof ApiError) return { reply: { kind: 'refused', error: expected.toData() } };
    return { reply: { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) } };
  }
}

server.send({ kind: 'ready' } satisfies ReadReply);
for (;;) {
  const request = server.receive() as ReadRequest;
  const budget = new ReadBudget(setup.limits);
  const { reply, body } = await answer(request, budget);
  server.post(reply, body);
  freeMemory(budget.bytes);
}
