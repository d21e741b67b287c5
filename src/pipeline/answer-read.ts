/** Answers a read: runs the stages in order. Their names appear in `Server-Timing`. */
import type { Config } from '../config/config.ts';
import type { AskVersion, Database } from '../dialects/dialect.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RecordedShape } from '../indexes/recorded-shape.ts';
import type { Locales, LocalesSource } from '../locales/locales.ts';
import { signingWindow, type UrlSigning, urlSigning } from '../media/storage/url-signer.ts';
import type { ContentModel, Schema } from '../model/content-model.ts';
import type { Restriction } from '../rights/restrictions.ts';
import { Slots } from '../sql/given.ts';
import { authoriseRead } from './authorise/authorise-read.ts';
import type { Again, AnswerRead, Caller, Outcome, ReadCall } from './call.ts';
import { compileRead } from './compile/compile-read.ts';
import type { DefaultPopulate } from './parse/default-populate.ts';
import { fixedFit, type GivenBindings, GivenValues } from './parse/given-values.ts';
import { parseRead } from './parse/parse-read.ts';
import { type QueryShape, shapeOf } from './parse/query-shape.ts';
import { planRead } from './plan/plan-read.ts';
import { PlanCache, type PlannedRead } from './plan-cache.ts';
import { renderError } from './render/render-error.ts';
import { ResponseCache } from './response-cache.ts';
import { OpenUserValues } from './restrict/open-user-values.ts';
import { restrictionFilters } from './restrict/restriction-filters.ts';
import { currentReads } from './run/read/current-reads.ts';
import type { CachedPlan, Reader } from './run/read/run-read.ts';
import { shapesToRecord } from './shapes-to-record.ts';
import { type Timings, timed } from './timings.ts';
import type { UnlistedComponents } from './unlisted-components.ts';

export interface AnswerParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly reader: Reader;
  readonly locales: LocalesSource;
  /** Asks for the version of the data, for cached responses. */
  readonly askVersion: AskVersion;
  readonly unlisted: UnlistedComponents;
  readonly defaultPopulate: DefaultPopulate;
  /** Takes the shapes of each new plan. */
  readonly shapeRecord: { note(shapes: readonly RecordedShape[]): void };
}

const cacheSize = { plans: 2000, characters: 16_000_000 };

/** Makes the function that answers reads. Expected failures become their error bodies; anything else is thrown. */
export function createAnswerRead(parts: AnswerParts): AnswerRead {
  const { config, model, database, reader, unlisted, defaultPopulate } = parts;
  const plans = new PlanCache(cacheSize, unlisted);
  const filterOf = restrictionFilters(model);
  const cache = ResponseCache.of(config.cache, parts.askVersion);
  const signing = urlSigning(config);
  const read = currentReads(reader, () => database.dataVersion());

  function compile({ call, query, locales }: Uncached, timings: Timings): PlannedRead {
    const slots = new Slots();
    const given = GivenValues.of(query, config, slots);
    const user = new OpenUserValues(call.actor.rights.user, slots);
    const request = timed(timings, 'parse', () => parseRead(call, { model, config, locales, unlisted, defaultPopulate, given }));
    const { rights } = call.actor;
    const scope = (restriction: Restriction | undefined, schema: Schema) => filterOf(restriction, schema, user);
    const permitted = timed(timings, 'authorise', () => authoriseRead(request, { rights, policies: config.policies, filterOf: scope }));
    const plan = timed(timings, 'plan', () => planRead(permitted, config.policies));
    parts.shapeRecord.note(shapesToRecord(plan));
    const { status } = permitted;
    const { withIsUrlSigned = false } = call;
    const compiled = timed(timings, 'compile', () =>
      compileRead(plan, { dialect: database.dialect, model, status, withIsUrlSigned, rowLimit: config.limits.rows }),
    );
    return { compiled, fit: user.fit(given === undefined ? fixedFit(plan.pagination) : given.fit(plan.pagination)) };
  }

  /** Everything that makes the key of a response may change with time or with the database, but for the call and its actor. */
  function repeat(responses: ResponseCache, key: string, locales: Locales): Again {
    const window = windowOf(signing);
    return (asked) => {
      const version = asked ?? responses.version();
      if (version instanceof Promise || parts.locales.cached(version) !== locales || windowOf(signing) !== window) return undefined;
      return responses.get(key, version);
    };
  }

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
      const responseKey = responses === undefined ? '' : responseKeyOf(call, key, signing);
      const cached = responses?.get(responseKey, version);
      if (cached !== undefined && responses !== undefined) return { ...cached, again: repeat(responses, responseKey, locales) };
      const readAt = performance.now();
      let tables: readonly string[] = [];
      const run = async (plan: CachedPlan, bindings: GivenBindings) => {
        ({ tables } = plan.compiled);
        const result = await read(plan, { key: pathKey(call), ...bindings }, { caller, version });
        timings.push(['execute', result.execute], ['render', result.render]);
        statements += result.statements;
        return result;
      };
      const query = shapeOf(call.query, config.limits);
      const result = await plans.run({
        key,
        query,
        user: call.actor.rights.user,
        compile: () => compile({ call, query, locales }, timings),
        run,
      });
      if (result.body === undefined) throw ApiError.of('document.not-found');
      const outcome = { status: 200, body: result.body, timings, statements, version: result.version, digest: result.digest };
      return responses === undefined ? outcome : responses.add(responseKey, outcome, { tables, version, readAt });
    } catch (error) {
      // An error with a cause is thrown, so that http logs the cause.
      if (error instanceof ApiError && error.cause === undefined) return renderError(error, config.policies, timings, statements);
      throw error;
    }
  };
}

interface Uncached {
  readonly call: ReadCall;
  readonly query: QueryShape;
  readonly locales: Locales;
}

/** Returns the cache key of a plan without its query. A plan depends only on the type, the kind of target, the rights and their restriction, the locales,
 *  and the query. */
function keyOf(call: ReadCall, locales: Locales): string {
  const { type, target, envelope, withIsUrlSigned = false, actor, restriction } = call;
  return [type.uid, target.kind, envelope, withIsUrlSigned, actor.rights.planKey, restriction?.planKey, locales.key].join('\n');
}

/** Returns the cache key of a response: that of its plan, the rights with the caller's values, the query, the document in the path and, where URLs are
 *  signed, the time for which all signatures are equal. Everything else that it depends on is in the database or the configuration. The document comes last: only its text may have line breaks. */
function responseKeyOf({ target, query, actor, restriction }: ReadCall, planKey: string, signing: UrlSigning | undefined): string {
  const key = [planKey, actor.rights.key, restriction?.key, query, windowOf(signing)].join('\n');
  return target.kind === 'one' ? `${key}\n${target.by}\n${target.key}` : key;
}

const windowOf = (signing: UrlSigning | undefined) => (signing === undefined ? '' : signingWindow(Date.now(), signing.signedFor));

function pathKey({ target }: ReadCall): string | number | undefined {
  if (target.kind !== 'one') return undefined;
  if (target.by === 'documentId') {
    // No documentId contains a NUL, and PostgreSQL does not accept one in a parameter.
    if (target.key.includes('\0')) throw ApiError.of('document.not-found');
    return target.key;
  }
  const id = Number(target.key);
  if (!/^\d+$/.test(target.key) || !Number.isSafeInteger(id)) throw ApiError.of('document.not-found');
  return id;
}
