import type { Config } from '../../config/config.ts';
import type { SqlValue } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, withMeant } from '../../errors/invalid-key.ts';
import type { Attribute, ContentModel, Schema } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import type { KnownNames } from '../../rights/known-names.ts';
import type { PlanParameter } from '../../sql/plan-parameter.ts';
import type { UnlistedComponents } from '../unlisted-components.ts';
import { namedSelections } from './named-selections.ts';
import type { PlanParameters, Reading } from './plan-parameters.ts';
import type { QueryObject, QueryValue } from './query-string.ts';

type Budget = 'conditions' | 'hops' | 'populatedPaths' | 'searchBytes' | 'searchWords';

/** The longest name of a selection that an error repeats. */
const maxNameLength = 100;

/** The context of one request's parsers. Its counters limit the work that the request can cause. */
export class ParseContext {
  readonly model: ContentModel;
  readonly config: Config;
  readonly unlisted: UnlistedComponents;
  /** True for users and files, whose parameters Strapi does not check a second time. */
  readonly bare: boolean;
  /** Undefined if the plan fits only this query. */
  readonly planParameters: PlanParameters | undefined;
  /** Undefined if no caller has sent the query. */
  readonly known: KnownNames | undefined;
  readonly #used: Record<Budget, number> = { conditions: 0, hops: 0, populatedPaths: 0, searchBytes: 0, searchWords: 0 };

  constructor({
    model,
    config,
    unlisted,
    bare,
    planParameters,
    known,
  }: Pick<ParseContext, 'model' | 'config' | 'unlisted' | 'bare' | 'planParameters' | 'known'>) {
    this.bare = bare;
    this.planParameters = planParameters;
    this.known = known;
    this.model = model;
    this.config = config;
    this.unlisted = unlisted;
  }

  /** The policy `queriesAsStrapi`. */
  get asStrapi(): boolean {
    return this.config.policies.queriesAsStrapi;
  }

  /** The options that `selection=card` stands for. `path`: as in `withSelections`. */
  selection(value: QueryValue, schema: Schema, path: string): QueryObject {
    const ofSchema = namedSelections(this.config.selections).get(schema.uid);
    const name = typeof value === 'string' ? value : '';
    const options = ofSchema?.get(name);
    if (options !== undefined) return options;
    const shown = name.slice(0, maxNameLength);
    const parameter = path === '' ? 'selection' : 'populate';
    const details = { key: shown, path: path === '' ? null : path, source: 'query', param: parameter };
    const error = ApiError.of('populate.selection', { name: shown, path }, details);
    const isKnown = this.known !== undefined && this.known.readable(schema).length > 0;
    throw isKnown ? withMeant(error, name, ofSchema?.keys() ?? []) : error;
  }

  spend(budget: Budget, parameter: string, amount = 1): void {
    this.#used[budget] += amount;
    const limit = this.config.limits[budget];
    if (this.#used[budget] > limit) throw ApiError.of('limit.budget', { budget, parameter, limit });
  }

  /** Counts a search pattern. The bytes of all patterns limit a statement's work for each byte of a
   *  row. `columns`: the number of columns that are searched. */
  checkPattern(text: string, path: string, columns = 1): void {
    const limit = this.config.limits.patternBytes;
    const bytes = Buffer.byteLength(text);
    if (bytes > limit) throw ApiError.of('limit.pattern', { path, limit });
    this.spend('searchBytes', path, bytes * columns);
  }

  /** Reads a search pattern, which may be marked. */
  pattern(marked: string, path: string): string | PlanParameter<string> {
    const text = this.text(marked);
    this.checkPattern(text, path);
    return this.parameterize(marked, text, { read: readPattern(this.config.limits.patternBytes), searched: 1 });
  }

  /** The same part of the query with marked values. `text` and `parameterize` read them. */
  marked<T extends QueryValue | undefined>(part: T): T {
    return this.planParameters === undefined ? part : this.planParameters.marked(part);
  }

  text(marked: string): string {
    return this.planParameters === undefined ? marked : this.planParameters.text(marked);
  }

  parameterize<T extends SqlValue>(marked: string, example: T, reading: Reading<T>): T | PlanParameter<T> {
    return this.planParameters === undefined ? example : this.planParameters.parameterize(marked, example, reading);
  }
}

/** Reads another query's pattern. The plan's fit checks the limit of all patterns together. */
export const readPattern =
  (limit: number) =>
  (text: string): string | undefined =>
    Buffer.byteLength(text) > limit ? undefined : text;

export const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Returns an attribute that the condition of a restriction may name: any but a password, and one
 *  whose column would compare in another way than the project's developers mean: '10' <= '5'. */
export function comparableAttribute(schema: Schema, name: string, path: string, parameter: string): Attribute {
  const attribute = schema.attributes.get(name);
  if (attribute === undefined || (attribute.kind === 'scalar' && (attribute.type === 'password' || attribute.isChanged === true))) {
    throw invalidKey(name, path === '' ? null : path, parameter);
  }
  return attribute;
}

/** What an attribute must be for a parameter to name it. */
type Fits = (attribute: Attribute) => boolean;
export const isScalar: Fits = ({ kind }) => kind === 'scalar';
export const isNoScalar: Fits = ({ kind }) => kind !== 'scalar';

/** An attribute that callers may name: private attributes and passwords do not exist for them. An
 *  error for both suggests one that `fits`. */
export function visibleAttribute(
  schema: Schema,
  name: string,
  path: string,
  parameter: string,
  { known }: Pick<ParseContext, 'known'>,
  fits?: Fits,
): Attribute {
  const attribute = schema.attributes.get(name);
  const error = (at: string | null) => withMeant(invalidKey(name, at, parameter), name, namesIn([schema], known, fits));
  if (attribute === undefined) throw error(path === '' ? null : path);
  if (!isVisible(attribute)) throw error(join(path, name));
  return attribute;
}

/** The names that a misspelt name in one of the schemas may have meant. */
export const namesIn = (schemas: readonly Schema[], known: KnownNames | undefined, fits: Fits = () => true): string[] =>
  known === undefined ? [] : schemas.flatMap((schema) => known.readable(schema).filter(fits)).map(({ name }) => name);
