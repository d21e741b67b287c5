/** Logs failures of what the server depends on. An outage fails every request, so it has a line when it begins, one for each new reason, one with the number
 *  of requests now and then, and one at its end. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import type { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/catalogue/catalogue.ts';

/** Milliseconds between two lines that count requests. Without a failure for as long, the outage is over. */
const every = 10_000;
/** Reasons that are logged at once; there may be as many texts as requests. */
const mostReasons = 10;

const outages: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['database.unavailable', 'database.full', 'upload.storage']);

interface Outage {
  readonly began: number;
  readonly reasons: Set<string>;
  readonly timer: NodeJS.Timeout;
  last: ApiError;
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

  note({ log, server }: FastifyReply, error: ApiError): void {
    const outage = this.#outages.get(error.code) ?? this.#begin(server.log, error);
    outage.last = error;
    outage.requests++;
    const reason = reasonOf(error);
    if (outage.reasons.has(reason) || outage.reasons.size >= mostReasons) {
      outage.unlogged++;
      return;
    }
    outage.reasons.add(reason);
    log.error({ err: error.cause }, error.message);
  }

  #begin(log: FastifyBaseLogger, error: ApiError): Outage {
    const timer = setInterval(() => this.#look(log, error.code), every);
    timer.unref();
    const outage = { began: performance.now(), reasons: new Set<string>(), timer, last: error, unlogged: 0, requests: 0 };
    this.#outages.set(error.code, outage);
    return outage;
  }

  #look(log: FastifyBaseLogger, code: ErrorCode): void {
    const outage = this.#outages.get(code);
    if (outage === undefined) return;
    const { last, unlogged, requests } = outage;
    outage.unlogged = 0;
    if (unlogged > 0) {
      log.error({ err: last.cause, requests: unlogged }, last.message);
      return;
    }
    clearInterval(outage.timer);
    this.#outages.delete(code);
    const seconds = Math.round((performance.now() - outage.began) / 1000);
    log.warn({ code, requests, seconds }, `no request has failed for ${every / 1000} seconds (${code})`);
  }
}

function reasonOf({ cause, problem }: ApiError): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : problem;
}
