/** The requests of a list of URLs or of a log, read as a stream. */
import type { Readable } from 'node:stream';
import { readLogLine } from './log-line.ts';
import { type Chosen, RequestSample } from './request-sample.ts';
import { type LeftOut, type Target, targetOf } from './target.ts';

export interface ReplayedRequest {
  readonly method: 'GET' | 'HEAD';
  readonly target: Target;
}

export type Omission = LeftOut | 'method' | 'unreadable';

export interface ReadRequests {
  readonly requests: readonly Chosen<ReplayedRequest>[];
  /** Lines with a request, of any kind. */
  readonly lines: number;
  readonly leftOut: ReadonlyMap<Omission, number>;
  /** Whether only some of the different requests were chosen. */
  readonly isSample: boolean;
}

export interface ReadingOptions {
  /** `/api`. */
  readonly prefix: string;
  readonly sample: number;
  readonly seed: number;
  /** Ends the reading early; what was read counts. */
  isStopped(): boolean;
}

/** Lectern's own log cuts URLs here. */
const cutByLectern = 2048;

export async function readRequests(stream: Readable, options: ReadingOptions): Promise<ReadRequests> {
  const { prefix, sample, seed } = options;
  const chosen = new RequestSample<ReplayedRequest>(sample, seed);
  const leftOut = new Map<Omission, number>();
  const leave = (reason: Omission) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  let lines = 0;
  for await (const line of linesOf(stream)) {
    if (options.isStopped()) break;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const logged = readLogLine(line);
    if (logged === undefined) {
      leave('unreadable');
      continue;
    }
    lines++;
    const { method, url } = logged;
    if (method !== 'GET' && method !== 'HEAD') {
      leave('method');
      continue;
    }
    const found = line.startsWith('{') && url.length === cutByLectern ? ({ ok: false, reason: 'cut' } as const) : targetOf(url, prefix);
    if (found.ok) chosen.add(`${method} ${found.target}`, { method, target: found.target });
    else leave(found.reason);
  }
  return { requests: chosen.chosen(), lines, leftOut, isSample: chosen.isPart };
}

/** A longer line is no request that a server takes; it comes as an empty one. */
const maxLineLength = 65_536;

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  let isTooLong = false;
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield isTooLong || part.length > maxLineLength ? '?' : part;
      isTooLong = false;
    }
    if (rest.length > maxLineLength) {
      rest = '';
      isTooLong = true;
    }
  }
  if (rest !== '' || isTooLong) yield isTooLong ? '?' : rest;
}
