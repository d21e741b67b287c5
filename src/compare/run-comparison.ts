/** Sends each request to both servers and compares the responses. */
import type { Asked, Side } from './ask.ts';
import type { Pair } from './differences.ts';
import type { Findings } from './findings.ts';
import { type Pace, runPaced } from './rate.ts';
import type { ReplayedRequest } from './read-requests.ts';
import type { Chosen } from './request-sample.ts';

export interface Sides {
  readonly theirs: Side;
  readonly ours: Side;
}

export interface RunOptions extends Pace {
  /** Takes what is found. */
  readonly findings: Findings;
  readonly signal: AbortSignal;
  readonly onDone: () => void;
}

/** So many failures in a row: the server is away, and further requests would only wait. */
const maxFailures = 10;

/** Returns why the rest was not compared; undefined when all was. */
export async function runComparison(
  requests: readonly Chosen<ReplayedRequest>[],
  sides: Sides,
  { findings, concurrency, rate, signal, onDone }: RunOptions,
): Promise<string | undefined> {
  const own = new AbortController();
  const stop = AbortSignal.any([signal, own.signal]);
  let [failures, turn] = [0, 0];
  let stopped: string | undefined;
  const task = async (chosen: Chosen<ReplayedRequest>) => {
    const { request } = chosen;
    // Each is asked first equally often, since the second may find a warm cache behind both.
    const pair = await askBoth(request, sides, turn++ % 2 === 0);
    if (stop.aborted) return;
    if (typeof pair === 'string') {
      findings.leave(request, pair);
      failures++;
      if (failures >= maxFailures) {
        stopped = `${maxFailures} requests in a row had no response: ${pair}`;
        own.abort();
      }
    } else {
      failures = 0;
      const settled = await settle(request, pair, sides, findings);
      if (settled !== undefined) {
        findings.time(pair);
        findings.add(chosen, settled);
      }
    }
    onDone();
  };
  await runPaced(requests, { concurrency, rate }, { task, signal: stop });
  return stopped;
}

/** Undefined for requests that cannot be compared. Requests with different responses are sent once
 *  more, since someone may have written between them. */
async function settle(request: ReplayedRequest, pair: Pair, sides: Sides, findings: Findings): Promise<Pair | undefined> {
  const refused = refusedForRate(pair);
  if (refused !== undefined) {
    findings.leave(request, refused);
    return undefined;
  }
  if (findings.isEqual(pair, request)) return pair;
  const repeated = await askBoth(request, sides, true);
  if (typeof repeated === 'string') return pair;
  if (findings.isEqual(repeated, request)) findings.changedMeanwhile++;
  return repeated;
}

/** Why responses cannot be compared; undefined if they can. */
export function refusedForRate({ theirs, ours }: Pair): string | undefined {
  if (theirs.status === 429) return 'the other server refuses so many requests (429): lower --rate';
  return ours.status === 429 ? 'Lectern refuses so many requests (429): lower --rate' : undefined;
}

async function askBoth(request: ReplayedRequest, { theirs, ours }: Sides, theirsFirst: boolean): Promise<Pair | string> {
  const first = await (theirsFirst ? theirs : ours).ask(request);
  const second = await (theirsFirst ? ours : theirs).ask(request);
  const [one, other]: readonly [Asked, Asked] = theirsFirst ? [first, second] : [second, first];
  if (one.kind === 'failed') return `the other server: ${one.reason}`;
  if (other.kind === 'failed') return `Lectern: ${other.reason}`;
  return { theirs: one, ours: other };
}
