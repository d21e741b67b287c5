/** With `workers`, the primary process counts calls, and the others ask it. */
import type { Worker } from 'node:cluster';
import { isMessage, Questions, tellPrimary } from '../../observe/workers.ts';
import { type Limiter, type RateCounts, type RateLimit, RateLimiter, type RateLimitOptions } from './rate-limiter.ts';

interface CountCall {
  readonly lectern: 'count';
  readonly name: string;
  readonly options: RateLimitOptions;
  readonly caller: string;
  readonly calls: number;
  /** Undefined for a call that is taken back. */
  readonly id: number | undefined;
}
interface Counted {
  readonly lectern: 'counted';
  readonly id: number;
  readonly state: RateLimit;
}

/** Without a reply within this time, a process uses its own count. Milliseconds. */
const replyTimeout = 250;
const maxWaiting = 10_000;

/** In the primary process: counts the calls that a worker reports. Call it once for each worker. */
export function countForWorkers(): (worker: Worker) => void {
  const limiters = new Map<string, RateLimiter>();
  return (worker) => {
    worker.on('message', (message: unknown) => {
      if (!isMessage<CountCall>(message, 'count')) return;
      const { name, options, caller, calls, id } = message;
      // After a restart (SIGHUP), workers may have other limits.
      const key = `${name} ${JSON.stringify(options)}`;
      const limiter = limiters.get(key) ?? new RateLimiter(options);
      limiters.set(key, limiter);
      if (id === undefined) limiter.undo(caller);
      else if (worker.isConnected()) worker.send({ lectern: 'counted', id, state: limiter.hit(caller, calls) } satisfies Counted);
    });
  };
}

/** In a worker. */
export function openWorkerCounts(): RateCounts {
  const questions = new Questions<RateLimit>();
  const receive = (message: unknown) => {
    if (isMessage<Counted>(message, 'counted')) questions.reply(message.id, message.state);
  };
  process.on('message', receive);

  let limiters = 0;
  function limiter(kind: string, options: RateLimitOptions): Limiter {
    // Limiters of one kind have counts of their own, as in one process. All workers make the same
    // ones in the same order.
    const name = `${kind} ${++limiters}`;
    const own = new RateLimiter(options);
    const tell = (caller: string, id: number | undefined, calls = 1) =>
      tellPrimary({ lectern: 'count', name, options, caller, calls, id } satisfies CountCall);
    return {
      async hit(caller, calls) {
        const alone = own.hit(caller, calls);
        if (questions.waiting >= maxWaiting) return alone;
        return (await questions.ask((id) => tell(caller, id, calls), replyTimeout)) ?? alone;
      },
      undo(caller) {
        own.undo(caller);
        tell(caller, undefined);
      },
      isOver: (caller) => own.isOver(caller),
    };
  }

  return { limiter, close: () => void process.off('message', receive) };
}
