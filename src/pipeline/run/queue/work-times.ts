/** Remembers how long work took, to tell what is quick and what is slow before it begins. Work with
 *  values that were not seen before counts as its plan does with other values. */

/** Work that takes about as long as other work. */
export interface Timed {
  /** Stands for all work that takes as long as this: a plan, or a plan with its values. */
  readonly timedBy: object;
  /** Stands for the same plan with whatever values. */
  readonly plan?: object;
}

/** A plan counts as quick for values not seen before after this many quick runs in a row: a few cheap
 *  values prove little about the others. */
const provingRuns = 10;

/** Milliseconds of the last run, or that it was slow. */
type Last = number | 'slow';

interface PlanTimes {
  last: Last;
  /** Quick runs since the last slow one. */
  quickRuns: number;
}

export class WorkTimes {
  readonly #last = new WeakMap<object, Last>();
  readonly #plans = new WeakMap<object, PlanTimes>();

  /** Returns the milliseconds that such work presumably takes, if it is known to be quick. */
  quickTime(work: Timed): number | undefined {
    const last = this.#lastOf(work);
    return last === 'slow' ? undefined : last;
  }

  isSlow(work: Timed): boolean {
    return this.#lastOf(work) === 'slow';
  }

  noteQuick({ timedBy, plan }: Timed, milliseconds: number): void {
    this.#last.set(timedBy, milliseconds);
    if (plan !== undefined) this.#plans.set(plan, { last: milliseconds, quickRuns: (this.#plans.get(plan)?.quickRuns ?? 0) + 1 });
  }

  noteSlow({ timedBy, plan }: Timed): void {
    this.#last.set(timedBy, 'slow');
    if (plan !== undefined) this.#plans.set(plan, { last: 'slow', quickRuns: 0 });
  }

  /** Nothing is known any longer: what was quick has been slow once. */
  forget({ timedBy, plan }: Timed): void {
    this.#last.delete(timedBy);
    if (plan !== undefined) this.#plans.delete(plan);
  }

  #lastOf({ timedBy, plan }: Timed): Last | undefined {
    const last = this.#last.get(timedBy);
    if (last !== undefined || plan === undefined) return last;
    const times = this.#plans.get(plan);
    return times !== undefined && (times.last === 'slow' || times.quickRuns >= provingRuns) ? times.last : undefined;
  }
}
