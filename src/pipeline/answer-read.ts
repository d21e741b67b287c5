/** Answers a read: runs the stages in order. Their names appear in `Server-Timing`. */
import type { DataVersion } from '../dialects/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RecordedShape } from '../indexes/recorded-shape.ts';
import type { Locales, LocalesSource } from '../locales/locales.ts';
import { signingWindow, type UrlSigning, urlSigning } from '../media/storage/url-signer.ts';
import type { ContentType } from '../model/content-model.ts';
import type { Figures } from '../observe/figures.ts';
import type { SearchStates } from '../search/search-store.ts';
import type { AnswerRead, Caller, Outcome, ReadCall, ReadTarget } from './call.ts';
import type { Bindings } from './compile/types.ts';
import { type CompileParts, createCompileCall } from './compile-call.ts';
import { dependsOn, totalKey } from './execute/bound-values.ts';
import { explainRead } from './execute/explain-read.ts';
import type { ParameterBindings } from './parse/plan-parameters.ts';
import { shapeOf } from './parse/query-shape.ts';
import { pathKey } from './path-key.ts';
import { PlanCache } from './plan-cache.ts';
import { renderError } from './render/render-error.ts';
import type { Reading, ResponseCache } from './response-cache.ts';
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
  /** The states of full-text indexes; undefined if no type has one. */
  readonly searchStates?: SearchStates | undefined;
  readonly shapeRecord: { note(shapes: readonly RecordedShape[]): void };
}

const cacheSize = { plans: 2000, characters: 16_000_000 };

/** A read that no cached response answers. */
interface Miss {
  readonly call: ReadCall;
  readonly caller: Caller;
  /** Where its result is cached; undefined if it must not be. */
  readonly responses: ResponseCache | undefined;
  /** Set with `responses`. */
  readonly reading: Reading | undefined;
  readonly version: DataVersion | undefined;
}

type Run = ReadResult & {
  /** The keys of everything that the response depends on. */
  readonly keys: Uint32Array;
  readonly replica: number | undefined;
};

/** Makes the function that answers reads: `parse … compile`, or a cached plan (`plans`), then
 *  `execute` and `render` (`run`). Around them is the cache of responses. Expected failures become
 *  their error bodies; anything else is thrown. */
export function createAnswerRead(parts: AnswerParts): AnswerRead {
  const { config, unlisted } = parts;
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
      if (parts.searchStates !== undefined && mentionsSearch(call.query)) await checkIndex(call.type, parts.searchStates);
      // The caller's write may have been on another server.
      const isExact = caller.isCurrent === true || call.onReplica?.after !== undefined;
      const responses = call.isAfterWrite || (isExact && cache?.isExact === false) ? undefined : cache;
      const pending = responses === undefined ? call.dataVersion : responses.version(call.dataVersion);
      const version = pending instanceof Promise ? await pending : pending;
      const located = parts.locales.current(call.dataVersion ?? version);
      const locales = located instanceof Promise ? await located : located;
      const key = keyOf(call, locales);
      const responseKey = responseKeyOf(call, key, windowOf(signing));
      const cached = responses?.get(responseKey, version);
      if (cached !== undefined) return cached;
      const reading = responses?.begin();
      const query = shapeOf(call.query, config.limits);
      const {
        body,
        version: rowVersion,
        digest,
        keys,
        replica,
      } = await plans.run({
        key,
        query,
        user: call.actor.rights.user,
        compile: () => {
          const { planned, plan } = compile({ call, query, locales }, timings);
          parts.shapeRecord.note(shapesToRecord(plan));
          return planned;
        },
        run: async (plan, bindings) => {
          const result = await run(plan, bindings, { call, caller, responses, reading, version }, parts);
          noteRun(timings, result);
          statements += result.statements;
          return result;
        },
      });
      if (body === undefined) throw ApiError.of('document.not-found');
      // A replica may lack what this server has written.
      if (reading !== undefined && replica === undefined)
        responses?.add(responseKey, { status: 200, body, version: rowVersion, digest }, { keys, reading, version });
      // Without a cache it is neither a hit nor a miss.
      const isCached = responses === undefined ? {} : { isCached: false };
      return { ...isCached, status: 200, body, timings, statements, version: rowVersion, digest, replica };
    } catch (error) {
      // An error with a cause is thrown, so that http logs the cause.
      if (error instanceof ApiError && error.cause === undefined) return renderError(error, config.policies, timings, statements);
      throw error;
    }
  };
}

