/** Names reads that take about as long as one another. The values of a query may decide how long a
 *  statement takes; the key of a document does not. */
import { LRUCache } from 'lru-cache';
import { digestOf } from '../../../text/digest.ts';
import type { Bindings } from '../../compile/types.ts';
import type { CachedPlan } from './run-read.ts';

/** At most this many reads with values are remembered. */
const rememberedReads = 10_000;
/** Longer names are replaced by their digests. */
const maxNameLength = 200;

/** Returns the name of all reads of a plan with the same values. */
function readName({ id }: CachedPlan, { values }: Bindings): string {
  if (values.length === 0) return String(id);
  const name = `${id} ${JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
  return name.length > maxNameLength ? digestOf(name) : name;
}

/** Returns one object for all reads of a plan with the same values. */
export class ReadTimes {
  readonly #objects = new LRUCache<string, object>({ max: rememberedReads });

  of(plan: CachedPlan, bindings: Bindings): object {
    if (bindings.values.length === 0) return plan;
    const name = readName(plan, bindings);
    let object = this.#objects.get(name);
    if (object === undefined) {
      object = {};
      this.#objects.set(name, object);
    }
    return object;
  }
}
