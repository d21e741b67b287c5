/** The values of a query that are parameters of its plan. The parser registers each value that it
 *  reads as a comparison, a pattern or a number of the page. With a value that is read in any other
 *  way, or not at all, the plan fits this query only. */
import type { Config } from '../../config/config.ts';
import type { SqlValue } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { UserValues } from '../../rights/restrictions.ts';
import { PlanParameter, type Slots } from '../../sql/plan-parameter.ts';
import { markedIndex, markedText, type QueryShape } from './query-shape.ts';
import { parseQueryString, type QueryObject, type QueryValue } from './query-string.ts';
import type { Pagination } from './types.ts';

/** What a query of the same shape binds. */
export interface ParameterBindings {
  readonly values: readonly SqlValue[];
  readonly pagination: Pagination;
}

export interface Reading<T> {
  /** Reads another query's value; undefined if that query needs its own plan, or is refused. */
  readonly read: (text: string) => T | undefined;
  /** The number of columns that the value is searched in; undefined if it is not a pattern. */
  readonly searched?: number;
}

interface Use {
  readonly index: number;
  readonly searched: number;
  /** Reads a text and writes what it binds into `bound`. Returns false if the plan does not fit. */
  readonly bind: (text: string, bound: SqlValue[]) => boolean;
}

/** Whether a plan fits a query, and what the query binds. */
export interface PlanFit {
  /** Whether the plan fits other queries of the same shape. */
  readonly fitsShape: boolean;
  /** The approximate number of characters that this takes in memory. */
  readonly size: number;
  /** What a query of this shape binds with these values, and a caller with those; undefined if it
   *  needs its own plan, or is refused. */
  bindings(values: readonly string[], user: UserValues): ParameterBindings | undefined;
}

/** The fit of a plan without parameters. */
export const fixedFit = (pagination: Pagination): PlanFit => {
  const bindings = { values: [], pagination };
  return { fitsShape: true, size: 0, bindings: () => bindings };
};

/** The approximate number of characters that a parameter takes in memory. */
const perUse = 300;

export class PlanParameters {
  readonly #shape: string;
  readonly #config: Config;
  #texts: readonly string[];
  /** Reads of each value's text that made no parameter of it: 0 if each read is one of `#uses`. */
  readonly #otherReads: number[];
  readonly #isParameter: boolean[];
  readonly #uses: Use[] = [];
  /** The query's objects and lists, with their counterparts in which values are marked. */
  readonly #marked = new Map<QueryValue, QueryValue>();
  readonly #slots: Slots;
  #pagination: ((texts: readonly string[]) => Pagination) | undefined;

  private constructor(shape: string, values: readonly string[], config: Config, slots: Slots) {
    this.#slots = slots;
    this.#shape = shape;
    this.#config = config;
    this.#texts = values;
    this.#otherReads = values.map(() => 0);
    this.#isParameter = values.map(() => false);
  }

  /** Undefined for a query without a shape: NUL in its values would look like markers. */
  static of({ shape, values }: QueryShape, config: Config, slots: Slots): PlanParameters | undefined {
    return shape === undefined ? undefined : new PlanParameters(shape, values, config, slots);
  }

