/** Sends each request to one server and then to the other, in the order of the file, and compares the responses. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, SentRequest } from '../ask.ts';
import { jsonOf, type Pair } from '../differences.ts';
import type { ComparedRequest, Findings } from '../findings.ts';
import { refusedForRate, type Sides } from '../run-comparison.ts';
import { asTarget } from '../target.ts';
import { fillLine } from './fill-line.ts';
import { keyOf, Missing, PlaceholderError, type Reference, type Scalar, scalarAt, type Values } from './placeholders.ts';
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
    const begin = performance.now();
    const values = { theirs: memory.theirs.values, ours: memory.ours.values };
    const sent = await play(each, sides, { values, prefix });
    if (signal.aborted) return undefined;
    record(sent, findings);
    if (sent.kind === 'silent') {
      failures++;
      // One server may have carried it out, and later responses would differ for this reason alone.
      if (each.method !== 'GET') return `at line ${each.line}, since a write had no response: ${sent.reason}`;
      if (failures >= maxFailures) return `${maxFailures} requests in a row had no response: ${sent.reason}`;
    } else if (sent.kind === 'responses') {
      failures = 0;
      memory.theirs.keep(each.line, sent.pair.theirs);
      memory.ours.keep(each.line, sent.pair.ours);
    }
    onDone();
    await pause(begin + 1000 / rate - performance.now(), signal);
    if (signal.aborted) return undefined;
  }
  return undefined;
}

/** `unsent`: sent to neither server. `silent`: one of them did not respond. */
type Played = { readonly request: ComparedRequest } & (
  | { readonly kind: 'unsent' | 'silent'; readonly reason: string }
  | { readonly kind: 'responses'; readonly pair: Pair }
);

interface Filling {
  readonly values: { readonly theirs: Values; readonly ours: Values };
  readonly prefix: string;
}

async function play(each: WriteLine, sides: Sides, { values, prefix }: Filling): Promise<Played> {
  const { line, method, path } = each;
  const requests = filled(each, values, prefix);
  if (typeof requests === 'string') return { request: { method, target: asTarget(path), line }, kind: 'unsent', reason: requests };
  const request = { method, target: requests.ours.target, line };
  const pair = await askInTurn(requests, sides);
  return typeof pair === 'string' ? { request, kind: 'silent', reason: pair } : { request, kind: 'responses', pair };
}

/** If both servers refuse a request with 429, their responses are compared, as for too many sign-in attempts. */
const refusedByOne = (pair: Pair) => (pair.theirs.status === pair.ours.status ? undefined : refusedForRate(pair));

function record(sent: Played, findings: Findings): void {
  const reason = sent.kind === 'responses' ? refusedByOne(sent.pair) : sent.reason;
  if (reason !== undefined) findings.leave(sent.request, reason);
  else if (sent.kind === 'responses') {
    findings.time(sent.pair);
    findings.add({ request: sent.request, times: 1 }, sent.pair);
  }
}

const pause = async (milliseconds: number, signal: AbortSignal) => {
  if (milliseconds > 1) await wait(milliseconds, undefined, { signal }).catch(() => undefined);
};

interface Filled {
  readonly theirs: SentRequest;
  readonly ours: SentRequest;
}

/** If the first server does not respond, nothing is sent to the second one, so that both copies stay the same. */
async function askInTurn(requests: Filled, { theirs, ours }: Sides): Promise<Pair | string> {
  const one = await theirs.ask(requests.theirs);
  if (one.kind === 'failed') return `the other server: ${one.reason}`;
  const other = await ours.ask(requests.ours);
  return other.kind === 'failed' ? `Lectern: ${other.reason}` : { theirs: one, ours: other };
}

/** Returns the requests for both servers, or why the line is sent to neither. */
function filled(line: WriteLine, values: Filling['values'], prefix: string): Filled | string {
  const [theirs, ours] = [values.theirs, values.ours].map((each) => {
    try {
      return fillLine(line, each, prefix);
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
  readonly #named = new Map<number, Reference[]>();

  constructor(lines: readonly WriteLine[]) {
    const seen = new Set<string>();
    for (const each of lines.flatMap(({ references }) => references)) {
      if (seen.has(keyOf(each))) continue;
      seen.add(keyOf(each));
      const same = this.#named.get(each.line);
      if (same === undefined) this.#named.set(each.line, [each]);
      else same.push(each);
    }
  }

  keep(line: number, { body, status }: Answer): void {
    const named = this.#named.get(line) ?? [];
    const json = named.length === 0 ? undefined : jsonOf(body);
    for (const each of named) this.values.set(keyOf(each), scalarAt(json, each.path) ?? new Missing(status));
  }
}
