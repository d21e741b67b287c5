/** `/_ready`: whether this process should get requests. Anybody may ask, and load balancers do
 *  often: checks are limited in time, and their results are cached. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonType } from '../send-response.ts';

export interface ReadinessCheck {
  readonly name: 'database' | 'writes' | 'migrations' | 'storage' | 'replicas';
  /** Whether the server cannot serve while this fails. Otherwise it does so in part. */
  readonly isNeeded: boolean;
  /** For how long a success is believed. Milliseconds. */
  readonly kept: number;
  /** Whether a check that takes long has failed. Otherwise its last outcome counts, or success. */
  readonly mustBeQuick: boolean;
  /** What is checked, for people; may be empty. */
  about?(): string;
  /** Resolves with a sentence about what is wrong; undefined if nothing is. May reject. */
  problem(): Promise<string | undefined>;
}

/** A check is waited for this long. Probes of Kubernetes wait for a second. Milliseconds. */
const patience = 800;
/** For how long a failure is believed. Milliseconds. */
const failureKept = 1000;
const retryAfter = 2;

type Status = 'ready' | 'degraded' | 'unavailable' | 'stopping';

interface Known {
  readonly problem: string | undefined;
  readonly until: number;
}

class CheckInTurn {
  readonly check: ReadinessCheck;
  #known: Known | undefined;
  #running: Promise<string | undefined> | undefined;

  constructor(check: ReadinessCheck) {
    this.check = check;
  }

  /** One check runs at a time, also one that takes longer than anybody waits for it. */
  async problem(): Promise<string | undefined> {
    if (this.#known !== undefined && performance.now() < this.#known.until) return this.#known.problem;
    this.#running ??= this.check
      .problem()
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((problem) => this.#note(problem))
      .finally(() => {
        this.#running = undefined;
      });
    const { check } = this;
    return inTime(this.#running, () => (check.mustBeQuick ? `no response within ${patience} ms` : this.#known?.problem));
  }

  #note(problem: string | undefined): string | undefined {
    this.#known = { problem, until: performance.now() + (problem === undefined ? this.check.kept : failureKept) };
    return problem;
  }
}

function inTime(running: Promise<string | undefined>, late: () => string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late()), patience);
    void running.then((problem) => {
      clearTimeout(timer);
      resolve(problem);
    });
  });
}

export class Readiness {
  readonly #checks: readonly CheckInTurn[];
  #isStopping = false;

  constructor(checks: readonly ReadinessCheck[]) {
    this.#checks = checks.map((check) => new CheckInTurn(check));
  }

  /** From now on the response is a 503: the server stops soon. */
  leave(): void {
    this.#isStopping = true;
  }

  /** `mayRead`: whether the caller may know the details; throws for a caller who only claims to. */
  async respond(
    request: FastifyRequest,
    reply: FastifyReply,
    mayRead: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>,
  ): Promise<FastifyReply> {
    const isDetailed = await mayRead(request, reply);
    const outcomes = await Promise.all(this.#checks.map(async (each) => ({ check: each.check, problem: await each.problem() })));
    const failed = outcomes.filter(({ problem }) => problem !== undefined);
    const status = this.#status(failed.map(({ check }) => check));
    const isUp = status === 'ready' || status === 'degraded';
    const checks = Object.fromEntries(
      outcomes.map(({ check, problem }) => {
        const about = check.about?.() ?? '';
        return [
          check.name,
          {
            status: problem === undefined ? 'ok' : 'failed',
            ...(problem === undefined ? {} : { problem }),
            ...(about === '' ? {} : { about }),
          },
        ];
      }),
    );
    if (!isUp) reply.header('retry-after', retryAfter);
    return reply
      .code(isUp ? 200 : 503)
      .headers({ 'content-type': jsonType, 'cache-control': 'no-store' })
      .send(JSON.stringify({ status, ...(isDetailed ? { checks } : {}) }));
  }

  #status(failed: readonly ReadinessCheck[]): Status {
    if (this.#isStopping) return 'stopping';
    if (failed.some(({ isNeeded }) => isNeeded)) return 'unavailable';
    return failed.length > 0 ? 'degraded' : 'ready';
  }
}
