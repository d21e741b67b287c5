/** Runs a write from its plan to its response in one transaction: `execute`, then the response is
 *  read and rendered as for a GET, before another write can change the row. A write whose response
 *  cannot be read is rolled back. */
import { performance } from 'node:perf_hooks';
import type { Limits } from '../../../config/config.ts';
import type { Connection, Database, Stoppable } from '../../../dialects/database.ts';
import type { Dialect, Row } from '../../../dialects/dialect.ts';
import { ApiError, type ApiErrorData } from '../../../errors/api-error.ts';
import type { UrlSigning } from '../../../media/storage/url-signer.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import { recordedConnection } from '../../../observe/request-record.ts';
import { type WaitingTables, waitingTables } from '../../../schedule/waiting-tables.ts';
import { Rows } from '../../../sql/rows.ts';
import { hasTable } from '../../../sql/table-exists.ts';
import { awaitedLinksTable } from '../../../tables/system-tables.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { refusedByColumn } from '../../body/refused-by-column.ts';
import type { WriteRestrictions } from '../../compile/types.ts';
import { ReadBudget } from '../../execute/read-budget.ts';
import { executeWrite, lockDocuments, settled, type WriteExecution } from '../../execute/write/execute-write.ts';
import type { WritePlan } from '../../plan/types.ts';
import { type Rendering, renderingOf } from '../../render/render-read.ts';
import type { Unlisted } from '../../unlisted-components.ts';
import type { Caller } from '../queue/caller.ts';
import type { Timed } from '../queue/work-times.ts';
import { type CachedPlan, prepareRead, type ReadResult, runRead } from '../read/run-read.ts';
import { type Batch, executeAlso, executeBatch, type PlannedAlso, RefusedBatchError, type RefusedOperation } from './execute-batch.ts';
import { checkIdempotencyTable, type IdempotentRequest, storedResponse, storeResponse } from './idempotency-store.ts';
import { retryTransaction } from './retry-transaction.ts';
import { timedBy } from './write-weight.ts';

export interface WriteJob {
  readonly plan: WritePlan;
  readonly restrictions: WriteRestrictions;
  /** Writes of hooks, which happen if this one changes anything. */
  readonly also?: readonly PlannedAlso[] | undefined;
  /** Several writes, of which `plan` is the first. */
  readonly batch?: Batch | undefined;
  /** The plan that reads the response by row id; undefined for a response without a body. */
  readonly read: CachedPlan | undefined;
  readonly status: number;
  readonly idempotent: IdempotentRequest | undefined;
  /** Why hooks refuse the write, unless its `Idempotency-Key` was used before: they may refuse it
   *  because it was done. */
  readonly refused?: ApiErrorData | undefined;
  /** Whether the transaction is rolled back at its end. */
  readonly dryRun?: boolean | undefined;
}

export interface WriteResult {
  readonly status: number;
  readonly body: string | Uint8Array | null;
  readonly version: string | undefined;
  readonly digest: string | undefined;
  /** True for the stored response of an earlier request with the same key. */
  readonly repeated: boolean;
  readonly statements: number;
  /** Includes the time of waiting for other writers. Milliseconds. */
  readonly execute: number;
  readonly render: number;
}

/** The response would have left out components that a wider plan has branches for. Nothing was
 *  written; the job can be repeated with such a plan. */
export interface TooNarrowPlan {
  readonly unlisted: readonly Unlisted[];
}

/** The write was refused inside its transaction. Nothing was written. */
export interface RefusedWrite {
  readonly refused: ApiErrorData;
  /** What was refused of a batch; `refused` is the first. */
  readonly operations?: readonly RefusedOperation[];
  /** Includes the time of waiting for other writers. Milliseconds. */
  readonly execute: number;
}

export interface Writer {
  /** Runs the job, unless its client disconnects before the job begins. */
  write(job: WriteJob, caller: Caller): Promise<WriteResult | TooNarrowPlan | RefusedWrite>;
  close(): Promise<void>;
}