const mentionsSearch = (query: string): boolean => /(?:\$|%24)search/i.test(query);

/** Throws while the index of the type cannot be used. */
async function checkIndex({ uid }: ContentType, states: SearchStates): Promise<void> {
  const state = await states.of(uid);
  if (state !== undefined && state !== 'built') throw ApiError.of('search.no-index', { type: uid, state });
}

/** The stages `execute` and `render`, on a replica or on the primary. */
async function run(plan: CachedPlan, bindings: ParameterBindings, miss: Miss, { reader, replicas, database }: AnswerParts): Promise<Run> {
  const { call, caller } = miss;
  const listed = { key: pathKey(call), ...bindings };
  const total = totalOf(plan, listed, miss);
  const bound = { ...listed, total: total?.known };
  if (caller.record !== undefined)
    caller.record.explain = () => database.read((connection) => explainRead(plan.compiled, bound, connection));
  const asked = performance.now();
  const { onReplica } = call;
  const elsewhere = onReplica === undefined ? undefined : await replicas?.read(plan, bound, caller, onReplica.after);
  const result = elsewhere?.result ?? (await reader.read(plan, bound, caller));
  if (caller.record !== undefined) caller.record.wait = waitOf(asked, result);
  total?.learn(result.total);
  return { ...result, keys: dependsOn(plan.compiled.dependencies, bound, result.shown), replica: elsewhere?.replica };
}

/** The total of a list, which its pages share. Undefined if it must not be cached: a replica may be
 *  behind the total, and with an unknown version a cached total could make a new response too
 *  old. */
function totalOf({ compiled: { total } }: CachedPlan, listed: Bindings, { call, responses, reading, version }: Miss) {
  if (total === undefined || responses === undefined || reading === undefined) return undefined;
  if (version === undefined || call.onReplica !== undefined) return undefined;
  const key = totalKey(total, listed);
  const known = responses.total(key, version);
  return {
    /** Undefined if it has to be counted. */
    known,
    learn: (counted: number | undefined): void => {
      if (known === undefined && counted !== undefined) responses.addTotal(key, counted, { keys: total.keys, reading, version });
    },
  };
}

/** Returns the cache key of a plan without its query. A plan depends only on the type, the kind of
 *  target, the rights and their restriction, the locales, and the query. */
function keyOf(call: ReadCall, locales: Locales): string {
  const { type, target, envelope, withIsUrlSigned = false, populatesPages = false, actor, restriction } = call;
  const kind = target.kind === 'one' ? target.by : target.kind === 'list' ? listKeyOf(target) : target.kind;
  return [type.uid, kind, envelope, withIsUrlSigned, populatesPages, actor.rights.planKey, restriction?.planKey, locales.key].join('\n');
}

const listKeyOf = ({ isGrouped, most, relatedTo }: Extract<ReadTarget, { kind: 'list' }>): string =>
  isGrouped ? 'groups' : relatedTo !== undefined ? 'related' : most === undefined ? 'list' : `list ${most}`;

/** Returns the cache key of a response: the key of its plan, the rights with the caller's values,
 *  the query, the document in the path and, where URLs are signed, the time for which all
 *  signatures are equal. Everything else that a response depends on is data or configuration. The
 *  document comes last: only its text may have line breaks. */
function responseKeyOf({ target, query, actor, restriction }: ReadCall, planKey: string, window: number | ''): string {
  const key = [planKey, actor.rights.key, restriction?.key, query, window].join('\n');
  const document = target.kind === 'one' ? target.key : target.kind === 'list' ? target.relatedTo : undefined;
  return document === undefined ? key : `${key}\n${document}`;
}

/** The time of a read beyond its stages, with the way to a reading thread and back. */
const waitOf = (at: number, { execute, render }: Pick<ReadResult, 'execute' | 'render'>) => ({
  milliseconds: Math.max(0, performance.now() - at - execute - render),
  at,
});

const windowOf = (signing: UrlSigning | undefined) => (signing === undefined ? '' : signingWindow(Date.now(), signing.signedFor));
