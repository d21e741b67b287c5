/** Answers a batch: plans each operation as a write of its own, and runs them in one transaction. */
import { performance } from 'node:perf_hooks';
import { ApiError } from '../../errors/api-error.ts';
import { type ErrorStyle, maxProblems, worded } from '../../errors/error-body.ts';
import type { Locales, LocalesSource } from '../../locales/locales.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { newDocumentId } from '../../text/document-id.ts';
import { isObject, objectAt } from '../../text/json.ts';
import { Turns } from '../../turns.ts';
import type {
  AnswerBatch,
  BatchCall,
  BatchOutcome,
  BeforeWrite,
  Caller,
  HookChanges,
  OperationProblem,
  RefusedOperations,
  WriteCall,
} from '../call.ts';
import { problemsOf } from '../found-problems.ts';
import { isOutdated, isReadable, mostAttempts, toCome, withChanges } from '../hooked-write.ts';
import { type PrepareWriteParts, WritePreparation } from '../prepare-write.ts';
import { renderError } from '../render/render-error.ts';
import type { BatchedPlan } from '../run/write/execute-batch.ts';
import { idempotentRequest } from '../run/write/idempotency-store.ts';
import type { Writer } from '../run/write/run-write.ts';
import { noteRun, type Timings } from '../timings.ts';
import { BatchReferences } from './batch-references.ts';

export interface AnswerBatchParts extends PrepareWriteParts {
  readonly writer: Writer;
  readonly locales: LocalesSource;
  readonly beforeWrite?: BeforeWrite | undefined;
}

export function createAnswerBatch(parts: AnswerBatchParts): AnswerBatch {
  const { model, writer } = parts;
  const { policies, limits } = parts.config;
  const preparation = new WritePreparation(parts);

  /** Undefined if a document has changed since its hooks saw it. */
  async function attempt(call: BatchCall, { operations, documentIds }: Resolved, meanwhile: Meanwhile): Promise<BatchOutcome | undefined> {
    const { caller, locales, timings } = meanwhile;
    const began = performance.now();
    const refused = new Map<number, ApiError>();
    const planned: BatchedPlan[] = [];
    const turns = new Turns();
    let passwords = 0;
    for (const [operation, each] of operations.entries()) {
      await turns.next();
      try {
        if (each instanceof ApiError) throw each;
        const next = { operation, ...(await prepare(each, { caller, locales })) };
        planned.push(next);
        passwords += next.plan.hashes.size;
      } catch (error) {
        if (!(error instanceof ApiError) || error.cause !== undefined || error.status >= 500) throw error;
        refused.set(operation, error);
      }
      // All of them together may cost what one body may.
      if (passwords > limits.passwords) throw ApiError.of('limit.passwords', { limit: limits.passwords });
    }
    timings.push(['prepare', performance.now() - began, began]);
    const [first] = planned;
    if (first !== undefined) {
      const dryRun = call.dryRun || refused.size > 0;
      // A hook may refuse a repeated batch because of what the first one has written.
      const key = call.dryRun ? undefined : call.idempotencyKey;
      const result = await writer.write(
        {
          ...{ plan: first.plan, restrictions: first.restrictions, read: undefined, status: 200, dryRun },
          batch: { operations: withoutFollowers(planned, refused), response: responseOf(documentIds), release: call.release },
          idempotent: key === undefined ? undefined : idempotentRequest(key, caller.key, 'batch', call.body),
        },
        caller,
      );
      if ('unlisted' in result) throw new Error('a batch reads no response');
      if (!('refused' in result)) {
        noteRun(timings, result);
        const { status, body, statements, repeated } = result;
        if (refused.size === 0 || repeated) return { status, body, timings, statements, repeated };
      } else if (result.operations === undefined) throw ApiError.fromData(result.refused);
      else {
        timings.push(['execute', result.execute, performance.now() - result.execute]);
        for (const { operation, error } of result.operations) refused.set(operation, ApiError.fromData(error));
      }
    }
    if ([...refused.values()].some(({ code }) => isOutdated(code))) return undefined;
    const { ignores } = call;
    const counted = ignores === undefined ? refused : new Map([...refused].filter(([, error]) => !ignores(error)));
    return refusal(counted, timings, policies);
  }

  async function prepare(
    { call, documentId, after }: Operation,
    meanwhile: Omit<Meanwhile, 'timings'>,
  ): Promise<Omit<BatchedPlan, 'operation'>> {
    const { caller, locales } = meanwhile;
    const timings: Timings = [];
    const run = call.dryRun === true ? undefined : parts.beforeWrite?.(call.type);
    let changes: HookChanges | undefined;
    let hooked = call;
    if (run !== undefined) {
      const sent = preparation.permit(call, locales, timings);
      if (isReadable(sent)) ({ call: hooked, changes } = withChanges({ call, changes: await run(toCome(call, sent, model), caller) }));
    }
    const { plan, restrictions, refusal } = await preparation.prepare({ call: hooked, changes, caller, locales, timings, documentId });
    const also = changes === undefined ? [] : await preparation.prepareAlso(changes.also, caller, locales);
    return { plan, restrictions, refusal: refusal?.toData(), also, after };
  }

  return async (call, caller) => {
    const timings: Timings = [];
    try {
      const locales = await parts.locales.current(call.dataVersion);
      const resolved = resolve(call, model, parts.beforeWrite);
      for (let left = mostAttempts; left > 0; left--) {
        const outcome = await attempt(call, resolved, { caller, locales, timings });
        if (outcome !== undefined) return outcome;
      }
      throw ApiError.of('hook.outdated');
    } catch (error) {
      if (error instanceof ApiError && error.cause === undefined) return renderError(error, policies, timings);
      throw error;
    }
  };
}

