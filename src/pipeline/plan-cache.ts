import { LRUCache } from 'lru-cache';
import type { Statement } from '../sql/statement.ts';
import type { CompiledLink, CompiledRead, Shape } from './compile/types.ts';
import type { CachedPlan } from './run/read/run-read.ts';
import type { Unlisted, UnlistedComponents } from './unlisted-components.ts';

export interface PlanCacheSize {
  readonly plans: number;
  /** The most characters of all keys and statements. */
  readonly characters: number;
}

export interface PlannedWork<R> {
  /** The key contains everything that the plan depends on, and nothing else. */
  readonly key: string;
  /** `wider` is true if the previous plan lacked branches for components that are known now. */
  readonly compile: (wider: boolean) => CompiledRead;
  readonly run: (plan: CachedPlan) => Promise<R>;
}

/** Caches compiled reads by everything that they depend on. */
export class PlanCache {
  readonly #plans: LRUCache<string, CachedPlan>;
  readonly #unlisted: UnlistedComponents;
  #made = 0;

  constructor({ plans, characters }: PlanCacheSize, unlisted: UnlistedComponents) {
    this.#plans = new LRUCache({ max: plans, maxSize: characters });
    this.#unlisted = unlisted;
  }

  /** Runs the work with the cached plan, or with a new one. Runs it again with a wider plan as long as it finds components of the model for which
   *  the plan has no branch. */
  async run<R extends { readonly unlisted: readonly Unlisted[] | undefined }>({ key, compile, run }: PlannedWork<R>): Promise<R> {
    let result = await run(this.#plans.get(key) ?? this.#add(key, compile(false)));
    while (result.unlisted !== undefined && this.#unlisted.learn(result.unlisted)) result = await run(this.#add(key, compile(true)));
    return result;
  }

  #add(key: string, compiled: CompiledRead): CachedPlan {
    this.#made++;
    const plan = { id: this.#made, compiled, size: sizeOf(compiled) };
    this.#plans.set(key, plan, { size: key.length + plan.size });
    return plan;
  }
}

/** Estimates the characters of a compiled read: statements, values, and the shapes of all levels. */
function sizeOf({ rows, count, list, shape }: CompiledRead): number {
  const statements = [rows, count, list?.ids, list?.rowsOfIds].filter((statement) => statement !== undefined);
  return sum(statements, statementSize) + shapeSize(shape);
}

const sum = <T>(items: Iterable<T>, size: (item: T) => number): number => {
  let total = 0;
  for (const item of items) total += size(item);
  return total;
};

const statementSize = ({ text, parameters }: Statement): number =>
  text.length +
  sum(parameters, (parameter) => (parameter.kind === 'value' && typeof parameter.value === 'string' ? parameter.value.length : 8));

const shapeSize = (shape: Shape): number => 50 * shape.columns.length + sum(shape.links, linkSize);

function linkSize(link: CompiledLink): number {
  switch (link.kind) {
    case 'rows':
      return statementSize(link.statement) + shapeSize(link.shape);
    case 'count':
      return statementSize(link.statement);
    case 'polymorphic':
      return (
        statementSize(link.references) + sum(link.branches.values(), ({ statement, shape }) => statementSize(statement) + shapeSize(shape))
      );
  }
}
