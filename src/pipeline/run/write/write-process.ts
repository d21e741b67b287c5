/** The program of the process that writes an embedded database: one connection, one transaction at
 *  a time. Waiting for the disk delays this process only. The server stops a long write by killing
 *  the process; the engine then rolls back the open transaction. */
import { LRUCache } from 'lru-cache';
import type { Stoppable } from '../../../dialects/dialect.ts';
import { openProcessWriter } from '../../../dialects/open-for-process.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { nameSourcesInStacks } from '../../../errors/source-positions.ts';
import { RequestRecord } from '../../../observe/request-record.ts';
import { ProcessChannelChild } from '../processes/process-channel-child.ts';
import type { Caller } from '../queue/caller.ts';
import { type CachedPlan, maxCachedCharacters, maxCachedPlans } from '../read/run-read.ts';
import { openWriter } from './run-write.ts';
import type { SentWrite, WriteMessage, WriteReply, WriteSetup } from './write-protocol.ts';

nameSourcesInStacks(import.meta.url);
const server = new ProcessChannelChild();
const { database: config, limits, signing, model } = server.receive() as WriteSetup;
const report = (reply: WriteReply) => server.send(reply);
const database = openProcessWriter(config, {
  create: false,
  statementTime: limits.statementTime,
  committed: (_, commit) => commit !== undefined && report({ kind: 'committed', commit }),
});
const plans = new LRUCache<number, CachedPlan>({ max: maxCachedPlans, maxSize: maxCachedCharacters });

interface StoppableJob extends Stoppable {
  readonly jobId: number;
}
/** Reports when the work of each write begins and ends. A retried write is reported twice. */
const reportedWrite: typeof database.write = (work, stoppable) =>
  database.write(async (connection) => {
    const { jobId } = stoppable as StoppableJob;
    report({ kind: 'begun', jobId });
    try {
      return await work(connection);
    } finally {
      report({ kind: 'written', jobId });
    }
  });
const queue = {
  run: <T>({ key }: Caller, _: object, work: (job: StoppableJob) => Promise<T>) => work({ jobId: Number(key), stop: undefined }),
};
const writer = openWriter({ ...database, write: reportedWrite }, queue, { model, limits, signing });

function planOf(read: SentWrite['read']): CachedPlan | undefined {
  if (read === undefined) return undefined;
  const { id, size, compiled } = read;
  if (compiled === undefined) return plans.get(id);
  const plan = { id, size, compiled };
  plans.set(id, plan, { size });
  return plan;
}

async function write({ jobId, job, read, wanted }: SentWrite): Promise<void> {
  const record = wanted === 'nothing' ? undefined : new RequestRecord(wanted === 'texts');
  const plan = planOf(read);
  if (read !== undefined && plan === undefined) return report({ kind: 'unknown plan', jobId });
  try {
    const result = await writer.write({ ...job, read: plan }, { key: String(jobId), hasLeft: () => false, record });
    const ran = record?.statements;
    if (!('body' in result) || result.body === null) return report({ kind: 'done', jobId, result, ran, hasBody: false });
    server.send({ kind: 'done', jobId, result: { ...result, body: null }, ran, hasBody: true } satisfies WriteReply, result.body);
  } catch (error) {
    if (error instanceof ApiError) report({ kind: 'refused', jobId, error: error.toData() });
    else report({ kind: 'failed', jobId, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

report({ kind: 'ready' });
for (;;) {
  const message = server.receive() as WriteMessage;
  if (message === 'state') report({ kind: 'state', state: database.writer?.state() });
  else {
    await Promise.all(message.map(write));
    // All responses are on their way.
    await database.renewStatistics();
  }
}
