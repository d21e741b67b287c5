/** Sends events to webhooks. Of all processes that share a database, the holder of a lease does it:
 *  it makes a delivery of each event for each webhook, and sends what is due. At least once, and the
 *  deliveries of one document one after another. */
import { performance } from 'node:perf_hooks';
import type { Database } from '../../dialects/database.ts';
import { writeUnshown } from '../../dialects/retry-conflicts.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { WebhookFigures } from '../../observe/figures.ts';
import { Rows } from '../../sql/rows.ts';
import type { JsonObject } from '../../text/json.ts';
import type { StoredEvent } from '../event-store.ts';
import type { Lease } from '../lease.ts';
import {
  type Attempt,
  type Delivery,
  dropDeliveries,
  dueDeliveries,
  insertDeliveries,
  markHandled,
  nextDue,
  storeAttempts,
  unhandledEvents,
} from './delivery-store.ts';
import { entryPayload, thinPayload } from './payload.ts';
import { nextAttempt } from './retry-pauses.ts';
import type { Receipt, WebhookSender } from './send-webhook.ts';
import { eventNameFor, type Webhook } from './webhook.ts';
import { forgetWebhook, knownSince, noteWebhook } from './webhook-store.ts';

/** Events that are handled in one transaction. */
const eventsAtOnce = 200;
/** Messages that are on their way to one receiver, and those that are read ahead. */
const messagesAtOnce = 10;
const readAhead = 100;
/** Milliseconds between the beginnings of two steps: under load, many events share a transaction. */
const stepEvery = 60;
/** After so many failures in a row, a receiver gets one message at a time, with growing pauses. */
const failuresUntilPause = 3;
const pauseStep = 1000;
const longestPause = 30_000;
/** A receiver may ask for a pause of this at most, before it is asked again. Milliseconds. */
const longestWait = 3_600_000;
/** How often webhooks, and what was asked to be sent again, are looked up. Milliseconds. */
const lookEvery = 5000;

export interface DispatcherParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly lease: Lease;
  readonly sender: WebhookSender;
  /** All webhooks at present. */
  readonly webhooks: () => Promise<readonly Webhook[]>;
  readonly entryOf: (event: StoredEvent, webhook: Webhook) => Promise<FoundEntry>;
  /** Milliseconds between two looks for events of other processes. */
  readonly pollEvery: number;
  /** Gets the error of a step; it is attempted again. */
  readonly failed: (error: unknown) => void;
  readonly figures: Map<string, WebhookFigures>;
}

/** The document of an event, read with the webhook's rights: undefined if there is none that it may
 *  read. Or why the webhook can read nothing. */
export type FoundEntry = { readonly entry: JsonObject | undefined } | { readonly problem: string };

/** What this process knows of a receiver. */
interface Receiver {
  /** Ids of deliveries that were read and whose outcome is not stored yet. */
  readonly known: Set<number>;
  /** Those that are to be sent. */
  readonly queue: Delivery[];
  /** How many are on their way. */
  running: number;
  failures: number;
  /** Milliseconds of `performance.now()`. */
  pausedUntil: number;
  /** When to look for due deliveries again. Milliseconds since the epoch. */
  nextLook: number;
}

export class WebhookDispatcher {
  readonly #parts: DispatcherParts;
  readonly #receivers = new Map<string, Receiver>();
  readonly #stopping = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  readonly #outcomes: Attempt[] = [];
  #webhooks: readonly Webhook[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isKnown = false;
  #wake: () => void = () => undefined;
  #isWoken = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Resolves when the webhooks are known, so that they get every event from then on. */
  async start(): Promise<void> {
    await this.#lookUpWebhooks();
    await this.#noteWebhooks();
    this.#loop = this.#run();
  }

