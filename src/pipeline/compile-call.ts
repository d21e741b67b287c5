/** Runs the stages of a read that need no connection: parse, authorise, plan, compile. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import type { Locales } from '../locales/locales.ts';
import type { ContentModel, Schema } from '../model/content-model.ts';
import type { Restriction } from '../rights/restrictions.ts';
import type { SearchIndexes } from '../search/search-index.ts';
import { Slots } from '../sql/plan-parameter.ts';
import { authoriseRead } from './authorise/authorise-read.ts';
import type { ReadCall } from './call.ts';
import { compileRead } from './compile/compile-read.ts';
import type { DefaultPopulate } from './parse/default-populate.ts';
import { parseRead } from './parse/parse-read.ts';
import { fixedFit, PlanParameters } from './parse/plan-parameters.ts';
import type { QueryShape } from './parse/query-shape.ts';
import { planRead } from './plan/plan-read.ts';
import type { ReadPlan } from './plan/types.ts';
import type { PlannedRead } from './plan-cache.ts';
import { restrictionFilters } from './restrict/restriction-filters.ts';
import { UserParameters } from './restrict/user-parameters.ts';
import { type Timings, timed } from './timings.ts';
import type { UnlistedComponents } from './unlisted-components.ts';

export interface CompileParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly unlisted: UnlistedComponents;
  readonly defaultPopulate: DefaultPopulate;
  /** Undefined if no type has a full-text search. */
  readonly searchIndexes?: SearchIndexes | undefined;
}

export interface CallToCompile {
  readonly call: ReadCall;
  readonly query: QueryShape;
  readonly locales: Locales;
}

export interface CompiledCall {
  readonly planned: PlannedRead;
  readonly plan: ReadPlan;
}

/** The result throws an `ApiError` for a call that is refused. */
export function createCompileCall({
  config,
  model,
  database,
  unlisted,
  defaultPopulate,
  searchIndexes,
}: CompileParts): (call: CallToCompile, timings: Timings) => CompiledCall {
  const filterOf = restrictionFilters(model);
  return ({ call, query, locales }, timings) => {
    const slots = new Slots();
    const planParameters = PlanParameters.of(query, config, slots);
    const user = new UserParameters(call.actor.rights.user, slots);
    const request = timed(timings, 'parse', () =>
      parseRead(call, { model, config, locales, unlisted, defaultPopulate, searchIndexes, planParameters }),
    );
    const { rights } = call.actor;
    const scope = (restriction: Restriction | undefined, schema: Schema) => filterOf(restriction, schema, user);
    const permitted = timed(timings, 'authorise', () => authoriseRead(request, { rights, policies: config.policies, filterOf: scope }));
    const plan = timed(timings, 'plan', () => planRead(permitted, config.policies));
    const { status } = permitted;
    const { withIsUrlSigned = false } = call;
    const compiled = timed(timings, 'compile', () =>
      compileRead(plan, { dialect: database.dialect, status, withIsUrlSigned, rowLimit: config.limits.rows }),
    );
    return {
      planned: { compiled, fit: user.fit(planParameters === undefined ? fixedFit(plan.pagination) : planParameters.fit(plan.pagination)) },
      plan,
    };
  };
}
