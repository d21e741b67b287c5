/** Shares a few places of work (reading processes, connections) among callers. One caller's slow statements must not delay the others.
 *
 *  - What was quick the last time goes first: slow work of however many callers does not hold it up. Each fourth turn is anybody's.
 *  - Each caller has a queue, and the caller with the least work under way comes first.
 *  - A caller whose slow work holds its share of the places gets further ones only for what was quick the last time.
 *  - Slow work beyond that share is stopped when it delays what was quick of another caller.
 *  - When slow work holds all places and somebody waits, a spare place is opened; when there is none left, a slow job is stopped.
 *  - What takes longer than `statementTime` is stopped in any case, and so is slow work whose client has disconnected. */
import type { Limits } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { CallerAllowances } from './caller-allowances.ts';
import { CallerQueues, type Job } from './caller-queues.ts';

/** Work that runs this long is slow. Milliseconds. */
const slow = 200;
/** What was quick the last time, and runs this long, is delayed by other work. Milliseconds. */
const delayed = 100;
/** Work that runs this long gets a low priority on the processor. */
const long = 1000;
/** How long others wait for slow work before some of it is stopped. Milliseconds. */
const patience = 500;
const watchEvery = 50;
/** The shortest wait before a request fails, since a process may have to start first. Milliseconds. */
const leastWait = 3000;
/** One turn in as many takes no notice of what was quick, so that the rest goes on as well. */
export const anybodys = 4;

export interface TimedJob extends Job {
  /** Stands for all jobs that take as long as this one: a plan. */
  readonly plan: object;
}

/** A place of work, which runs one job at a time. */
export interface Place<J extends TimedJob> {
  begin(job: J): void;
  /** Stops its job. The creator of the place reports when it is free again, or has ended. */
  stop(): void;
  giveWay?(): void;
}

export interface Places {
  /** Including spare places. */
  readonly most: number;
  /** How many places the slow work of one caller may hold; half of them by default. */
  readonly share?: number;
  /** Makes another place, which comes to `free` later, unless there are enough: a spare one counts beyond the usual number. */
  readonly open: (spare: boolean) => void;
}

/** How many jobs of a caller run: those known to be slow, those not known to be quick, and all. */
interface Work {
  slow: number;
  unsure: number;
  all: number;
}

interface Running<J> {
  readonly job: J;
  readonly since: number;
  readonly wasQuick: boolean;
  isSlow: boolean;
  stoppedAt: number | undefined;
}

