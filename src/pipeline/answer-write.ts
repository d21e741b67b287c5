/** Answers a write: runs the stages in order. Their names appear in `Server-Timing`. */
import { ApiError } from '../errors/api-error.ts';
import type { Locales, LocalesSource } from '../locales/locales.ts';
import type { Figures } from '../observe/figures.ts';
import type { PermittedWrite } from './authorise/types.ts';
import type { AnswerWrite, BeforeWrite, Caller, HookChanges, WriteAction, WriteCall, WriteOutcome } from './call.ts';
import { compileRead } from './compile/compile-read.ts';
import { noProblems, problemsOf } from './found-problems.ts';
import { isOutdated, withChanges, writeWithHooks } from './hooked-write.ts';
import { fixedFit } from './parse/plan-parameters.ts';
import { unshapedQuery } from './parse/query-shape.ts';
import { planRead } from './plan/plan-read.ts';
import { PlanCache, type PlannedRead } from './plan-cache.ts';
import { type Meanwhile, type PrepareWriteParts, WritePreparation } from './prepare-write.ts';
import { renderError } from './render/render-error.ts';
import { lookUpRefusal } from './run/look-up-refusal.ts';
import type { CachedPlan } from './run/read/run-read.ts';
import { idempotentRequest } from './run/write/idempotency-store.ts';
import type { Writer } from './run/write/run-write.ts';
import { weightOf } from './run/write/write-weight.ts';
import { noteRun, type Timings, timed } from './timings.ts';

export interface AnswerWriteParts extends PrepareWriteParts {
  readonly writer: Writer;
  readonly figures: Figures;
  readonly locales: LocalesSource;
  /** Undefined for a project without hooks. */
  readonly beforeWrite?: BeforeWrite | undefined;
}

const statusOf: Readonly<Record<WriteAction, number>> = {
  create: 201,
  update: 200,
  delete: 204,
  publish: 200,
  unpublish: 204,
  discardDraft: 200,
};
const withoutBody: ReadonlySet<WriteAction> = new Set<WriteAction>(['delete', 'unpublish']);

/** The size of the cache of plans that read the response. */
const cacheSize = { plans: 500, characters: 4_000_000 };