  /** Finds where in the parsed query the values are. */
  locate(query: QueryObject): void {
    if (this.#texts.length === 0) return;
    const { limits, policies } = this.#config;
    // Markers may be longer than the values.
    const unbounded = { ...limits, queryBytes: Number.POSITIVE_INFINITY };
    const marked = parseQueryString(markedText(this.#shape), unbounded, policies.refusePrototypeNames);
    // If a value decided where others are, none is registered: the plan fits this query only.
    if (!this.#pair(query, marked)) this.#marked.clear();
  }

  /** Returns the same part of the query with marked values. */
  marked<T extends QueryValue | undefined>(part: T): T {
    return part === undefined ? part : ((this.#marked.get(part) as T | undefined) ?? part);
  }

  /** Returns the text of a value that may be marked. */
  text(value: string): string {
    const index = markedIndex(value);
    if (index === undefined) return value;
    this.#otherReads[index] = (this.#otherReads[index] ?? 0) + 1;
    return this.#texts[index] ?? '';
  }

  /** Makes a value a parameter where the plan uses it. `example`: what `text` returned, as read. */
  parameterize<T extends SqlValue>(marked: string, example: T, { read, searched = 0 }: Reading<T>): T | PlanParameter<T> {
    const index = markedIndex(marked);
    if (index === undefined) return example;
    const parameter = new PlanParameter<T>(example, this.#slots.reserve);
    const bind = (text: string, bound: SqlValue[]) => {
      const value = read(text);
      return value !== undefined && parameter.bind(value, bound);
    };
    this.#uses.push({ index, searched, bind });
    this.#otherReads[index] = (this.#otherReads[index] ?? 0) - 1;
    this.#isParameter[index] = true;
    return parameter;
  }

  /** Makes the numbers of the page parameters. `part` has no other values than these. */
  parameterizePagination(part: QueryValue | undefined, read: (part: QueryValue | undefined) => Pagination): void {
    const marked = this.marked(part);
    const visit = (value: QueryValue): void => {
      if (typeof value === 'string') {
        const index = markedIndex(value);
        if (index !== undefined) this.#isParameter[index] = true;
      } else if (value !== null) Object.values(value).forEach(visit);
    };
    if (marked === undefined) return;
    visit(marked);
    this.#pagination = (texts) => read(filled(marked, texts));
  }

  /** Ends the reading. `pagination` is that of the query. */
  fit(pagination: Pagination): PlanFit {
    const uses = this.#uses;
    const slots = this.#slots.count;
    const limit = this.#config.limits.searchBytes;
    const paginationOf = this.#pagination;
    const fitsShape = this.#isParameter.every((isParameter, index) => isParameter && this.#otherReads[index] === 0);
    let size = perUse * uses.length;
    for (const text of this.#texts) size += text.length;
    this.#texts = [];
    this.#marked.clear();
    return {
      fitsShape,
      size,
      bindings(texts) {
        const values: SqlValue[] = new Array(slots);
        let searchBytes = 0;
        for (const { index, searched, bind } of uses) {
          const text = texts[index] ?? '';
          if (searched > 0) searchBytes += searched * Buffer.byteLength(text);
          if (!bind(text, values)) return undefined;
        }
        if (searchBytes > limit) return undefined;
        if (paginationOf === undefined) return { values, pagination };
        try {
          return { values, pagination: paginationOf(texts) };
        } catch (error) {
          if (error instanceof ApiError) return undefined;
          throw error;
        }
      },
    };
  }

  /** Returns false if the two differ in more than their values. */
  #pair(part: QueryValue, marked: QueryValue): boolean {
    if (typeof part === 'string') {
      if (typeof marked !== 'string') return false;
      const index = markedIndex(marked);
      return part === (index === undefined ? marked : this.#texts[index]);
    }
    if (part === null || marked === null || typeof marked === 'string') return part === marked;
    if (Array.isArray(part) !== Array.isArray(marked)) return false;
    const members = Object.entries<QueryValue>(part);
    const markedMembers = Object.entries<QueryValue>(marked);
    this.#marked.set(part, marked);
    return (
      members.length === markedMembers.length &&
      members.every(([key, member], index) => key === markedMembers[index]?.[0] && this.#pair(member, markedMembers[index][1]))
    );
  }
}

function filled(part: QueryValue, texts: readonly string[]): QueryValue {
  if (part === null) return null;
  if (typeof part === 'string') {
    const index = markedIndex(part);
    return index === undefined ? part : (texts[index] ?? '');
  }
  if (Array.isArray(part)) return part.map((item) => filled(item, texts));
  return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, filled(item, texts)]));
}
