import { serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { type CacheFigures, Lookups } from '../observe/figures.ts';
import type { UserValues } from '../rights/restrictions.ts';
import type { CompiledRead } from './compile/types.ts';
import type { ParameterBindings, PlanFit } from './parse/plan-parameters.ts';
import type { QueryShape } from './parse/query-shape.ts';
import type { CachedPlan } from './run/read/run-read.ts';
import type { Unlisted, UnlistedComponents } from './unlisted-components.ts';

export interface PlanCacheSize {
  readonly plans: number;
  /** Maximum of characters of all keys and compiled reads, about as many as their bytes. */
  readonly characters: number;
}

export interface PlannedWork<R> {
  /** Everything that the plan depends on besides the query, and nothing else. */
  readonly key: string;
  readonly query: QueryShape;
  /** The values of the caller that restrictions may name. */
  readonly user: UserValues;
  /** `wider` is true if the previous plan lacked branches for components that are known now. */
  readonly compile: (wider: boolean) => PlannedRead;
  readonly run: (plan: CachedPlan, bindings: ParameterBindings) => Promise<R>;
}

export interface PlannedRead {
  readonly compiled: CompiledRead;
  readonly fit: PlanFit;
}

type Planned = Pick<PlannedWork<unknown>, 'key' | 'query' | 'user'>;

/** One of the plans of a shape. Where a value decides about the SQL (`5` and `5.5` for an integer
 *  on PostgreSQL), a shape has several. */
interface Variant {
  readonly plan: CachedPlan;
  readonly fit: PlanFit;
}

interface Ready {
  readonly plan: CachedPlan;
  readonly bindings: ParameterBindings;
}

/** At most this many plans of a shape are cached, so that looking one up stays cheap. */
const maxVariants = 4;

/** Caches compiled reads by everything that they depend on. A plan fits all queries
 *  of its shape that `PlanFit` accepts; a plan that fits one query only is cached by
 *  the entire text of that query. */
export class PlanCache {
  /** The plans of a shape or a text; the one that was used last comes first. */
  readonly #plans: LRUCache<string, Variant[]>;
  readonly #unlisted: UnlistedComponents;
  readonly #lookups = new Lookups();
  #made = 0;

  constructor({ plans, characters }: PlanCacheSize, unlisted: UnlistedComponents) {
    this.#plans = new LRUCache({ max: plans, maxSize: characters });
    this.#unlisted = unlisted;
  }

  /** Runs the work with a cached plan, or with a new one. Runs it again with a wider plan as long
   *  as it finds components of the model for which the plan has no branch. */
  async run<R extends { readonly unlisted: readonly Unlisted[] | undefined }>(work: PlannedWork<R>): Promise<R> {
    const runReady = ({ plan, bindings }: Ready) => work.run(plan, bindings);
    const found = this.#find(work);
    this.#lookups.note(found !== undefined);
    let result = await runReady(found ?? this.#add(work, work.compile(false)));
    while (result.unlisted !== undefined && this.#unlisted.learn(result.unlisted)) {
      result = await runReady(this.#add(work, work.compile(true)));
    }
    return result;
  }

  figures(): CacheFigures {
    const { hits, misses } = this.#lookups;
    // A character takes two bytes at most.
    return { hits, misses, entries: this.#plans.size, bytes: 2 * this.#plans.calculatedSize };
  }

  #find({ key, query, user }: Planned): Ready | undefined {
    return (
      (query.shape === undefined ? undefined : this.#fitting(shapeKey(key, query.shape), query, user)) ??
      this.#fitting(textKey(key, query), query, user)
    );
  }

  #fitting(key: string, { values }: QueryShape, user: UserValues): Ready | undefined {
    const variants = this.#plans.get(key) ?? [];
    for (const [index, variant] of variants.entries()) {
      const bindings = variant.fit.bindings(values, user);
      if (bindings === undefined) continue;
      if (index > 0) variants.unshift(...variants.splice(index, 1));
      return { plan: variant.plan, bindings };
    }
    return undefined;
  }

  #add({ key, query, user }: Planned, { compiled, fit }: PlannedRead): Ready {
    const bindings = fit.bindings(query.values, user);
    if (bindings === undefined) throw new Error('a plan does not fit the query that it was made for');
    this.#made++;
    const plan = { id: this.#made, compiled, size: serialize(compiled).length };
    const own = query.shape === undefined || !fit.fitsShape ? textKey(key, query) : shapeKey(key, query.shape);
    // A plan that fits the same query is narrower than the new one.
    const others = (this.#plans.get(own) ?? []).filter((variant) => variant.fit.bindings(query.values, user) === undefined);
    const variants: Variant[] = [{ plan, fit }, ...others].slice(0, maxVariants);
    this.#plans.set(own, variants, { size: variants.reduce((size, { plan, fit }) => size + plan.size + fit.size, own.length) });
    return { plan, bindings };
  }
}

const shapeKey = (key: string, shape: string): string => `${key}\nshape ${shape}`;
const textKey = (key: string, { text }: QueryShape): string => `${key}\ntext ${text}`;