  /** There may be new events. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Gives up what is on its way, and hands over to another process. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#sending);
    const { lease, sender, failed } = this.#parts;
    try {
      if (this.#outcomes.length > 0) await this.#storeOutcomes();
      await lease.release();
    } catch (error) {
      failed(error);
    }
    sender.close();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now();
      this.#isWoken = false;
      let rest = lookEvery;
      try {
        await this.#step();
        if (this.#webhooks.length > 0) rest = this.#parts.pollEvery;
      } catch (error) {
        this.#parts.failed(error);
      }
      await this.#pause(rest);
      await sleep(Math.max(0, began + stepEvery - performance.now()));
    }
  }

  async #step(): Promise<void> {
    const { lease } = this.#parts;
    await this.#lookUpWebhooks();
    if (this.#webhooks.length === 0) {
      if (!this.#isKnown) await this.#noteWebhooks();
      return;
    }
    if (!(await lease.hold())) {
      this.#forget();
      return;
    }
    if (!this.#isKnown) await this.#noteWebhooks();
    while (!this.#isStopped && lease.isHeld() && (await this.#handleEvents()));
    for (const webhook of this.#webhooks) await this.#readDue(webhook);
  }

  /** Another process sends; what this one knew is outdated. */
  #forget(): void {
    for (const { queue } of this.#receivers.values()) queue.length = 0;
    this.#receivers.clear();
    this.#outcomes.length = 0;
    this.#isKnown = false;
  }

