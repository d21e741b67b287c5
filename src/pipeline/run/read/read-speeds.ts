/** Remembers which reads were quick the last time. */
import { LRUCache } from 'lru-cache';
import { digestOf } from '../../../text/digest.ts';
import type { Bindings, TestedList } from '../../compile/types.ts';
import { listKey } from '../../execute/bound-values.ts';
import { boundTest } from '../../execute/held-values.ts';
import { readName } from './read-times.ts';
import type { CachedPlan } from './run-read.ts';

/** A measurement is valid for this long. Milliseconds. */
const validFor = 10_000;
/** A read that had to run again, or failed, does not count as quick for this long. Milliseconds. */
const pause = 2000;
/** Reads whose times are remembered. */
const measuredReads = 10_000;
/** After two reads of a plan were slow, each of its values is measured by itself for this long. Milliseconds. */
const unevenFor = 60_000;
/** A list counts as held for this long: longer than a measurement is valid, so that one read measures it again while the others go on. Milliseconds. */
const heldFor = 20_000;
/** A plan or a list is doubtful for this long: two measurements. Milliseconds. */
const doubtfulFor = 20_000;
/** Two reads that were slow within this time may have been so for one reason: the machine stood still. Milliseconds. */
const oneStall = 500;
/** Longer names are replaced by their digests. */
const longestName = 200;

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
  /** Plans of which two reads were slow. */
  readonly #uneven = new LRUCache<number, true>({ max: measuredReads, ttl: unevenFor });
  /** The lists that were found among held values, and their plans. */
  readonly #held = new LRUCache<string, true>({ max: measuredReads, ttl: heldFor });
  readonly #heldPlans = new LRUCache<number, true>({ max: measuredReads, ttl: heldFor });
  /** Plans and lists of which one read was slow, and when. Other programs may have used the processor. */
  readonly #doubtful = new LRUCache<number | string, number>({ max: measuredReads });
  /** Lists of which two searches were slow: they do not count as held for a minute. */
  readonly #slowLists = new LRUCache<string, true>({ max: measuredReads, ttl: unevenFor });

  /** The time (of `performance.now()`) until which the read counts as quick. Undefined if it was not, or has not been measured. */
  quickUntil(read: Read): number | undefined {
    return this.#quickUntil.get(this.#nameOf(read));
  }

  isQuick(read: Read): boolean {
    return performance.now() < (this.quickUntil(read) ?? 0);
  }

  noteQuick(read: Read, milliseconds = validFor): void {
    const name = this.#nameOf(read);
    if (!this.#paused.has(name)) this.#quickUntil.set(name, performance.now() + milliseconds);
  }

  /** The list of a quick read was found among held values. */
  noteHeld(read: Read): void {
    const list = listOf(read);
    if (list === undefined || this.#slowLists.has(list)) return;
    this.#held.set(list, true);
    this.#heldPlans.set(read.plan.id, true);
  }

  /** The plan becomes doubtful; if it was doubtful before (`#isSlowAgain`), each of its values is measured by itself for a minute. `wasHeld`: the read was slow
   *  although its list was found among held values, so the list becomes doubtful. Otherwise what took long may have been reading these values, or a search by
   *  the database. */
  noteSlow(read: Read, { wasHeld }: { readonly wasHeld: boolean }): void {
    this.#quickUntil.delete(this.#nameOf(read));
    if (this.#isSlowAgain(read.plan.id)) this.#uneven.set(read.plan.id, true);
    const list = this.#heldList(read);
    if (list === undefined) return;
    this.#held.delete(list);
    if (wasHeld && this.#isSlowAgain(list)) this.#slowLists.set(list, true);
  }

  /** The same for a search through held values that kept a thread busy for too long. The list becomes doubtful even if it no longer counts as held, as when
   *  the read was noted as slow while it ran. */
  noteLate(read: Read): void {
    this.noteSlow(read, { wasHeld: false });
    const list = listOf(read);
    if (list !== undefined && this.#isSlowAgain(list)) this.#slowLists.set(list, true);
  }

  /** Reading the values of the list takes too long for a thread. */
  refuseList(read: Read): void {
    this.noteSlow(read, { wasHeld: false });
    const list = listOf(read);
    if (list !== undefined) this.#slowLists.set(list, true);
  }

  /** For two seconds the read does not count as quick, whatever is measured. */
  pause(read: Read): void {
    const name = this.#nameOf(read);
    this.#quickUntil.delete(name);
    this.#paused.set(name, true);
  }

  forget(read: Read): void {
    this.#quickUntil.delete(this.#nameOf(read));
  }

  /** Makes a plan or a list doubtful. Returns true if an earlier read, between `oneStall` and `doubtfulFor` ago, had made it doubtful. */
  #isSlowAgain(name: number | string): boolean {
    const now = performance.now();
    const passed = now - (this.#doubtful.get(name) ?? Number.NEGATIVE_INFINITY);
    if (passed > doubtfulFor) this.#doubtful.set(name, now);
    return passed <= doubtfulFor && passed > oneStall;
  }

  /** Names the reads that take about as long as one another. Documents of one plan differ in size. Values differ in the rows that they find; where no index
   *  finds them either, a read takes as long as reading the table, whatever the value is. The same holds for a search through held values. */
  #nameOf(read: Read): string {
    const { plan, bindings } = read;
    const name = `${this.#heldList(read) ?? this.#nameOfValues(read)} ${bindings.key ?? ''} ${sizeOfPage(bindings)}`;
    return name.length > longestName ? `${plan.id} ${digestOf(name)}` : name;
  }

  #nameOfValues({ plan, bindings }: Read): string {
    return plan.compiled.valuesDecideTime || this.#uneven.has(plan.id) ? readName(plan, bindings) : String(plan.id);
  }

  /** The list of a read that is searched for in held values. Undefined if the database searches it. */
  #heldList({ plan, bindings }: Read): string | undefined {
    const tested = this.#heldPlans.has(plan.id) ? testedOf(plan) : undefined;
    if (tested === undefined || boundTest(tested.test, bindings) === undefined) return undefined;
    const list = listName(plan, tested, bindings);
    return this.#held.has(list) ? list : undefined;
  }
}

/** The values that are searched for are no part of it. */
const listName = ({ id }: CachedPlan, { name }: TestedList, bindings: Bindings): string =>
  `${id} held ${digestOf(listKey(name, bindings))}`;

function listOf({ plan, bindings }: Read): string | undefined {
  const tested = testedOf(plan);
  return tested?.decidesTime === true ? listName(plan, tested, bindings) : undefined;
}

/** What a reader may search for in held values, if anything. */
function testedOf({ compiled: { statements } }: CachedPlan): TestedList | undefined {
  return statements.kind === 'whole' ? statements.tested : statements.list?.tested;
}

/** The rows of a page, and about how many come before them. */
const sizeOfPage = ({ pagination }: Bindings): string =>
  pagination.kind === 'none' ? '' : `${pagination.limit} ${Math.ceil(Math.log2(pagination.offset + 1))}`;
