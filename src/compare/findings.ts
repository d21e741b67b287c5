/** Collects what was found, by shape, in bounded memory. */

import { type Difference, differencesIn, type Pair, type Translate } from './differences.ts';
import { knownDifferences } from './known-differences.ts';
import type { Chosen } from './request-sample.ts';
import { shapeOf } from './shape.ts';
import type { Target } from './target.ts';

/** A request that was sent to both servers. */
export interface ComparedRequest {
  readonly method: string;
  readonly target: Target;
  /** Its line in the file of writes. */
  readonly line?: number;
}

/** Requests of one shape that differ in the same way. */
export interface Finding {
  readonly shape: string;
  /** The first one. */
  readonly example: ComparedRequest;
  readonly difference: Difference;
  /** Different requests, and how often they occur in the log. */
  requests: number;
  times: number;
}

export interface Known {
  readonly reason: string;
  /** The first one; undefined for headers, in which every response differs. */
  readonly example: ComparedRequest | undefined;
  requests: number;
}

/** Requests without two responses to compare. */
export interface Uncompared {
  readonly reason: string;
  readonly example: ComparedRequest;
  requests: number;
}

/** More shapes say nothing new, and a log may have any number. */
const maxFindings = 1000;

export class Findings {
  readonly #findings = new Map<string, Finding>();
  readonly #known = new Map<string, Known>();
  readonly #uncompared = new Map<string, Uncompared>();
  readonly theirTimes: number[] = [];
  readonly ourTimes: number[] = [];
  /** Requests with the same status, body and headers that matter. */
  equal = 0;
  /** Requests whose differences are all known. */
  equalButForKnown = 0;
  different = 0;
  /** Requests that differed at first and not when they were repeated. */
  changedMeanwhile = 0;
  /** Differences of further shapes, which are not in `findings`. */
  further = 0;

  time({ theirs, ours }: Pair): void {
    this.theirTimes.push(theirs.milliseconds);
    this.ourTimes.push(ours.milliseconds);
  }

  readonly #morphs: ReadonlySet<string>;

  readonly #translate: Translate | undefined;

  /** `morphs`: see `Found`. */
  constructor(morphs: ReadonlySet<string>, translate?: Translate) {
    this.#morphs = morphs;
    this.#translate = translate;
  }

  /** Whether the responses are equal, but for known differences. */
  isEqual(pair: Pair, { target }: ComparedRequest): boolean {
    return this.#sorted(pair, target).unknown.length === 0;
  }

  add({ request, times }: Chosen<ComparedRequest>, pair: Pair): void {
    const { unknown, known } = this.#sorted(pair, request.target);
    for (const { reason, isHeader } of known.values()) {
      const entry = this.#known.get(reason);
      if (entry === undefined) this.#known.set(reason, { reason, example: isHeader ? undefined : request, requests: 1 });
      else entry.requests++;
    }
    if (unknown.length > 0) this.different++;
    else if ([...known.values()].some(({ isHeader }) => !isHeader)) this.equalButForKnown++;
    else this.equal++;
    const shape = unknown.length === 0 ? '' : shapeOf(request.method, request.target);
    const seen = new Set<string>();
    for (const difference of unknown) {
      const key = `${shape} | ${difference.kind} ${difference.path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const entry = this.#findings.get(key);
      if (entry !== undefined) {
        entry.requests++;
        entry.times += times;
      } else if (this.#findings.size >= maxFindings) this.further++;
      else this.#findings.set(key, { shape, example: request, difference, requests: 1, times });
    }
  }

  leave(request: ComparedRequest, reason: string): void {
    const entry = this.#uncompared.get(reason);
    if (entry !== undefined) entry.requests++;
    else if (this.#uncompared.size < maxFindings) this.#uncompared.set(reason, { reason, example: request, requests: 1 });
  }

  get compared(): number {
    return this.equal + this.equalButForKnown + this.different;
  }

  /** Those of most requests first. */
  list(): readonly Finding[] {
    return [...this.#findings.values()].sort((one, other) => other.times - one.times);
  }

  known(): readonly Known[] {
    return [...this.#known.values()].sort((one, other) => other.requests - one.requests);
  }

  uncompared(): readonly Uncompared[] {
    return [...this.#uncompared.values()];
  }

  #sorted(pair: Pair, target: Target) {
    const unknown: Difference[] = [];
    const known = new Map<string, { readonly reason: string; readonly isHeader: boolean }>();
    for (const difference of differencesIn(pair, this.#translate)) {
      const reason = knownDifferences.find(({ applies }) => applies(difference, { ...pair, target, morphs: this.#morphs }))?.reason;
      if (reason === undefined) unknown.push(difference);
      else known.set(reason, { reason, isHeader: difference.kind === 'header' });
    }
    return { unknown, known };
  }
}
