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
  const order = [...current];
  const connected = new Set(connect.map(({ key }) => key));
  for (const placed of sorted(connect, new Set(current), path)) {
    const index = order.indexOf(placed.key);
    if (index !== -1) order.splice(index, 1);
    order.splice(indexOf(placed, order, path), 0, placed.key);
  }
  return order.filter((key) => connected.has(key) || !disconnect.has(key));
}

function indexOf({ key, at, anchor }: Placed, order: readonly string[], path: string): number {
  if (at === 'start') return 0;
  if (at === 'end' || anchor === undefined) return order.length;
  // Beside itself is where it was: at the end, as a target that is new there.
  if (anchor === key) return order.length;
  const index = order.indexOf(anchor);
  if (index === -1) throw ApiError.of('relation.anchor', { path });
  return at === 'before' ? index : index + 1;
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