export class FairQueue<J extends TimedJob> {
  readonly #limits: Pick<Limits, 'queue' | 'statementTime'>;
  readonly #places: Places;
  readonly #share: number;
  readonly #allowances: CallerAllowances;
  readonly #waiting: CallerQueues<J>;
  readonly #free = new Set<Place<J>>();
  readonly #running = new Map<Place<J>, Running<J>>();
  /** Plans that were quick the last time. */
  readonly #quick = new WeakSet();
  #slowWork = 0;
  #turns = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Pick<Limits, 'queue' | 'statementTime'>, places: Places) {
    this.#limits = limits;
    this.#places = places;
    this.#share = places.share ?? Math.max(1, Math.floor(places.most / 2));
    this.#allowances = new CallerAllowances(this.#share, places.most);
    this.#waiting = new CallerQueues(limits.queue);
  }

  add(job: J): void {
    const { key } = job.caller;
    if ((this.#free.size === 0 || this.#waiting.isWaiting(key)) && !this.#waiting.hasRoomFor(key)) {
      job.reject(ApiError.of('database.busy', undefined));
      return;
    }
    this.#waiting.add(job);
    this.#next();
  }

  /** A place that can take a job: a new one, or one whose job has ended. */
  free(place: Place<J>): void {
    this.#forget(place, true);
    this.#free.add(place);
    this.#next();
  }

  /** Whether the place waits for a job. */
  isFree(place: Place<J>): boolean {
    return this.#free.has(place);
  }

  /** The place has ended; the caller of this function answers its job, if it had one. */
  gone(place: Place<J>): void {
    this.#forget(place, false);
    this.#free.delete(place);
    this.#next();
  }

  /** No further job is started. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting.giveUpAll();
    this.#free.clear();
  }

  #forget(place: Place<J>, isWhole: boolean): void {
    const running = this.#running.get(place);
    if (running === undefined) return;
    this.#running.delete(place);
    if (running.isSlow) this.#slowWork--;
    const { plan, caller } = running.job;
    if (isWhole && running.stoppedAt === undefined && performance.now() - running.since < slow) {
      this.#quick.add(plan);
      if (!running.wasQuick) this.#allowances.raise(caller.key);
    } else this.#noteSlow(running.job);
  }

  #noteSlow({ plan, caller }: J): void {
    this.#quick.delete(plan);
    this.#allowances.reset(caller.key);
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const [place] = this.#free;
      if (place === undefined) break;
      const job = this.#take();
      if (job === undefined) break;
      this.#free.delete(place);
      this.#running.set(place, {
        job,
        since: performance.now(),
        wasQuick: this.#quick.has(job.plan),
        isSlow: false,
        stoppedAt: undefined,
      });
      place.begin(job);
    }
    if (this.#waiting.length > 0 && this.#free.size === 0) this.#places.open(false);
    if (this.#waiting.length > 0 || this.#running.size > 0) this.#timer ??= setInterval(() => this.#watch(), watchEvery).unref();
  }

  /** What was quick the last time, then the job of the caller with the least work under way, among those who may have a further place. */
  #take(): J | undefined {
    this.#turns = (this.#turns + 1) % anybodys;
    const behindQuick = this.#turns === 0 ? 0 : this.#places.most + 1;
    const work = this.#workOf();
    return this.#waiting.take((key, { plan }) => {
      const { slow, unsure, all } = work.get(key) ?? nothing;
      if (this.#quick.has(plan)) return all;
      return unsure >= (slow > 0 ? this.#share : this.#allowances.of(key)) ? undefined : all + behindQuick;
    });
  }

  #workOf(): Map<string, Work> {
    const work = new Map<string, Work>();
    for (const { job, isSlow, wasQuick } of this.#running.values()) {
      const of = work.get(job.caller.key) ?? { slow: 0, unsure: 0, all: 0 };
      of.all++;
      if (isSlow) of.slow++;
      if (isSlow || !wasQuick) of.unsure++;
      work.set(job.caller.key, of);
    }
    return work;
  }

  #watch(): void {
    const now = performance.now();
    for (const [place, running] of this.#running) {
      const milliseconds = now - running.since;
      if (!running.isSlow && milliseconds > slow) {
        running.isSlow = true;
        this.#slowWork++;
        this.#noteSlow(running.job);
      }
      if (milliseconds > long) place.giveWay?.();
      // An earlier attempt to stop it may have been lost.
      if (running.stoppedAt !== undefined && now - running.stoppedAt > patience) {
        running.stoppedAt = now;
        place.stop();
      }
      const { statementTime } = this.#limits;
      if (milliseconds > statementTime) this.#stop(place, running, ApiError.of('database.time', { limit: statementTime }));
      else if (running.isSlow && running.job.caller.hasLeft()) this.#stop(place, running, ApiError.of('database.busy', undefined));
    }
    // A request that has waited as long as a statement may take fails, and no work is done for disconnected clients.
    this.#waiting.sweep(Math.max(this.#limits.statementTime, leastWait));
    if (this.#slowWork > this.#share) this.#stopExcess();
    this.#help();
    if (this.#waiting.length === 0 && this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Stops slow work of callers that hold more than their share, where what was quick of another caller takes long meanwhile. */
  #stopExcess(): void {
    const now = performance.now();
    const entries = [...this.#running];
    for (const [key, work] of this.#workOf()) {
      if (work.slow <= this.#share) continue;
      const delays = entries.some(([, { job, since, wasQuick }]) => job.caller.key !== key && wasQuick && now - since > delayed);
      if (!delays) continue;
      const own = entries.filter(([, { job, isSlow }]) => isSlow && job.caller.key === key);
      // The oldest come first, and those that are being stopped count.
      for (const [place, running] of own.slice(0, work.slow - this.#share))
        this.#stop(place, running, ApiError.of('database.stopped', undefined));
    }
  }

  /** Makes room for callers that wait behind the slow work of others. */
  #help(): void {
    if (this.#waiting.length === 0 || this.#free.size > 0 || this.#slowWork < this.#running.size) return;
    const work = this.#workOf();
    const longest = this.#waiting.longestWait((key) => (work.get(key)?.slow ?? 0) < this.#share);
    if (longest === 0) return;
    this.#places.open(true);
    this.#stopOne(longest, work);
  }

  /** Stops the longest-running job of the caller with the most work: at once if that caller exceeds a fair share, after a while otherwise. One job at a time, as its place is free soon. */
  #stopOne(waited: number, work: ReadonlyMap<string, { readonly all: number }>): void {
    const now = performance.now();
    let victim: [Place<J>, Running<J>] | undefined;
    let most = 0;
    for (const [place, running] of this.#running) {
      if (running.stoppedAt !== undefined) {
        if (now - running.stoppedAt < slow) return;
        continue;
      }
      const { all } = work.get(running.job.caller.key) ?? nothing;
      if (Math.min(waited, now - running.since) < (all > this.#share ? slow : patience)) continue;
      if (all > most || (all === most && victim !== undefined && running.since < victim[1].since)) {
        victim = [place, running];
        most = all;
      }
    }
    if (victim !== undefined) this.#stop(...victim, ApiError.of('database.stopped', undefined));
  }

  #stop(place: Place<J>, running: Running<J>, error: ApiError): void {
    if (running.stoppedAt !== undefined) return;
    running.stoppedAt = performance.now();
    running.job.reject(error);
    place.stop();
  }
}

const nothing: Work = { slow: 0, unsure: 0, all: 0 };
