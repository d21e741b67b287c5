/** What this process knows of the receiver of a webhook: what is to be sent to it, what is on its
 *  way, and for how long it is left alone. */
import { performance } from 'node:perf_hooks';
import type { Delivery } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';

/** Messages that are on their way at the same time. */
const messagesAtOnce = 10;
/** Failures in a row after which a receiver gets one message at a time, with growing pauses. */
const failuresUntilPause = 3;
/** Milliseconds. */
const pauseStep = 1000;
const longestPause = 30_000;
/** A receiver may ask for a pause of this at most. Milliseconds. */
export const longestWait = 3_600_000;

export class Receiver {
  /** As it was defined when it was last looked up. */
  webhook: Webhook;
  /** Ids of deliveries that were read and whose outcome is not stored yet. */
  readonly known = new Set<number>();
  readonly queue: Delivery[] = [];
  /** When to look for due deliveries again. Milliseconds since the epoch. */
  nextLook = 0;
  #running = 0;
  #failures = 0;
  #unsent = 0;
  /** Milliseconds of `performance.now()`. */
  #restsUntil = 0;

  constructor(webhook: Webhook) {
    this.webhook = webhook;
  }

  get isResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /** Takes a message that may be sent now. `ended` has to be called afterwards. */
  next(): Delivery | undefined {
    const most = this.#failures >= failuresUntilPause ? 1 : messagesAtOnce;
    if (this.isResting || this.#running >= most) return undefined;
    const delivery = this.queue.shift();
    if (delivery !== undefined) this.#running++;
    return delivery;
  }

  ended(): void {
    this.#running--;
  }

  /** Counts messages in a row that were not delivered, also for reasons that the receiver knows
   *  nothing of. Returns whether that is to be reported. */
  noted(isDelivered: boolean): 'failing' | 'recovered' | undefined {
    const before = this.#unsent;
    this.#unsent = isDelivered ? 0 : before + 1;
    if (isDelivered) return before >= failuresUntilPause ? 'recovered' : undefined;
    return this.#unsent === failuresUntilPause ? 'failing' : undefined;
  }

  responded(isDelivered: boolean, retryAfter = 0): void {
    this.#failures = isDelivered ? 0 : this.#failures + 1;
    const excess = this.#failures - failuresUntilPause + 1;
    const pause = excess <= 0 ? 0 : Math.min(pauseStep * 2 ** Math.min(excess, 10), longestPause);
    const wanted = isDelivered ? 0 : Math.min(retryAfter, longestWait);
    this.#restsUntil = performance.now() + Math.max(pause, wanted);
  }
}
