/** Answers a read: runs the stages in order. Their names appear in `Server-Timing`. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/dialect.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Locales } from '../locales/locales.ts';
import type { ContentModel } from '../model/content-model.ts';
import { authoriseRead } from './authorise/authorise-read.ts';
import type { AnswerRead, Caller, Outcome, ReadCall } from './call.ts';
import { compileRead } from './compile/compile-read.ts';
import type { CompiledRead } from './compile/types.ts';
import { parseRead } from './parse/parse-read.ts';
import { planRead } from './plan/plan-read.ts';
import { PlanCache } from './plan-cache.ts';
import { renderError } from './render/render-error.ts';
import { restrictionFilters } from './restrict/restriction-filters.ts';
import type { CachedPlan, Reader } from './run/read/run-read.ts';
import { type Timings, timed } from './timings.ts';
import type { UnlistedComponents } from './unlisted-components.ts';

export interface AnswerParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly reader: Reader;
  readonly locales: { current(): Locales | Promise<Locales> };
  readonly unlisted: UnlistedComponents;
}

const cacheSize = { plans: 2000, characters: 16_000_000 };

/** Makes the function that answers reads. Expected failures become their error bodies; anything else is thrown. */
export function createAnswer(parts: AnswerParts): AnswerRead {
  const { config, model, database, reader, unlisted } = parts;
  const plans = new PlanCache(cacheSize, unlisted);
  const filterOf = restrictionFilters(model);

  function compile(call: ReadCall, locales: Locales, timings: Timings): CompiledRead {
    const request = timed(timings, 'parse', () => parseRead(call, { model, config, locales, unlisted }));
    const { rights } = call.actor;
    const permitted = timed(timings, 'authorise', () => authoriseRead(request, { rights, policies: config.policies, filterOf }));
    const plan = timed(timings, 'plan', () => planRead(permitted, config.policies));
    const { status } = permitted;
    const { withIsUrlSigned = false } = call;
    return timed(timings, 'compile', () =>
      compileRead(plan, { dialect: database.dialect, model, status, withIsUrlSigned, rowLimit: config.limits.rows }),
    );
  }

  return async (call: ReadCall, caller: Caller): Promise<Outcome> => {
    const timings: Timings = [];
    let statements = 0;
    try {
      const located = parts.locales.current();
      const locales = located instanceof Promise ? await located : located;
      const run = async (plan: CachedPlan) => {
        const result = await reader.read(plan, pathKey(call), caller);
        timings.push(['execute', result.execute], ['render', result.render]);
        statements += result.statements;
        return result;
      };
      const result = await plans.run({ key: keyOf(call, locales), compile: () => compile(call, locales, timings), run });
      if (result.body === undefined) throw ApiError.of('document.not-found');
      return { status: 200, body: result.body, timings, statements, version: result.version, digest: result.digest };
    } catch (error) {
      // An error with a cause is thrown, so that http logs the cause.
      if (error instanceof ApiError && error.cause === undefined) return renderError(error, config.policies, timings, statements);
      throw error;
    }
  };
}

/** Returns the cache key of a plan. A plan depends only on the type, the kind of target, the rights and their restriction, the locales, and the query. */
function keyOf(call: ReadCall, locales: Locales): string {
  const { type, target, envelope, withIsUrlSigned = false, actor, restriction, query } = call;
  return [type.uid, target.kind, envelope, withIsUrlSigned, actor.rights.key, restriction?.key, locales.key, query].join('\n');
}

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