/** Opens a writer on this thread that serves the callers' queues. The opener
 *  of the database closes it. */
export function openWriter(
  database: Database,
  queue: WriteQueue,
  { model, limits, signing }: { readonly model: ContentModel; readonly limits: Limits; readonly signing: UrlSigning | undefined },
): Writer {
  const rendering = renderingOf(limits, signing);
  let isTableChecked = false;
  let hasAwaitedLinks: boolean | undefined;
  let waiting: WaitingTables | undefined;
  return {
    close: async () => undefined,
    async write(job, caller) {
      if (job.idempotent !== undefined && !isTableChecked) {
        isTableChecked = await retryTransaction(database, limits, () => checkIdempotencyTable(database));
      }
      hasAwaitedLinks ??= await retryTransaction(database, limits, () => hasTable(database, awaitedLinksTable));
      waiting ??= await retryTransaction(database, limits, () =>
        database.readAtOnce((connection) => waitingTables(new Rows(connection, database.dialect))),
      );
      const parts = { database, model, limits, rendering, hasAwaitedLinks, waiting };
      try {
        return await queue.run(caller, { timedBy: timedBy(job) }, (stoppable) => {
          const write = () => {
            const started = performance.now();
            if (caller.hasLeft()) throw ApiError.of('request.left', undefined);
            return database.write((connection) => runWrite(job, recordedConnection(connection, caller.record), started, parts), stoppable);
          };
          return retryTransaction(database, limits, write, () => refusedValues(job, database.dialect, model));
        });
      } catch (error) {
        if (error instanceof TooNarrow) return { unlisted: error.unlisted };
        if (error instanceof RefusedWriteError || error instanceof DryRunDone) return error.result;
        throw error;
      }
    },
  };
}

/** Decides when the work of a caller runs. */
export interface WriteQueue {
  run<T>(caller: Caller, timed: Timed, work: (stoppable: Stoppable | undefined) => Promise<T>): Promise<T>;
}

/** Thrown to roll back the transaction. */
class TooNarrow extends Error {
  readonly unlisted: readonly Unlisted[];

  constructor(unlisted: readonly Unlisted[]) {
    super('the response needs a wider plan');
    this.unlisted = unlisted;
  }
}

/** Thrown to roll back the transaction of a refused write. */
class RefusedWriteError extends Error {
  readonly result: RefusedWrite;

  constructor(result: RefusedWrite) {
    super(result.refused.message);
    this.result = result;
  }
}

/** Thrown to roll back the transaction of a dry run, which nothing has refused. */
class DryRunDone extends Error {
  readonly result: WriteResult;

  constructor(result: WriteResult) {
    super('nothing refuses the write');
    this.result = result;
  }
}

interface WriteParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly limits: Limits;
  readonly rendering: Rendering;
  readonly hasAwaitedLinks: boolean;
  readonly waiting: WaitingTables;
}

async function runWrite(job: WriteJob, connection: Connection, started: number, parts: WriteParts): Promise<WriteResult> {
  const counted = new CountedConnection(connection);
  try {
    return await writeAndRead(job, counted, started, parts);
  } catch (error) {
    const execute = performance.now() - started;
    if (error instanceof RefusedBatchError) {
      const { operations } = error;
      const [first] = operations;
      if (first !== undefined) throw new RefusedWriteError({ refused: first.error, operations, execute });
    }
    // An error with a cause is thrown, so that the cause is logged.
    if (!(error instanceof ApiError) || error.cause !== undefined) throw error;
    throw new RefusedWriteError({ refused: error.toData(), execute });
  }
}