  async #lookUpWebhooks(): Promise<void> {
    if (performance.now() - this.#lookedAt < lookEvery) return;
    this.#lookedAt = performance.now();
    const webhooks = await this.#parts.webhooks();
    if (webhooks.map(({ key }) => key).join() !== this.#webhooks.map(({ key }) => key).join()) this.#isKnown = false;
    this.#webhooks = webhooks;
    // Some may have been asked for again, from the command line.
    for (const receiver of this.#receivers.values()) receiver.nextLook = 0;
  }

  /** A webhook gets the events from when it is first seen. One that is gone is forgotten, and what waits for it is set aside. */
  async #noteWebhooks(): Promise<void> {
    const present = new Set(this.#webhooks.map(({ key }) => key));
    const differs = (known: ReadonlyMap<string, number>) => known.size !== present.size || [...present].some((key) => !known.has(key));
    if (differs(await this.#read(knownSince)))
      await this.#write(async (rows) => {
        rows.lock(['webhooks']);
        const known = await knownSince(rows);
        const now = Date.now();
        for (const key of present) if (!known.has(key)) await noteWebhook(key, undefined, now, rows);
        for (const key of known.keys()) {
          if (present.has(key)) continue;
          await forgetWebhook(key, rows);
          dropDeliveries(key, now, rows);
        }
      });
    for (const key of this.#receivers.keys()) if (!present.has(key)) this.#receivers.delete(key);
    this.#isKnown = true;
  }

  /** Makes the deliveries of new events, and stores what became of others, in one transaction. Returns whether there may be more events. */
  async #handleEvents(): Promise<boolean> {
    // A transaction that writes is begun only if there is something to do.
    const [events, since] = await this.#read(async (rows) => {
      const found = await unhandledEvents(eventsAtOnce, rows);
      return [found, found.length === 0 ? new Map<string, number>() : await knownSince(rows)];
    });
    if (events.length === 0 && this.#outcomes.length === 0) return false;
    const deliveries = events.flatMap((event) =>
      this.#webhooks.flatMap((webhook) => {
        const name = eventNameFor(event, webhook);
        return name === undefined || event.id <= (since.get(webhook.key) ?? 0) ? [] : { event, webhook: webhook.key, name };
      }),
    );
    await this.#storeOutcomes((rows) => {
      const now = Date.now();
      insertDeliveries(deliveries, now, rows);
      const ids = events.map(({ id }) => id);
      markHandled(ids, now, rows);
    });
    for (const { webhook } of deliveries) this.#receiver(webhook).nextLook = 0;
    return events.length === eventsAtOnce;
  }

  async #readDue(webhook: Webhook): Promise<void> {
    const receiver = this.#receiver(webhook.key);
    const now = Date.now();
    if (receiver.queue.length === 0 && receiver.nextLook <= now) {
      const due = await this.#read((rows) => dueDeliveries(webhook.key, now, readAhead + receiver.known.size, rows));
      for (const delivery of due.filter(({ id }) => !receiver.known.has(id)).slice(0, readAhead)) {
        receiver.known.add(delivery.id);
        receiver.queue.push(delivery);
      }
      if (due.length === 0) {
        const next = await this.#read(nextDue);
        receiver.nextLook = next.get(webhook.key) ?? Number.POSITIVE_INFINITY;
      }
    }
    this.#sendNext(webhook, receiver);
  }

  #sendNext(webhook: Webhook, receiver: Receiver): void {
    const most = receiver.failures >= failuresUntilPause ? 1 : messagesAtOnce;
    while (receiver.running < most && performance.now() >= receiver.pausedUntil && !this.#isStopped && this.#parts.lease.isHeld()) {
      const delivery = receiver.queue.shift();
      if (delivery === undefined) return;
      this.#start(delivery, webhook, receiver);
    }
  }

  #start(delivery: Delivery, webhook: Webhook, receiver: Receiver): void {
    receiver.running++;
    const sending = this.#send(delivery, webhook, receiver).catch((error) => {
      receiver.known.delete(delivery.id);
      receiver.nextLook = Date.now() + lookEvery;
      this.#parts.failed(error);
    });
    this.#sending.add(sending);
    void sending.finally(() => {
      receiver.running--;
      this.#sending.delete(sending);
      this.#sendNext(webhook, receiver);
      this.wake();
    });
  }

  async #send(delivery: Delivery, webhook: Webhook, receiver: Receiver): Promise<void> {
    const receipt = await this.#attempt(delivery, webhook);
    // What was given up is sent by the next process, and what another process sends is its business.
    if ((this.#isStopped && !receipt.isDelivered) || !this.#parts.lease.isHeld()) return;
    const now = Date.now();
    const attempts = delivery.attempts + 1;
    const { isDelivered, status, response, retryAfter, took } = receipt;
    const next = isDelivered ? undefined : nextAttempt({ attempts, status, retryAfter, since: delivery.createdAt, now }, Math.random());
    const state = isDelivered ? 'delivered' : next === undefined ? 'failed' : 'waiting';
    this.#outcomes.push({ id: delivery.id, state, attempts, dueAt: next, status: status ?? null, response, took });
    this.#note(state, webhook, receiver, retryAfter);
  }

  async #attempt({ id, event, name }: Delivery, webhook: Webhook): Promise<Receipt> {
    const { model, entryOf, sender } = this.#parts;
    const parts = { event, name, type: model.contentTypes.get(event.uid), model };
    const found = webhook.payload === 'thin' ? undefined : await entryOf(event, webhook);
    if (found !== undefined && 'problem' in found)
      return { isDelivered: false, status: undefined, response: found.problem, retryAfter: undefined, took: 0 };
    const body = JSON.stringify(found === undefined ? thinPayload(parts) : entryPayload(parts, found.entry));
    return sender.send(webhook, { id: `msg_${id}`, name, body }, this.#stopping.signal);
  }

  #note(state: Attempt['state'], { name }: Webhook, receiver: Receiver, retryAfter: number | undefined): void {
    const figures = this.#parts.figures.get(name) ?? { delivered: 0, failed: 0, setAside: 0 };
    this.#parts.figures.set(name, figures);
    if (state === 'delivered') figures.delivered++;
    else if (state === 'failed') figures.setAside++;
    else figures.failed++;
    receiver.failures = state === 'delivered' ? 0 : receiver.failures + 1;
    const excess = receiver.failures - failuresUntilPause + 1;
    const pause = excess <= 0 ? 0 : Math.min(pauseStep * 2 ** Math.min(excess, 10), longestPause);
    receiver.pausedUntil = performance.now() + Math.max(pause, Math.min(retryAfter ?? 0, longestWait));
  }

  /** Until then, the deliveries count as known, so that none is sent twice, and none of their documents gets ahead. */
  async #storeOutcomes(more: (rows: Rows) => void = () => undefined): Promise<void> {
    // Others may come in meanwhile.
    const outcomes = [...this.#outcomes];
    await this.#write(async (rows) => {
      storeAttempts(outcomes, Date.now(), rows);
      more(rows);
    });
    this.#outcomes.splice(0, outcomes.length);
    for (const receiver of this.#receivers.values()) {
      for (const { id } of outcomes) if (receiver.known.delete(id)) receiver.nextLook = 0;
    }
  }

  #receiver(key: string): Receiver {
    const receiver = this.#receivers.get(key) ?? { known: new Set(), queue: [], running: 0, failures: 0, pausedUntil: 0, nextLook: 0 };
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #read<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    const { database } = this.#parts;
    return database.read((connection) => work(new Rows(connection, database.dialect)));
  }

  #write<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    const { database } = this.#parts;
    return writeUnshown(database, (connection) => work(new Rows(connection, database.dialect)));
  }

  /** Ends early when it is woken. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isWoken || this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
