/** One line of the log for each response. */
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../text/url-parts.ts';
import { uploadsPath } from './files/uploads-route.ts';
import { wasForwarded } from './forwarding/forwarded-requests.ts';

/** Characters of a URL in the log: a query of 64 KiB is not repeated for each request. */
const loggedUrl = 2048;
/** The log has only the path of these routes: their queries hold codes, tokens and signatures. */
const secretQueries = ['/connect/:provider/callback', '/auth/:provider/callback', '/auth/email-confirmation'];

export interface Answered {
  readonly requestId?: string;
  readonly traceId?: string | undefined;
  readonly method: string | undefined;
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Whether the upstream responded, or should have. */
  readonly forwarded?: true;
}

export function logAnswered(log: FastifyBaseLogger, answered: Answered): void {
  const url = answered.url.slice(0, loggedUrl);
  log.info({ ...answered, url, milliseconds: Math.round(answered.milliseconds * 100) / 100 }, 'answered');
}

export function createLogResponse(prefix: string) {
  // A mail about a forgotten password leads to a page of the console with a code.
  const secret: ReadonlySet<string | undefined> = new Set([...secretQueries.map((path) => `${prefix}${path}`), uploadsPath, '/console/*']);
  return ({ raw, log, method, url, routeOptions, observed }: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    // What the queries of the upstream hold is unknown.
    const isForwarded = wasForwarded(raw);
    const logged = isForwarded || secret.has(routeOptions.url) ? pathOf(url) : url;
    const trace = observed?.span === undefined ? {} : { traceId: observed.span.traceId };
    const answered = { ...trace, method, url: logged, status: reply.statusCode, milliseconds: reply.elapsedTime };
    logAnswered(log, isForwarded ? { ...answered, forwarded: true } : answered);
    done();
  };
}