async function writeAndRead(
  job: WriteJob,
  counted: CountedConnection,
  started: number,
  { database, model, limits, rendering, hasAwaitedLinks, waiting }: WriteParts,
): Promise<WriteResult> {
  const { dialect } = database;
  const { idempotent, plan, read } = job;
  const readResponse = async (rowId: number): Promise<ReadResult | undefined> => {
    if (read === undefined) return undefined;
    const execution = { connection: counted, budget: new ReadBudget(limits) };
    const response = await runRead(
      prepareRead(read.compiled, rendering),
      { key: rowId, values: [], pagination: { kind: 'none' } },
      execution,
    );
    // No plan has a branch for a component that is not in the model, so a wider plan does not help.
    const unlisted = response.unlisted?.filter(({ component }) => model.components.has(component)) ?? [];
    if (unlisted.length > 0) throw new TooNarrow(unlisted);
    return response;
  };
  // A write that finds nothing to do reports no change later; any table might have changed then.
  counted.changes([], []);
  if (idempotent !== undefined) {
    const stored = await storedResponse(idempotent, plan.now, counted, dialect);
    if (stored !== undefined) {
      const body = stored.rowId === undefined ? stored.body : (await readResponse(stored.rowId))?.body;
      if (body === undefined) throw ApiError.of('idempotency.gone', undefined);
      return { ...withoutResponse(stored.status, body, counted.statements, started), repeated: true };
    }
  }
  if (job.refused !== undefined) throw ApiError.fromData(job.refused);
  const execution = { connection: counted, dialect, model, hasAwaitedLinks, waiting };
  const id = await executeJob(job, execution);
  if (job.dryRun === true) {
    await settled(counted);
    throw new DryRunDone(withoutResponse(200, null, counted.statements, started));
  }
  const executed = performance.now();
  const response = id === undefined ? undefined : await readResponse(id);
  const body = response?.body ?? job.batch?.response ?? null;
  // The write succeeded, but its caller may not read the row.
  const status = read !== undefined && body === null ? 204 : job.status;
  if (idempotent !== undefined)
    await storeResponse(
      { request: idempotent, response: { status, body: body === null ? null : textOfBody(body), rowId: id }, now: plan.now },
      counted,
      dialect,
    );
  return {
    status,
    body,
    version: response?.version,
    digest: response?.digest,
    repeated: false,
    statements: counted.statements,
    execute: executed - started,
    render: performance.now() - executed,
  };
}

/** Returns the row that the response shows, if there is one. */
async function executeJob({ plan, restrictions, also = [], batch }: WriteJob, execution: WriteExecution): Promise<number | undefined> {
  if (batch !== undefined) {
    await executeBatch(batch, plan.now, execution);
    return undefined;
  }
  if (also.length > 0) lockDocuments([plan, ...also.map((each) => each.plan)], execution);
  const { id, hasChanged } = await executeWrite(plan, restrictions, execution);
  if (hasChanged) await executeAlso(also, execution);
  return id;
}

/** The values that a column may have refused. */
function refusedValues({ plan, batch }: WriteJob, dialect: Dialect, model: ContentModel): ApiError {
  const plans = batch?.operations.map((each) => each.plan) ?? [plan];
  const errors = plans.map(({ body }) => refusedByColumn(body, dialect, model));
  return errors.find(({ details }) => details?.errors !== undefined) ?? refusedByColumn(undefined, dialect, model);
}

/** The result of a write whose response is not read. */
const withoutResponse = (status: number, body: WriteResult['body'], statements: number, started: number): WriteResult => ({
  status,
  body,
  version: undefined,
  digest: undefined,
  repeated: false,
  statements,
  execute: performance.now() - started,
  render: 0,
});

class CountedConnection implements Connection {
  statements = 0;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get dialect() {
    return this.#connection.dialect;
  }

  query(text: string, parameters: readonly unknown[]) {
    this.statements++;
    return this.#connection.query(text, parameters);
  }

  send(text: string, parameters: readonly unknown[]) {
    this.statements++;
    this.#connection.send(text, parameters);
  }

  lock(keys: readonly bigint[]) {
    this.statements++;
    this.#connection.lock(keys);
  }

  changes(keys: Iterable<number>, tables: Iterable<string>) {
    this.#connection.changes(keys, tables);
  }

  each(text: string, parameters: readonly unknown[], each: (row: Row) => void) {
    this.statements++;
    return this.#connection.each(text, parameters, each);
  }
}
