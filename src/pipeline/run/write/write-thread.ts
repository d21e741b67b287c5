/** The program of the thread that writes an embedded database: one connection, one transaction at
 *  a time. Waiting for the disk delays this thread only. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Stoppable } from '../../../dialects/database.ts';
import { openThreadWriter } from '../../../dialects/open-for-thread.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { nameSourcesInStacks } from '../../../errors/source-positions.ts';
import { RequestRecord } from '../../../observe/request-record.ts';
import type { Caller } from '../queue/caller.ts';
import { type CachedPlan, maxCachedCharacters, maxCachedPlans } from '../read/run-read.ts';
import { openWriter } from './run-write.ts';
import { type JobReply, type SentWrite, sharedPlace, type WriteMessage, type WriteReply, type WriteSetup } from './write-protocol.ts';

nameSourcesInStacks(import.meta.url);
const port = parentPort;
if (port === null) throw new Error('this module is the program of a thread');
const { database: config, limits, signing, model, shared } = workerData as WriteSetup;
const report = (reply: WriteReply) => port.postMessage(reply);
const lastStopped = () => Atomics.load(shared, sharedPlace.stopped);
const isStopped = () => {
  const running = Atomics.load(shared, sharedPlace.running);
  return running !== 0 && running === lastStopped();
};
const database = openThreadWriter(config, {
  create: false,
  committed: (_, commit) => commit !== undefined && report({ kind: 'committed', commit }),
  isStopped,
});
const plans = new LRUCache<number, CachedPlan>({ max: maxCachedPlans, maxSize: maxCachedCharacters });

/** A write, as its own caller and as what can be stopped. */
interface RunningWrite extends Caller, Stoppable {
  readonly jobId: number;
  /** The first of the writes that were sent together. */
  readonly firstJobId: number;
  /** Milliseconds, in the last transaction. */
  took: number;
}
/** Thrown by a write before it does anything. */
class NotBegun extends Error {}

/** Whether a write was stopped that was sent together with this one: others have waited for long
 *  enough. */
const isTooLate = ({ jobId, firstJobId }: RunningWrite) => {
  const stopped = lastStopped();
  return stopped >= firstJobId && stopped < jobId;
};

/** Says in shared memory which write runs. */
const watchedWrite: typeof database.write = (work, stoppable) =>
  database.write(async (connection) => {
    const running = stoppable as RunningWrite;
    if (isTooLate(running)) throw new NotBegun();
    const started = performance.now();
    Atomics.store(shared, sharedPlace.running, running.jobId);
    try {
      return await work(connection);
    } finally {
      Atomics.store(shared, sharedPlace.running, 0);
      running.took = performance.now() - started;
    }
  });

const queue = { run: <T>(caller: Caller, _: object, work: (write: Stoppable) => Promise<T>) => work(caller as RunningWrite) };
const writer = openWriter({ ...database, write: watchedWrite }, queue, { model, limits, signing });

function planOf(read: SentWrite['read']): CachedPlan | undefined {
  if (read === undefined) return undefined;
  const { id, size, compiled } = read;
  if (compiled === undefined) return plans.get(id);
  const plan = { id, size, compiled };
  plans.set(id, plan, { size });
  return plan;
}

async function replyTo({ jobId, job, read, wanted }: SentWrite, firstJobId: number): Promise<JobReply> {
  const record = wanted === 'nothing' ? undefined : new RequestRecord(wanted === 'texts');
  const plan = planOf(read);
  if (read !== undefined && plan === undefined) return { kind: 'not begun', jobId };
  const running: RunningWrite = { jobId, firstJobId, took: 0, key: '', hasLeft: () => false, record, stop: undefined };
  try {
    const result = await writer.write({ ...job, read: plan }, running);
    return { kind: 'done', jobId, took: running.took, result, ran: record?.statements };
  } catch (error) {
    if (error instanceof NotBegun) return { kind: 'not begun', jobId };
    if (error instanceof ApiError) return { kind: 'refused', jobId, took: running.took, error: error.toData() };
    return { kind: 'failed', jobId, took: running.took, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function handle(message: WriteMessage): Promise<void> {
  if (message === 'state') return report({ kind: 'state', state: database.writer?.state() });
  const [{ jobId: first } = { jobId: 0 }] = message;
  await Promise.all(message.map(async (write) => report(await replyTo(write, first))));
  await database.renewStatistics();
}

/** One after another: the connection says nothing of use in the middle of a transaction. */
let last = Promise.resolve();
port.on('message', (message: WriteMessage) => {
  last = last.then(() => handle(message));
});
report({ kind: 'ready' });
