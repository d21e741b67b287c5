/** Where targets stand after a body has connected and disconnected some. */
import { ApiError } from '../../errors/api-error.ts';

/** A target to be linked, by the key of its unit. */
export interface ConnectedTarget {
  readonly key: string;
  readonly at: 'start' | 'end' | 'before' | 'after';
  /** Key of the target beside which it is put. */
  readonly anchor: string | undefined;
  /** Whether the body gives a position: without one it is the end, too, but not the same wish. */
  readonly isPlaced: boolean;
  /** What errors call it. */
  readonly id: string;
}

export interface OrderRules {
  /** Where the list stands in the body. */
  readonly path: string;
  /** Which of those that are there can be anchors. */
  readonly anchors: ReadonlySet<string>;
  /** Otherwise the end is for those whose anchor is not there. */
  readonly strict: boolean;
}

/** The keys in their new order. What is connected moves to its position, to the end when it names none; what is disconnected keeps its place
 *  until the others stand, so that it can still be an anchor. One target in two different places is refused. */
export function orderTargets(
  current: readonly string[],
  connect: readonly ConnectedTarget[],
  disconnect: ReadonlySet<string>,
  placing: OrderRules,
): string[] {
  const order = new Chain(current);
  const connected = wishes(connect);
  const standing = new Set(placing.anchors);
  for (const placed of sorted(connected, placing)) {
    order.remove(placed.key);
    order.put(placed.key, neighbour(placed, order, standing, placing));
    standing.add(placed.key);
  }
  return [...order].filter((key) => connected.has(key) || !disconnect.has(key));
}

/** What the target is put after; undefined for the start. */
function neighbour(
  { key, at, anchor }: ConnectedTarget,
  order: Chain,
  standing: ReadonlySet<string>,
  { path, strict }: OrderRules,
): string | undefined {
  if (at === 'start') return undefined;
  // Beside itself is where it was: at the end, as a target that is new there.
  if (at === 'end' || anchor === undefined || anchor === key) return order.last;
  if (!standing.has(anchor)) {
    if (strict) throw ApiError.of('relation.anchor', { path });
    return order.last;
  }
  return at === 'before' ? order.before(anchor) : anchor;
}

/** Keys in an order in which each can be moved in the same time, however many there are: a body may move thousands in a list of as many. */
class Chain {
  readonly #next = new Map<string | undefined, string | undefined>();
  readonly #previous = new Map<string | undefined, string | undefined>();

  /** Both ends are the neighbour of `undefined`. */
  constructor(keys: readonly string[]) {
    this.#next.set(undefined, undefined);
    for (const key of keys) this.put(key, this.last);
  }

  get last(): string | undefined {
    return this.#previous.get(undefined);
  }

  has(key: string): boolean {
    return this.#next.has(key);
  }

  before(key: string): string | undefined {
    return this.#previous.get(key);
  }

  put(key: string, after: string | undefined): void {
    const next = this.#next.get(after);
    this.#join(after, key);
    this.#join(key, next);
  }

  remove(key: string): void {
    if (!this.has(key)) return;
    this.#join(this.#previous.get(key), this.#next.get(key));
    this.#next.delete(key);
    this.#previous.delete(key);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let key = this.#next.get(undefined); key !== undefined; key = this.#next.get(key)) yield key;
  }

  #join(key: string | undefined, next: string | undefined): void {
    this.#next.set(key, next);
    this.#previous.set(next, key);
  }
}

/** By key. The same wish several times is one. */
function wishes(connect: readonly ConnectedTarget[]): ReadonlyMap<string, ConnectedTarget> {
  const byKey = new Map<string, ConnectedTarget>();
  for (const placed of connect) {
    const before = byKey.get(placed.key);
    if (before === undefined) byKey.set(placed.key, placed);
    else if (before.at !== placed.at || before.anchor !== placed.anchor || before.isPlaced !== placed.isPlaced) {
      throw ApiError.of('relation.twice', { id: placed.id });
    }
  }
  return byKey;
}

/** Anchors before what stands beside them: a list may name them in any order. */
function sorted(byKey: ReadonlyMap<string, ConnectedTarget>, { path, anchors }: OrderRules): readonly ConnectedTarget[] {
  const done = new Set<string>();
  const result: ConnectedTarget[] = [];
  for (const first of byKey.values()) {
    // The chain from a target to the anchor that is there, without recursion: a body may name thousands.
    const chain: ConnectedTarget[] = [];
    const seen = new Set<string>();
    let placed: ConnectedTarget | undefined = first;
    while (placed !== undefined && !done.has(placed.key)) {
      if (seen.has(placed.key)) throw ApiError.of('relation.circle', { path });
      seen.add(placed.key);
      chain.push(placed);
      placed = placed.anchor === undefined || anchors.has(placed.anchor) ? undefined : byKey.get(placed.anchor);
    }
    for (const each of chain.reverse()) {
      done.add(each.key);
      result.push(each);
    }
  }
  return result;
}
