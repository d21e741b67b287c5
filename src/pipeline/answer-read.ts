/** Answers a read: runs the stages in order. Their names appear in `Server-Timing`. */
import { ApiError } from '../errors/api-error.ts';
import type { RecordedShape } from '../indexes/recorded-shape.ts';
import type { Locales, LocalesSource } from '../locales/locales.ts';
import { signingWindow, type UrlSigning, urlSigning } from '../media/storage/url-signer.ts';
import type { Figures } from '../observe/figures.ts';
import type { AnswerRead, Caller, Outcome, ReadCall } from './call.ts';
import { type CompileParts, createCompileCall } from './compile-call.ts';
import { dependsOn } from './execute/depends-on.ts';
import { explainRead } from './execute/explain-read.ts';
import { totalKey } from './execute/total-key.ts';
import { totalToUse } from './execute/total-of-page.ts';
import type { GivenBindings } from './parse/given-values.ts';
import { shapeOf } from './parse/query-shape.ts';
import { pathKey } from './path-key.ts';
import { PlanCache } from './plan-cache.ts';
import { renderError } from './render/render-error.ts';
import type { ResponseCache } from './response-cache.ts';
import type { ReplicaReads } from './run/read/replica-reads.ts';
import type { CachedPlan, Reader, ReadResult } from './run/read/run-read.ts';
import { shapesToRecord } from './shapes-to-record.ts';
import { noteRun, type Timings } from './timings.ts';

export interface AnswerParts extends CompileParts {
  readonly reader: Reader;
  readonly replicas: ReplicaReads | undefined;
  readonly locales: LocalesSource;
  /** Undefined if the cache is off. */
  readonly responses: ResponseCache | undefined;
  readonly figures: Figures;
  /** Takes the shapes of each new plan. */
  readonly shapeRecord: { note(shapes: readonly RecordedShape[]): void };
}

const cacheSize = { plans: 2000, characters: 16_000_000 };

/** Makes the function that answers reads. Expected failures become their error
 *  bodies; anything else is thrown. */
export function createAnswerRead(parts: AnswerParts): AnswerRead {
  const { config, database, reader, replicas, unlisted } = parts;
  const plans = new PlanCache(cacheSize, unlisted);
  parts.figures.caches.set('plans', () => plans.figures());
  const compile = createCompileCall(parts);
  const cache = parts.responses;
  if (cache !== undefined) parts.figures.caches.set('responses', () => cache.figures());
  const signing = urlSigning(config);

  return async (call: ReadCall, caller: Caller): Promise<Outcome> => {
    const timings: Timings = [];
    let statements = 0;
    try {
      const responses = call.isAfterWrite ? undefined : cache;
      const pending = call.dataVersion ?? responses?.version();
      const version = pending instanceof Promise ? await pending : pending;
      const located = parts.locales.current(version);
      const locales = located instanceof Promise ? await located : located;
      const key = keyOf(call, locales);
      const responseKey = responseKeyOf(call, key, windowOf(signing));
      const cached = responses?.get(responseKey, version);
      if (cached !== undefined) return cached;
      const reading = responses?.begin();
      let keys: Uint32Array | undefined;
      let replica: number | undefined;
      const run = async (plan: CachedPlan, bindings: GivenBindings) => {
        const listed = { key: pathKey(call), ...bindings };
        const { onReplica } = call;
        // A replica may be older than the total. Without a version, the total would make the response
        // older than it may be.
        const isUsable = responses !== undefined && version !== undefined && onReplica === undefined;
        const { total } = plan.compiled;
        const counted = isUsable && total !== undefined ? { ...total, key: totalKey(total, listed) } : undefined;
        const known = counted && responses?.total(counted.key, version);
        const bound = { ...listed, total: counted && known && totalToUse(counted, listed.pagination, known) };
        if (caller.record !== undefined)
          caller.record.explain = () => database.read((connection) => explainRead(plan.compiled, bound, connection));
        const asked = performance.now();
        const elsewhere = onReplica === undefined ? undefined : await replicas?.read(plan, bound, caller, onReplica.after);
        replica = elsewhere?.replica;
        const result = elsewhere?.result ?? (await reader.read(plan, bound, caller));
        keys = dependsOn(plan.compiled.dependencies, bound, result.shown);
        if (counted !== undefined && known === undefined && result.total !== undefined && reading !== undefined)
          responses?.addTotal(counted.key, result.total, { keys: counted.keys, reading, version });
        noteRun(timings, result);
        if (caller.record !== undefined) caller.record.wait = waitOf(asked, result);
        statements += result.statements;
        return result;
      };
      const query = shapeOf(call.query, config.limits);
      const result = await plans.run({
        key,
        query,
        user: call.actor.rights.user,
        compile: () => {
          const { planned, plan } = compile({ call, query, locales }, timings);
          parts.shapeRecord.note(shapesToRecord(plan));
          return planned;
        },
        run,
      });
      const { body, version: rowVersion, digest } = result;
      if (body === undefined) throw ApiError.of('document.not-found');
      // Without a cache it is neither a hit nor a miss.
      const isCached = responses === undefined ? {} : { isCached: false };
      // A replica may lack what this server has written.
      if (reading !== undefined && keys !== undefined && replica === undefined)
        responses?.add(responseKey, { status: 200, body, version: rowVersion, digest }, { keys, reading, version });
      return { ...isCached, status: 200, body, timings, statements, version: rowVersion, digest, replica };
    } catch (error) {
      // An error with a cause is thrown, so that http logs the cause.
      if (error instanceof ApiError && error.cause === undefined) return renderError(error, config.policies, timings, statements);
      throw error;
    }
  };
}

/** Returns the cache key of a plan without its query. A plan depends only on the type, the kind of
 *  target, the rights and their restriction, the locales, and the query. */
function keyOf(call: ReadCall, locales: Locales): string {
  const { type, target, envelope, withIsUrlSigned = false, actor, restriction } = call;
  return [type.uid, target.kind, envelope, withIsUrlSigned, actor.rights.planKey, restriction?.planKey, locales.key].join('\n');
}

/** Returns the cache key of a response: the key of its plan, the rights with the caller's values,
 *  the query, the document in the path and, where URLs are signed, the time for which all
 *  signatures are equal. Everything else that a response depends on is data or configuration. The
 *  document comes last: only its text may have line breaks. */
function responseKeyOf({ target, query, actor, restriction }: ReadCall, planKey: string, window: number | ''): string {
  const key = [planKey, actor.rights.key, restriction?.key, query, window].join('\n');
  return target.kind === 'one' ? `${key}\n${target.by}\n${target.key}` : key;
}

/** The time of a read beyond its stages, with the way to a reading thread and back. */
const waitOf = (at: number, { execute, render }: Pick<ReadResult, 'execute' | 'render'>) => ({
  milliseconds: Math.max(0, performance.now() - at - execute - render),
  at,
});

const windowOf = (signing: UrlSigning | undefined) => (signing === undefined ? '' : signingWindow(Date.now(), signing.signedFor));
