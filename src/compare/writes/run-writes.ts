/** Sends each request to one server, then to the other, in the file's order; compares responses. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, SentRequest } from '../ask.ts';
import { jsonOf, type Pair } from '../differences.ts';
import type { Findings } from '../findings.ts';
import { refusedForRate, type Sides } from '../run-comparison.ts';
import { asTarget } from '../target.ts';
import { fillLine } from './fill-line.ts';
import { keyOf, Missing, PlaceholderError, type Reference, type Scalar, scalarAt } from './placeholders.ts';
import type { WriteLine } from './read-writes.ts';

export interface RunWritesOptions {
  readonly findings: Findings;
  readonly prefix: string;
  /** Requests to each server in a second. */
  readonly rate: number;
  readonly signal: AbortSignal;
  readonly onDone: () => void;
}

/** After so many reads in a row without a response, the server is considered away. */
const maxFailures = 10;

/** Returns why the rest was not sent; undefined when all was. */
export async function runWrites(lines: readonly WriteLine[], sides: Sides, options: RunWritesOptions): Promise<string | undefined> {
  const { findings, prefix, rate, signal, onDone } = options;
  const memory = { theirs: new Memory(lines), ours: new Memory(lines) };
  let failures = 0;
  for (const each of lines) {
    const { line, method, path } = each;
    const begin = performance.now();
    const requests = filled(each, memory, prefix);
    const pair = typeof requests === 'string' ? requests : await askInTurn(requests, sides);
    if (signal.aborted) return undefined;
    const request = { method, target: typeof requests === 'string' ? asTarget(path) : requests.ours.target, line };
    const reason = typeof pair === 'string' ? pair : refusedByOne(pair);
    if (reason !== undefined) findings.leave(request, reason);
    if (typeof pair === 'object') {
      failures = 0;
      if (reason === undefined) {
        findings.time(pair);
        findings.add({ request, times: 1 }, pair);
      }
      memory.theirs.keep(line, pair.theirs);
      memory.ours.keep(line, pair.ours);
    } else if (typeof requests === 'object') {
      failures++;
      // One server may have carried it out, and later responses would differ for this reason alone.
      if (method !== 'GET') return `at line ${line}, since a write had no response: ${pair}`;
      if (failures >= maxFailures) return `${maxFailures} requests in a row had no response: ${pair}`;
    }
    onDone();
    const pause = begin + 1000 / rate - performance.now();
    if (pause > 1) await wait(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
  return undefined;
}

/** Compares the responses if both servers refuse with 429, as for too many sign-in attempts. */
const refusedByOne = (pair: Pair) => (pair.theirs.status === pair.ours.status ? undefined : refusedForRate(pair));

interface Filled {
  readonly theirs: SentRequest;
  readonly ours: SentRequest;
}

/** If the first server does not respond, the second gets no request: both copies stay the same. */
async function askInTurn(requests: Filled, { theirs, ours }: Sides): Promise<Pair | string> {
  const one = await theirs.ask(requests.theirs);
  if (one.kind === 'failed') return `the other server: ${one.reason}`;
  const other = await ours.ask(requests.ours);
  return other.kind === 'failed' ? `Lectern: ${other.reason}` : { theirs: one, ours: other };
}

/** Returns the requests for both servers, or why the line is sent to neither. */
function filled(line: WriteLine, memory: Readonly<Record<keyof Filled, Memory>>, prefix: string): Filled | string {
  const [theirs, ours] = [memory.theirs, memory.ours].map(({ values }) => {
    try {
      return fillLine(line, values, prefix);
    } catch (error) {
      if (error instanceof PlaceholderError) return error.message;
      throw error;
    }
  });
  if (typeof theirs === 'object' && typeof ours === 'object') return { theirs, ours };
  if (typeof theirs === 'string' && typeof ours === 'string') return `on both servers, ${theirs}`;
  return typeof theirs === 'string' ? `on the other server alone, ${theirs}` : `on Lectern alone, ${ours}`;
}

/** The values of one server's responses that later lines refer to. */
class Memory {
  readonly values = new Map<string, Scalar | Missing>();
  /** The different references to the response of each line. */
  readonly #named = new Map<number, Map<string, Reference>>();

  constructor(lines: readonly WriteLine[]) {
    for (const each of lines.flatMap(({ references }) => references))
      this.#named.set(each.line, (this.#named.get(each.line) ?? new Map()).set(keyOf(each), each));
  }

  keep(line: number, { body, status }: Answer): void {
    const named = this.#named.get(line);
    if (named === undefined) return;
    const json = jsonOf(body);
    for (const [key, { path }] of named) this.values.set(key, scalarAt(json, path) ?? new Missing(status));
  }
}
