/** The thread that writes an embedded database: one connection, one transaction at a time. Waiting for the disk holds up this thread alone. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Database } from '../dialects/dialect.ts';
import { openDatabase } from '../dialects/open.ts';
import { ApiError } from '../errors/api-error.ts';
import { type CachedPlan, keptCharacters, keptPlans } from './run-read.ts';
import { openWriter, type Writer } from './run-write.ts';
import type { WriteReply, WriteRequest, WriteSetup } from './write-protocol.ts';

const { database: config, limits, signing, model } = workerData as WriteSetup;
type Opened = { readonly database: Database; readonly writer: Writer };
let opened: Promise<Opened> | undefined;

/** When it fails, the next write tries again. */
function openOnce(): Promise<Opened> {
  opened ??= openDatabase(config, { create: false, statementTime: limits.statementTime }).then(
    (database) => ({ database, writer: openWriter(database, model, limits, signing) }),
    (error: unknown) => {
      opened = undefined;
      throw error;
    },
  );
  return opened;
}

const plans = new LRUCache<number, CachedPlan>({ max: keptPlans, maxSize: keptCharacters });
const text = new TextEncoder();

function planOf(read: Extract<WriteRequest, { kind: 'write' }>['read']): CachedPlan | undefined {
  if (read === undefined) return undefined;
  const { id, size, compiled } = read;
  if (compiled === undefined) return plans.get(id);
  const plan = { id, size, compiled };
  plans.set(id, plan, { size });
  return plan;
}

async function reply({ turn, job, read }: Extract<WriteRequest, { kind: 'write' }>): Promise<WriteReply> {
  const plan = planOf(read);
  if (read !== undefined && plan === undefined) return { kind: 'unknown plan', turn };
  try {
    const { writer } = await openOnce();
    const result = await writer.write({ ...job, read: plan }, () => false);
    if ('unlisted' in result || typeof result.body !== 'string') return { kind: 'done', turn, result };
    return { kind: 'done', turn, result: { ...result, body: text.encode(result.body) } };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'refused', turn, error: error.toData() };
    return { kind: 'failed', turn, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', async (request: WriteRequest) => {
  if (request.kind === 'close') {
    const open = await opened?.catch(() => undefined);
    await open?.database.close();
    parentPort?.postMessage({ kind: 'closed' } satisfies WriteReply);
    return;
  }
  const answer = await reply(request);
  const bytes = answer.kind === 'done' && 'body' in answer.result ? answer.result.body : null;
  parentPort?.postMessage(answer, bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : []);
});
