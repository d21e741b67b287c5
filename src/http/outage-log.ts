/** Logs failures of what the server depends on: an outage has a line when it begins, one for each
 *  new reason, one with the number of requests now and then, and one at its end. */
import type { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/catalogue/catalogue.ts';

/** Milliseconds between two lines that count requests, and without a failure until the end. */
const every = 10_000;
/** Reasons that are logged at once; there may be as many texts as requests. */
const maxReasons = 10;

const outages: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['database.unavailable', 'database.full', 'upload.storage']);

type Line = (fields: Readonly<Record<string, unknown>>, message: string) => void;

interface OutageLogger {
  readonly error: Line;
  readonly warn: Line;
}

/** The part of a reply that is used: the log of its request, and that of the server. */
interface Logging {
  readonly log: OutageLogger;
  readonly server: { readonly log: OutageLogger };
}

interface Outage {
  readonly began: number;
  readonly reasons: Set<string>;
  readonly timer: NodeJS.Timeout;
  last: ApiError;
  /** When the last request failed. */
  lastAt: number;
  /** Requests that failed since the last line, and all of them. */
  unlogged: number;
  requests: number;
}

export class OutageLog {
  readonly #outages = new Map<ErrorCode, Outage>();

  /** Returns whether the failure is part of an outage, which this logs. */
  takes(error: ApiError): boolean {
    return outages.has(error.code);
  }

  note({ log, server }: Logging, error: ApiError): void {
    const outage = this.#outages.get(error.code) ?? this.#begin(server.log, error);
    outage.last = error;
    outage.lastAt = performance.now();
    outage.requests++;
    const reason = reasonOf(error);
    if (outage.reasons.has(reason) || outage.reasons.size >= maxReasons) {
      outage.unlogged++;
      return;
    }
    outage.reasons.add(reason);
    log.error({ err: error.cause }, error.message);
  }

  #begin(log: OutageLogger, error: ApiError): Outage {
    const timer = setInterval(() => this.#look(log, error.code), every);
    timer.unref();
    const now = performance.now();
    const outage = { began: now, reasons: new Set<string>(), timer, last: error, lastAt: now, unlogged: 0, requests: 0 };
    this.#outages.set(error.code, outage);
    return outage;
  }

  #look(log: OutageLogger, code: ErrorCode): void {
    const outage = this.#outages.get(code);
    if (outage === undefined) return;
    const { began, last, lastAt, unlogged, requests } = outage;
    outage.unlogged = 0;
    if (unlogged > 0) {
      // Not an error of its own: the outage may have ended meanwhile.
      log.warn({ code, err: last.cause, requests: unlogged }, `further requests failed in the last ${every / 1000} seconds (${code})`);
      return;
    }
    // A new reason was logged at once.
    if (performance.now() - lastAt < every / 2) return;
    clearInterval(outage.timer);
    this.#outages.delete(code);
    // From the first failure to the last one, with one decimal.
    const seconds = Math.round((lastAt - began) / 100) / 10;
    log.warn({ code, requests, seconds }, `the outage is over: no request has failed for a while (${code})`);
  }
}

function reasonOf({ cause, problem }: ApiError): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : problem;
}