/** Makes the function that answers writes. Expected failures become error bodies; others throw. */
export function createAnswerWrite(parts: AnswerWriteParts): AnswerWrite {
  const { config, model, database, writer, unlisted } = parts;
  const plans = new PlanCache(cacheSize, unlisted);
  parts.figures.caches.set('write plans', () => plans.figures());
  const preparation = new WritePreparation(parts);

  function compile({ response }: PermittedWrite, timings: Timings): PlannedRead {
    const { dialect } = database;
    const { status } = response;
    const compiled = timed(timings, 'compile', () =>
      compileRead(planRead(response, config.policies), { dialect, status, withIsUrlSigned: false, rowLimit: config.limits.rows }),
    );
    return { compiled, fit: fixedFit(response.pagination) };
  }

  /** The outcome of a refused write. */
  function refuse({ dryRun }: WriteCall, error: ApiError, timings: Timings): WriteOutcome {
    const problems = dryRun === true ? problemsOf(error, config.policies) : undefined;
    return problems === undefined
      ? renderError(error, config.policies, timings)
      : { status: 200, body: null, timings, statements: 0, problems };
  }

  /** Returns undefined if the document has changed since its hooks saw it. */
  async function write({ sent, made, refused, caller, locales, timings }: ToWrite): Promise<WriteOutcome | undefined> {
    const { call, changes } = withChanges({ call: sent, changes: made });
    const { permitted, plan, refusal, restrictions } = await preparation.prepare({ call, changes, caller, locales, timings });
    const also = made === undefined || made.also.length === 0 ? undefined : await preparation.prepareAlso(made.also, caller, locales);
    // A large write goes to the writer, which can stop its statements. With an `Idempotency-Key`,
    // the transaction must first check whether the key was used for another body.
    const isSmall = weightOf(plan) === 1 && call.idempotencyKey === undefined;
    if (refusal !== undefined && (isSmall || plan.body === undefined)) {
      const { limits } = config;
      const { error, milliseconds } = await lookUpRefusal({ plan, refusal }, restrictions, { database, model, limits });
      timings.push(['look-up', milliseconds, performance.now() - milliseconds]);
      if (isOutdated(error.code)) return undefined;
      return refuse(call, error, timings);
    }
    const idempotent =
      call.idempotencyKey === undefined ? undefined : idempotentRequest(call.idempotencyKey, caller.key, scopeOf(sent), sent.body);
    const run = async (read: CachedPlan | undefined) => {
      const { action, dryRun } = call;
      const job = { plan, restrictions, also, read, status: statusOf[action], idempotent, refused: refused?.toData(), dryRun };
      const result = await writer.write(job, caller);
      return 'unlisted' in result ? { unlisted: result.unlisted, written: undefined } : { unlisted: undefined, written: result };
    };
    const { written } =
      call.dryRun === true || withoutBody.has(call.action)
        ? await run(undefined)
        : await plans.run({
            key: planKeyOf(call, permitted, locales),
            query: unshapedQuery(call.query),
            user: call.actor.rights.user,
            compile: (wider) => compile(wider ? preparation.permit(call, locales, timings) : permitted, timings),
            run,
          });
    if (written === undefined) throw new Error('a write has met a component that no plan can have a branch for');
    if ('refused' in written) {
      if (isOutdated(written.refused.code)) return undefined;
      timings.push(['execute', written.execute, performance.now() - written.execute]);
      // Without the number of statements: it would tell a hidden row from a missing one.
      return refuse(call, ApiError.fromData(written.refused), timings);
    }
    noteRun(timings, written);
    const { status, body, version, digest, statements, repeated } = written;
    if (call.dryRun === true) return { status, body, timings, statements, problems: noProblems };
    return { status, body, timings, statements, version, digest, repeated };
  }

  return async (call: WriteCall, caller: Caller): Promise<WriteOutcome> => {
    const timings: Timings = [];
    try {
      const located = parts.locales.current(call.dataVersion);
      const locales = located instanceof Promise ? await located : located;
      const toWrite = { sent: call, made: undefined, refused: undefined, caller, locales, timings };
      const run = call.dryRun === true ? undefined : parts.beforeWrite?.(call.type);
      if (run !== undefined) {
        const writeAs = (made: HookChanges | undefined, refused?: ApiError) => write({ ...toWrite, made, refused });
        return await writeWithHooks(run, {
          call,
          sent: preparation.permit(call, locales, timings),
          model,
          caller,
          timings,
          write: writeAs,
        });
      }
      const outcome = await write(toWrite);
      if (outcome === undefined) throw new Error('a write without hooks was outdated');
      return outcome;
    } catch (error) {
      // An error with a cause is thrown, so that http logs the cause.
      if (error instanceof ApiError && error.cause === undefined) return refuse(call, error, timings);
      throw error;
    }
  };
}

interface ToWrite extends Meanwhile {
  readonly sent: WriteCall;
  readonly made: HookChanges | undefined;
  /** Why the hooks refuse the write. */
  readonly refused: ApiError | undefined;
}

/** Returns the cache key of the plan that reads the response, without its query. */
const planKeyOf = ({ type, action, envelope, actor, restriction }: WriteCall, { response }: PermittedWrite, locales: Locales): string =>
  [type.uid, action, response.status, envelope, actor.rights.key, restriction?.key, locales.key].join('\n');

/** Returns the scope of an `Idempotency-Key`: a key applies to one caller and one path. */
const scopeOf = ({ type, action, query, envelope }: WriteCall): string => [type.uid, action, query, envelope].join('\n');
