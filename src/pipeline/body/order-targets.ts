/** Computes the order of a relation's targets after a body has connected and disconnected some. */
import { ApiError } from '../../errors/api-error.ts';

/** A target to be linked, by the key of its document. */
export interface ConnectedTarget {
  readonly key: string;
  readonly at: 'start' | 'end' | 'before' | 'after';
  /** The key of the target beside which this one is put. */
  readonly anchor: string | undefined;
  /** False without a position in the body: the target goes to the end, but not as with `end`. */
  readonly hasPosition: boolean;
  /** The name of the target in errors. */
  readonly id: string;
}

export interface OrderRules {
  /** The path of the list in the body. */
  readonly path: string;
  /** The linked targets that can be anchors. */
  readonly anchors: ReadonlySet<string>;
  /** If true, a target whose anchor is not linked is refused; if false, it goes to the end. */
  readonly strict: boolean;
}

/** Returns the keys in their new order. A connected target moves to its position, by default to the
 *  end. Disconnected targets are removed last, so that they can be anchors. A target with two
 *  different positions is refused. */
export function orderTargets(
  current: readonly string[],
  connect: readonly ConnectedTarget[],
  disconnect: ReadonlySet<string>,
  placing: OrderRules,
): string[] {
  const order = new Chain(current);
  const connected = targetsByKey(connect);
  const linked = new Set(placing.anchors);
  for (const placed of sorted(connected, placing)) {
    order.remove(placed.key);
    order.put(placed.key, neighbour(placed, order, linked, placing));
    linked.add(placed.key);
  }
  return [...order].filter((key) => connected.has(key) || !disconnect.has(key));
}

/** Returns the key after which the target is put; undefined for the start. */
function neighbour(
  { key, at, anchor }: ConnectedTarget,
  order: Chain,
  linked: ReadonlySet<string>,
  { path, strict }: OrderRules,
): string | undefined {
  if (at === 'start') return undefined;
  // A target that is its own anchor goes to the end, like a new target.
  if (at === 'end' || anchor === undefined || anchor === key) return order.last;
  if (!linked.has(anchor)) {
    if (strict) throw ApiError.of('relation.anchor', { path }).locatedAt(partsOf(path));
    return order.last;
  }
  return at === 'before' ? order.before(anchor) : anchor;
}

/** A linked list of keys with moves in constant time: a body may move thousands among as many. */
class Chain {
  readonly #next = new Map<string | undefined, string | undefined>();
  readonly #previous = new Map<string | undefined, string | undefined>();

  /** `undefined` stands before the first key and after the last one. */
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

/** Returns the targets by key. A target may be repeated with the same position. */
function targetsByKey(connect: readonly ConnectedTarget[]): ReadonlyMap<string, ConnectedTarget> {
  const byKey = new Map<string, ConnectedTarget>();
  for (const placed of connect) {
    const before = byKey.get(placed.key);
    if (before === undefined) byKey.set(placed.key, placed);
    else if (before.at !== placed.at || before.anchor !== placed.anchor || before.hasPosition !== placed.hasPosition) {
      throw ApiError.of('relation.twice', { id: placed.id });
    }
  }
  return byKey;
}

/** Sorts anchors before the targets beside them: a list may name them in any order. */
function sorted(byKey: ReadonlyMap<string, ConnectedTarget>, { path, anchors }: OrderRules): readonly ConnectedTarget[] {
  const done = new Set<string>();
  const result: ConnectedTarget[] = [];
  for (const first of byKey.values()) {
    // Follows the anchors to an already linked target. A loop: recursion might exceed the stack.
    const chain: ConnectedTarget[] = [];
    const seen = new Set<string>();
    let placed: ConnectedTarget | undefined = first;
    while (placed !== undefined && !done.has(placed.key)) {
      if (seen.has(placed.key)) throw ApiError.of('relation.circle', { path }).locatedAt(partsOf(path));
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

/** `zone[0].tags` → `zone`, `0`, `tags` */
const partsOf = (path: string): readonly string[] => path.split(/[.[\]]+/);
