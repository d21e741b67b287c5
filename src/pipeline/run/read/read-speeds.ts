/** Remembers which reads were quick the last time. */
import { LRUCache } from 'lru-cache';
import type { Statement } from '../../../sql/statement.ts';
import type { Bindings, TestedList } from '../../compile/types.ts';
import { boundTest } from '../../execute/held-values.ts';
import { readName } from './read-times.ts';
import type { CachedPlan } from './run-read.ts';

/** A measurement is valid for this long. Milliseconds. */
const validFor = 10_000;
/** Milliseconds. */
const pause = 2000;
/** Reads whose times are remembered. */
const measuredReads = 10_000;
/** After a read was slow, the reads of its plan are measured for each of their values for this long. Milliseconds. */
const unevenFor = 60_000;

/** What decides how long a read takes. */
interface Read {
  readonly plan: CachedPlan;
  readonly bindings: Bindings;
}

export class ReadSpeeds {
  /** The time until which a read counts as quick, by its name. */
  readonly #quickUntil = new LRUCache<string, number>({ max: measuredReads });
  /** Reads that do not count as quick, whatever is measured. */
  readonly #paused = new LRUCache<string, true>({ max: measuredReads, ttl: pause });
  /** The plans of which some values were slow. */
  readonly #uneven = new LRUCache<number, true>({ max: measuredReads, ttl: unevenFor });
  /** The plans whose lists were found among values that are held in memory. */
  readonly #held = new LRUCache<number, true>({ max: measuredReads, ttl: validFor });

  /** The time (of `performance.now()`) until which the read counts as quick. Undefined if it was not, or has not been measured. */
  quickUntil(read: Read): number | undefined {
    return this.#quickUntil.get(this.#nameOf(read));
  }

  isQuick(read: Read): boolean {
    return performance.now() < (this.quickUntil(read) ?? 0);
  }

  /** The statement by which values are held, if the time of the read depends on nothing else, and its list was found among them. */
  heldRows(read: Read): Statement | undefined {
    return this.#isHeld(read) ? testedOf(read.plan)?.rows : undefined;
  }

  noteQuick(read: Read, milliseconds = validFor): void {
    const name = this.#nameOf(read);
    if (!this.#paused.has(name)) this.#quickUntil.set(name, performance.now() + milliseconds);
  }

  /** The list of a quick read was found among held values. */
  noteHeld({ plan }: Read): void {
    if (testedOf(plan)?.decidesTime !== true) return;
    this.#held.set(plan.id, true);
    this.#uneven.delete(plan.id);
  }

  /** From now on, each value of the plan is measured by itself. */
  noteSlow(read: Read): void {
    this.#quickUntil.delete(this.#nameOf(read));
    this.#uneven.set(read.plan.id, true);
    this.#held.delete(read.plan.id);
  }

  /** The read has to be quick for a while before it counts as quick again. */
  pause(read: Read): void {
    const name = this.#nameOf(read);
    this.#quickUntil.delete(name);
    this.#paused.set(name, true);
  }

  forget(read: Read): void {
    this.#quickUntil.delete(this.#nameOf(read));
  }

  /** Names the reads that take about as long as one another. Documents of one plan differ in size. Values differ in the rows that they find; where no index
   *  finds them either, a read takes as long as reading the table, whatever the value is. The same holds for a search through held values. */
  #nameOf(read: Read): string {
    const { plan, bindings } = read;
    const hasValues = (plan.compiled.valuesDecideTime && !this.#isHeld(read)) || this.#uneven.has(plan.id);
    return `${hasValues ? readName(plan, bindings) : plan.id} ${bindings.key ?? ''} ${sizeOfPage(bindings)}`;
  }

  /** Some values are left to the database even while values are held. */
  #isHeld({ plan, bindings }: Read): boolean {
    const tested = this.#held.has(plan.id) ? testedOf(plan) : undefined;
    return tested !== undefined && boundTest(tested.test, bindings) !== undefined;
  }
}

function testedOf({ compiled: { statements } }: CachedPlan): TestedList | undefined {
  return statements.kind === 'whole' ? statements.tested : statements.list?.tested;
}

/** The rows of a page, and about how many come before them. */
const sizeOfPage = ({ pagination }: Bindings): string =>
  pagination.kind === 'none' ? '' : `${pagination.limit} ${Math.ceil(Math.log2(pagination.offset + 1))}`;
