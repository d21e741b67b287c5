/** The program of the process that writes an embedded database: one connection, one transaction at a time. Waiting for the disk delays this process
 *  only. The server stops a long write by killing the process; the engine then rolls back the open transaction. */
import { LRUCache } from 'lru-cache';
import type { Stoppable } from '../../../dialects/dialect.ts';
import { openDatabase } from '../../../dialects/open-database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { ProcessEnd } from '../processes/process-channel-child.ts';
import type { Caller } from '../queue/caller.ts';
import { type CachedPlan, keptCharacters, keptPlans } from '../read/run-read.ts';
import { openWriter } from './run-write.ts';
import type { SentWrite, WriteReply, WriteRequest, WriteSetup } from './write-protocol.ts';

const server = new ProcessEnd();
const { database: config, limits, signing, model } = server.receive() as WriteSetup;
const report = (reply: WriteReply) => server.send(reply);
const database = await openDatabase(config, {
  create: false,
  statementTime: limits.statementTime,
  committed: () => report({ kind: 'committed' }),
});
const plans = new LRUCache<number, CachedPlan>({ max: keptPlans, maxSize: keptCharacters });

interface Turn extends Stoppable {
  readonly turn: number;
}
/** Reports when the work of each write begins and ends. A retried write is reported twice. */
const reportedWrite: typeof database.write = (work, stoppable) =>
  database.write(async (connection) => {
    const { turn } = stoppable as Turn;
    report({ kind: 'begun', turn });
    try {
      return await work(connection);
    } finally {
      report({ kind: 'written', turn });
    }
  });
const turns = { run: <T>({ key }: Caller, _: object, work: (turn: Turn) => Promise<T>) => work({ turn: Number(key), stop: undefined }) };
const writer = openWriter({ ...database, write: reportedWrite }, turns, model, limits, signing);

function planOf(read: SentWrite['read']): CachedPlan | undefined {
  if (read === undefined) return undefined;
  const { id, size, compiled } = read;
  if (compiled === undefined) return plans.get(id);
  const plan = { id, size, compiled };
  plans.set(id, plan, { size });
  return plan;
}

async function write({ turn, job, read }: SentWrite): Promise<void> {
  const plan = planOf(read);
  if (read !== undefined && plan === undefined) return report({ kind: 'unknown plan', turn });
  try {
    const result = await writer.write({ ...job, read: plan }, { key: String(turn), hasLeft: () => false });
    if (!('body' in result) || result.body === null) return report({ kind: 'done', turn, result, hasBody: false });
    server.send({ kind: 'done', turn, result: { ...result, body: null }, hasBody: true } satisfies WriteReply, result.body);
  } catch (error) {
    if (error instanceof ApiError) report({ kind: 'refused', turn, error: error.toData() });
    else report({ kind: 'failed', turn, stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

report({ kind: 'ready' });
for (;;) await Promise.all((server.receive() as WriteRequest).map(write));
