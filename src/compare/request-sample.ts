/** A sample of the different requests of a log of any length, in limited memory. It takes the
 *  smallest digests: a uniform sample, whatever the order and frequency of the requests. The same
 *  log and seed give the same sample. */
import { createHash } from 'node:crypto';

/** One request, and how often it occurs in the entire log. */
interface Sampled<Request> {
  readonly request: Request;
  readonly digest: string;
  times: number;
}

export interface Chosen<Request> {
  readonly request: Request;
  /** How often it occurs in the log. */
  readonly times: number;
}

export class RequestSample<Request> {
  readonly #byDigest = new Map<string, Sampled<Request>>();
  readonly #size: number;
  readonly #seed: string;
  /** Digests from here on are left out; undefined until one had to be. */
  #bound: string | undefined;

  constructor(size: number, seed: number) {
    this.#size = size;
    this.#seed = `${seed}:`;
  }

  add(key: string, request: Request): void {
    const digest = createHash('sha1')
      .update(this.#seed + key)
      .digest('base64');
    const known = this.#byDigest.get(digest);
    if (known !== undefined) {
      known.times++;
      return;
    }
    if (this.#bound !== undefined && digest >= this.#bound) return;
    this.#byDigest.set(digest, { request, digest, times: 1 });
    // Sorting now and then costs less than a heap.
    if (this.#byDigest.size >= 2 * this.#size) this.#shrink();
  }

  /** Whether there were more different requests than the sample holds. */
  get isPart(): boolean {
    this.#shrink();
    return this.#bound !== undefined;
  }

  /** In the order of the log. */
  chosen(): readonly Chosen<Request>[] {
    this.#shrink();
    return [...this.#byDigest.values()];
  }

  #shrink(): void {
    if (this.#byDigest.size <= this.#size) return;
    const digests = [...this.#byDigest.keys()].sort();
    this.#bound = digests[this.#size];
    for (const digest of digests.slice(this.#size)) this.#byDigest.delete(digest);
  }
}
