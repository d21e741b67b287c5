/** Where targets stand after a body has connected and disconnected some. */
import { ApiError } from '../../../errors/api-error.ts';

/** A target to be linked, by the key of its unit. */
export interface Placed {
  readonly key: string;
  readonly at: 'start' | 'end' | 'before' | 'after';
  /** Key of the target beside which it is put. */
  readonly anchor: string | undefined;
}

/** The keys in their new order. What is connected moves to its position, to the end when it names none; what is disconnected keeps its place
 *  until the others stand, so that it can still be an anchor. */
export function orderUnits(
  current: readonly string[],
  connect: readonly Placed[],
  disconnect: ReadonlySet<string>,
  path: string,
): string[] {
  const order = new Chain(current);
  const connected = new Set(connect.map(({ key }) => key));
  for (const placed of sorted(connect, new Set(current), path)) {
    order.remove(placed.key);
    order.put(placed.key, neighbour(placed, order, path));
  }
  return [...order].filter((key) => connected.has(key) || !disconnect.has(key));
}

/** What the target is put after; undefined for the start. */
function neighbour({ key, at, anchor }: Placed, order: Chain, path: string): string | undefined {
  if (at === 'start') return undefined;
  // Beside itself is where it was: at the end, as a target that is new there.
  if (at === 'end' || anchor === undefined || anchor === key) return order.last;
  if (!order.has(anchor)) throw ApiError.of('relation.anchor', { path });
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

/** Anchors before what stands beside them: a list may name them in any order. */
function sorted(connect: readonly Placed[], current: ReadonlySet<string>, path: string): readonly Placed[] {
  const byKey = new Map(connect.map((placed) => [placed.key, placed]));
  const done = new Set<string>();
  const result: Placed[] = [];
  for (const first of byKey.values()) {
    // The chain from a target to the anchor that is there, without recursion: a body may name thousands.
    const chain: Placed[] = [];
    const seen = new Set<string>();
    let placed: Placed | undefined = first;
    while (placed !== undefined && !done.has(placed.key)) {
      if (seen.has(placed.key)) throw ApiError.of('relation.circle', { path });
      seen.add(placed.key);
      chain.push(placed);
      placed = placed.anchor === undefined || current.has(placed.anchor) ? undefined : byKey.get(placed.anchor);
    }
    for (const each of chain.reverse()) {
      done.add(each.key);
      result.push(each);
    }
  }
  return result;
}
