/** The stages of a read, one after another, without a database: each function runs those up to its own. */
import type { Profile } from '../../../src/config/profile.ts';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ContentType, Schema } from '../../../src/model/content-model.ts';
import { authoriseRead } from '../../../src/pipeline/authorise/authorise-read.ts';
import type { PermittedRead } from '../../../src/pipeline/authorise/types.ts';
import type { Envelope, ReadCall, ReadTarget } from '../../../src/pipeline/call.ts';
import { compileRead } from '../../../src/pipeline/compile/compile-read.ts';
import type { CompiledRead } from '../../../src/pipeline/compile/types.ts';
import { parseRead } from '../../../src/pipeline/parse/parse-read.ts';
import { fixedFit, type PlanFit, PlanParameters } from '../../../src/pipeline/parse/plan-parameters.ts';
import { type QueryShape, shapeOf } from '../../../src/pipeline/parse/query-shape.ts';
import type { ReadRequest } from '../../../src/pipeline/parse/types.ts';
import { planRead } from '../../../src/pipeline/plan/plan-read.ts';
import type { ReadPlan } from '../../../src/pipeline/plan/types.ts';
import { restrictionFilters } from '../../../src/pipeline/restrict/restriction-filters.ts';
import { UserParameters } from '../../../src/pipeline/restrict/user-parameters.ts';
import { UnlistedComponents } from '../../../src/pipeline/unlisted-components.ts';
import type { Restriction } from '../../../src/rights/restrictions.ts';
import { fullRights, type Rights } from '../../../src/rights/rights.ts';
import { Slots } from '../../../src/sql/plan-parameter.ts';
import { loadMagazine, type Magazine } from './magazine.ts';

export const locales = { byDefault: 'en', codes: ['en', 'fr'], key: 'en en fr' };

export interface ReadInput {
  /** `articles?sort=title`, `articles/doc1`, `files/3`, `homepage`: a path below `/api`, with brackets as they are. */
  readonly query: string;
  readonly rights?: Rights;
  readonly envelope?: Envelope;
}

export class ReadStages {
  readonly magazine: Magazine;

  constructor(profile: Profile = 'specification') {
    this.magazine = loadMagazine(profile);
  }

  call({ query: path, rights = fullRights, envelope }: ReadInput): ReadCall {
    const [route = '', query = ''] = path.split(/\?(.*)/s);
    const [name = '', key] = route.split('/');
    const type = this.#typeAt(name);
    const target: ReadTarget =
      key !== undefined
        ? { kind: 'one', by: type.routed ? 'documentId' : 'id', key }
        : { kind: type.kind === 'singleType' ? 'single' : 'list' };
    const action = `${type.uid}.${target.kind === 'one' ? 'findOne' : 'find'}`;
    const actor = { kind: 'public', rights } as const;
    return { type, target, query, actor, restriction: rights.restriction(action), envelope: envelope ?? (type.routed ? 'flat' : 'bare') };
  }

  parse(input: ReadInput, planParameters?: PlanParameters): ReadRequest {
    const { model, config } = this.magazine;
    return parseRead(this.call(input), {
      model,
      config,
      locales,
      unlisted: new UnlistedComponents(model),
      planParameters,
    });
  }

  authorise(input: ReadInput, planParameters?: PlanParameters, user?: UserParameters): PermittedRead {
    const { model, config } = this.magazine;
    const { rights = fullRights } = input;
    const filterOf = restrictionFilters(model);
    const scope = (restriction: Restriction | undefined, schema: Schema) => filterOf(restriction, schema, user);
    return authoriseRead(this.parse(input, planParameters), { rights, policies: config.policies, filterOf: scope });
  }

  plan(input: ReadInput): ReadPlan {
    return planRead(this.authorise(input), this.magazine.config.policies);
  }

  compile(input: ReadInput, dialect: Dialect): CompiledRead {
    const { config } = this.magazine;
    const { status } = this.authorise(input);
    return compileRead(this.plan(input), { dialect, status, withIsUrlSigned: false, rowLimit: config.limits.rows });
  }

  shape(input: ReadInput): QueryShape {
    return shapeOf(this.call(input).query, this.magazine.config.limits);
  }

  /** A plan whose parameters are the values of the query. */
  planned(input: ReadInput, dialect: Dialect): { readonly compiled: CompiledRead; readonly fit: PlanFit; readonly shape: QueryShape } {
    const { config } = this.magazine;
    const shape = this.shape(input);
    const slots = new Slots();
    const planParameters = PlanParameters.of(shape, config, slots);
    const user = new UserParameters((input.rights ?? fullRights).user, slots);
    const permitted = this.authorise(input, planParameters, user);
    const plan = planRead(permitted, config.policies);
    const parts = { dialect, status: permitted.status, withIsUrlSigned: false, rowLimit: config.limits.rows };
    const compiled = compileRead(plan, parts);
    return {
      compiled,
      fit: user.fit(planParameters === undefined ? fixedFit(plan.pagination) : planParameters.fit(plan.pagination)),
      shape,
    };
  }

  #typeAt(name: string): ContentType {
    for (const type of this.magazine.model.contentTypes.values()) {
      if (name === (type.kind === 'singleType' ? type.singularName : type.pluralName)) return type;
    }
    throw new Error(`no type at /api/${name}`);
  }
}

/** The printed result, or the refusal. */
export function outcome<T>(work: () => T, print: (value: T) => string): string {
  try {
    return print(work());
  } catch (error) {
    if (error instanceof ApiError) return printError(error);
    throw error;
  }
}

/** The status and code, and the keys or attributes that the error names: `400 query.invalid-key: nope at section`. */
export function printError({ status, code, details: { key, path, errors } = {} }: ApiError): string {
  const at = path === null || path === undefined || path === key ? '' : ` at ${path}`;
  const named = Array.isArray(errors)
    ? errors.map((each: { path: readonly string[] }) => each.path.join('.') || 'the whole').join(', ')
    : key;
  return `${status} ${code}${named === undefined ? '' : `: ${named}${at}`}`;
}

/** Expected text, written below a name in a table of cases: without the indentation that its lines share, and its first and last line break. */
export function unindented(text: string): string {
  const lines = text.split('\n');
  if (lines.length === 1) return text;
  const inner = lines.filter((line, index) => !(line.trim() === '' && (index === 0 || index === lines.length - 1)));
  const margin = Math.min(...inner.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length));
  return inner.map((line) => line.slice(margin)).join('\n');
}