interface Meanwhile {
  readonly caller: Caller;
  readonly locales: Locales;
  readonly timings: Timings;
}

interface Operation {
  readonly call: WriteCall;
  /** The documentId of the document that it makes, if it makes one. */
  readonly documentId: string;
  readonly after: readonly number[];
}

interface Resolved {
  readonly operations: readonly (Operation | ApiError)[];
  readonly documentIds: readonly (string | undefined)[];
}

/** Gives new documents their documentId, and puts it where others name it. */
function resolve(
  { operations: calls, isWithoutReferences = false }: BatchCall,
  model: ContentModel,
  beforeWrite: BeforeWrite | undefined,
): Resolved {
  const documentIds: (string | undefined)[] = [];
  /** Documents of types with hooks that the batch has named. */
  const hooked = new Set<string>();
  const operations = calls.map((call): Operation | ApiError => {
    const made = call instanceof ApiError ? '' : (call.newDocumentId ?? newDocumentId());
    try {
      if (call instanceof ApiError) throw call;
      const { type, body } = call;
      const references = isWithoutReferences ? undefined : new BatchReferences(model, documentIds);
      const documentId = call.documentId && (references?.documentId(call.documentId) ?? call.documentId);
      const data = references && objectAt(isObject(body) ? body : {}, 'data');
      const named = documentId ?? (type.kind === 'singleType' ? undefined : made);
      if (beforeWrite?.(type) !== undefined) {
        const key = `${type.uid} ${named}`;
        // Hooks read what is stored, without what comes before in the batch.
        if (hooked.has(key)) throw ApiError.of('batch.hooked', { uid: type.uid });
        hooked.add(key);
      }
      const resolved = references === undefined || data === undefined ? body : { data: references.inData(data, type) };
      documentIds.push(named);
      return { call: { ...call, documentId, body: resolved }, documentId: made, after: [...(references?.named ?? [])] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Those that name it are left out, instead of being refused for its sake.
      documentIds.push(made);
      return error;
    }
  });
  return { operations, documentIds };
}

/** Without operations that name the document of one that was refused. */
function withoutFollowers(planned: readonly BatchedPlan[], refused: ReadonlyMap<number, ApiError>): readonly BatchedPlan[] {
  const missing = new Set(refused.keys());
  return planned.filter(({ operation, after }) => {
    const follows = after.some((each) => missing.has(each));
    if (follows) missing.add(operation);
    return !follows;
  });
}

const responseOf = (documentIds: readonly (string | undefined)[]): string =>
  JSON.stringify({ data: documentIds.map((documentId) => ({ documentId: documentId ?? null })), meta: {} });

function refusal(refused: ReadonlyMap<number, ApiError>, timings: Timings, policies: ErrorStyle): BatchOutcome {
  const problems = problemsIn(refused, policies);
  const { errors, more } = problems;
  const error = ApiError.of('batch.refused', { count: refused.size }, { errors, ...(more === 0 ? {} : { more }) });
  return { ...renderError(error, policies, timings), refused: problems };
}

function problemsIn(refused: ReadonlyMap<number, ApiError>, policies: ErrorStyle): RefusedOperations {
  let more = 0;
  const all = [...refused]
    .sort(([a], [b]) => a - b)
    .flatMap(([operation, error]): readonly OperationProblem[] => {
      const found = problemsOf(error, policies);
      more += found?.more ?? 0;
      const errors = found?.errors ?? [{ path: [], message: worded(error, policies).message, name: error.errorName }];
      return errors.map((each) => ({ operation, status: error.status, code: error.code, ...each }));
    });
  return { count: refused.size, errors: all.slice(0, maxProblems), more: more + Math.max(0, all.length - maxProblems) };
}
