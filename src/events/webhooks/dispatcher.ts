/** Sends events to webhooks. Of all processes that share a database, the holder of a lease does it:
 *  it makes a delivery of each event for each webhook, and sends what is due. At least once, and the
 *  deliveries of one document one after another. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../dialects/database.ts';
import { writeUnshown } from '../../dialects/retry-conflicts.ts';
import { messageOf } from '../../errors/system-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { WebhookFigures } from '../../observe/figures.ts';
import { Rows } from '../../sql/rows.ts';
import type { JsonObject } from '../../text/json.ts';
import type { StoredEvent } from '../event-store.ts';
import type { Lease } from '../lease.ts';
import {
  type Attempt,
  type Delivery,
  dueDeliveries,
  insertDeliveries,
  markHandled,
  nextDue,
  storeAttempts,
  unhandledEvents,
} from './delivery-store.ts';
import { isAbsenceToNote, type KnownWebhooks, noteAbsence, withNewWebhooks } from './known-webhooks.ts';
import { entryPayload, thinPayload } from './payload.ts';
import { Receiver } from './receiver.ts';
import { nextAttempt } from './retry-pauses.ts';
import type { Sender } from './send-webhook.ts';
import { eventNameFor, type Webhook } from './webhook.ts';

/** Events that are handled in one transaction, and messages that are read ahead for a receiver. */
const eventsAtOnce = 200;
const readAhead = 100;
/** Milliseconds between the beginnings of two steps: under load, many events share a transaction. */
const stepEvery = 60;
/** How often webhooks, and messages of `lectern webhook retry`, are looked up. Milliseconds. */
const lookEvery = 5000;
/** How often it is noted which webhooks are no longer there. Milliseconds. */
const noteEvery = 600_000;

export interface DispatcherParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly lease: Lease;
  readonly sender: Sender;
  /** All webhooks at present. */
  readonly webhooks: () => Promise<readonly Webhook[]>;
  readonly read: (event: StoredEvent, webhook: Webhook) => Promise<FoundDocument>;
  /** Milliseconds between two looks for events of other processes. */
  readonly pollEvery: number;
  /** Gets the error of a step; it is attempted again. */
  readonly failed: (error: unknown) => void;
  /** Gets the third failure in a row, and the first delivery after it. */
  readonly changed: (change: WebhookChange) => void;
  readonly figures: Map<string, WebhookFigures>;
}

export interface WebhookChange {
  readonly webhook: string;
  readonly change: 'failing' | 'recovered';
  readonly status: number | undefined;
  readonly response: string;
}

/** The document of an event and the paths that were changed, as far as the webhook's rights go. Or
 *  why the webhook, as it is defined, can read nothing. */
export type FoundDocument = { readonly entry: JsonObject | undefined; readonly changed: readonly string[] } | { readonly problem: string };

/** What became of an attempt. `isOwn`: nothing reached the receiver, so it says nothing about it. */
interface Outcome {
  readonly state: Attempt['state'];
  readonly next: number | undefined;
  readonly status: number | undefined;
  readonly response: string;
  readonly took: number;
  readonly retryAfter: number | undefined;
  readonly isOwn: boolean;
}

export class WebhookDispatcher {
  readonly #parts: DispatcherParts;
  readonly #receivers = new Map<string, Receiver>();
  readonly #stopping = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  readonly #attempts: { readonly webhook: string; readonly attempt: Attempt }[] = [];
  #webhooks: readonly Webhook[] = [];
  #known: KnownWebhooks = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #notedAt = Number.NEGATIVE_INFINITY;
  #isHolder = false;
  #wake: () => void = () => undefined;
  #isWoken = false;
  /** Whether something was written since webhooks were last looked up. */
  #isUnseen = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    // Each message that is on its way listens.
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Resolves when the webhooks are registered: events from then on are sent to them. */
  async start(): Promise<void> {
    // A database that can only be read does not prevent a start.
    await this.#lookUpWebhooks().catch(this.#parts.failed);
    this.#loop = this.#run();
  }

  /** There may be new events. */
  wake(): void {
    this.#isWoken = true;
    this.#isUnseen = true;
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
      if (this.#attempts.length > 0 && lease.isHeld()) await this.#store();
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
      try {
        await this.#step();
        await this.#pause(this.#rest());
      } catch (error) {
        this.#parts.failed(error);
        await this.#pause(lookEvery);
      }
      await sleep(Math.max(0, began + stepEvery - performance.now()));
    }
  }

  /** Without webhooks, nothing is asked of the database until something was written. */
  #rest(): number {
    if (this.#webhooks.length > 0) return this.#parts.pollEvery;
    return this.#isUnseen ? lookEvery : noteEvery;
  }

  async #step(): Promise<void> {
    const { lease, failed } = this.#parts;
    // Another process may have sent meanwhile.
    if (this.#isHolder && !lease.isHeld()) this.#forget();
    const isLookDue = performance.now() - this.#lookedAt >= lookEvery && (this.#webhooks.length > 0 || this.#isUnseen);
    if (isLookDue) await this.#lookUpWebhooks();
    const isNoteDue = performance.now() - this.#notedAt >= noteEvery && isAbsenceToNote(this.#keys, this.#known);
    if (this.#webhooks.length === 0 && !this.#isHolder && !isNoteDue) return;
    if (!(await lease.hold())) return this.#forget();
    this.#isHolder = true;
    if (isNoteDue) await this.#noteAbsence();
    if (this.#webhooks.length === 0) {
      if (this.#attempts.length > 0) await this.#store();
      this.#forget();
      // Another server may have webhooks.
      return lease.release();
    }
    const hasMore = await this.#handleEvents();
    for (const webhook of this.#webhooks) await this.#readDue(webhook).catch(failed);
    if (hasMore) this.wake();
  }

  /** Another process sends, or did so meanwhile: what this one knew is outdated. */
  #forget(): void {
    for (const { queue } of this.#receivers.values()) queue.length = 0;
    this.#receivers.clear();
    this.#attempts.length = 0;
    this.#isHolder = false;
  }

  async #lookUpWebhooks(): Promise<void> {
    this.#lookedAt = performance.now();
    this.#isUnseen = false;
    const webhooks = await this.#parts.webhooks();
    const before = [...this.#keys].join();
    this.#webhooks = webhooks;
    const isChanged = [...this.#keys].join() !== before;
    // An absence is noted at once.
    if (isChanged) this.#notedAt = Number.NEGATIVE_INFINITY;
    const byKey = new Map(webhooks.map((webhook) => [webhook.key, webhook]));
    for (const [key, receiver] of this.#receivers) {
      const webhook = byKey.get(key);
      if (webhook === undefined) {
        receiver.queue.length = 0;
        this.#receivers.delete(key);
      } else {
        receiver.webhook = webhook;
        // Some messages may have been asked for again, from the command line.
        receiver.nextLook = 0;
      }
    }
    this.#known = await withNewWebhooks([...this.#keys], this.#read, this.#write);
  }

  get #keys(): ReadonlySet<string> {
    return new Set(this.#webhooks.map(({ key }) => key));
  }

  async #noteAbsence(): Promise<void> {
    await noteAbsence(this.#keys, this.#write);
    this.#notedAt = performance.now();
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Creates the deliveries of new events and stores outcomes, in one transaction. Returns whether
   *  there may be more events. */
  async #handleEvents(): Promise<boolean> {
    // A transaction that writes is begun only if there is something to do.
    const since = Math.min(...this.#webhooks.map(({ key }) => this.#sinceOf(key)));
    const events = await this.#read((rows) => unhandledEvents(since, eventsAtOnce, rows));
    if (events.length === 0 && this.#attempts.length === 0) return false;
    // Events are handled once: a webhook that was added a moment ago gets them too.
    if (events.length > 0) await this.#lookUpWebhooks();
    const deliveries = events.flatMap((event) =>
      this.#webhooks.flatMap((webhook) => {
        const name = eventNameFor(event, webhook);
        return name === undefined || event.id <= this.#sinceOf(webhook.key) ? [] : { event, webhook: webhook.key, name };
      }),
    );
    await this.#store((rows) => {
      const now = Date.now();
      insertDeliveries(deliveries, now, rows);
      const ids = events.map(({ id }) => id);
      markHandled(ids, now, rows);
    });
    for (const { webhook } of deliveries) {
      const receiver = this.#receivers.get(webhook);
      if (receiver !== undefined) receiver.nextLook = 0;
    }
    return events.length === eventsAtOnce;
  }

  /** The id of the last event before the webhook was known. */
  #sinceOf(key: string): number {
    return this.#known.get(key)?.since ?? Number.MAX_SAFE_INTEGER;
  }

  async #readDue(webhook: Webhook): Promise<void> {
    const receiver = this.#receivers.get(webhook.key) ?? new Receiver(webhook);
    this.#receivers.set(webhook.key, receiver);
    const now = Date.now();
    if (receiver.queue.length === 0 && receiver.nextLook <= now && !receiver.isResting) {
      const due = await this.#read((rows) => dueDeliveries(webhook.key, now, readAhead + receiver.known.size, rows));
      for (const delivery of due.filter(({ id }) => !receiver.known.has(id)).slice(0, readAhead)) {
        receiver.known.add(delivery.id);
        receiver.queue.push(delivery);
      }
      if (due.length === 0) receiver.nextLook = (await this.#read((rows) => nextDue(webhook.key, rows))) ?? Number.POSITIVE_INFINITY;
    }
    this.#sendNext(receiver);
  }

  #sendNext(receiver: Receiver): void {
    while (!this.#isStopped && this.#parts.lease.isHeld()) {
      const delivery = receiver.next();
      if (delivery === undefined) return;
      const sending = this.#send(delivery, receiver);
      this.#sending.add(sending);
      void sending.finally(() => {
        receiver.ended();
        this.#sending.delete(sending);
        this.#sendNext(receiver);
        this.wake();
      });
    }
  }

  /** Never rejects. */
  async #send(delivery: Delivery, receiver: Receiver): Promise<void> {
    const outcome = await this.#attempt(delivery, receiver.webhook);
    // What was given up is sent by the next process, as is all that another one took over.
    if ((this.#isStopped && outcome.state !== 'delivered') || this.#receivers.get(delivery.webhook) !== receiver) return;
    const { id, attempts } = delivery;
    const { state, next, status = null, response, took, retryAfter, isOwn } = outcome;
    const attempt: Attempt = { id, state, attempts: attempts + 1, dueAt: next, status, response, took };
    this.#attempts.push({ webhook: delivery.webhook, attempt });
    const isDelivered = state === 'delivered';
    if (!isOwn) receiver.responded(isDelivered, retryAfter);
    const change = receiver.noted(isDelivered);
    if (change !== undefined) this.#parts.changed({ webhook: receiver.webhook.name, change, status: outcome.status, response });
    this.#count(state, receiver.webhook);
  }

  async #attempt(delivery: Delivery, webhook: Webhook): Promise<Outcome> {
    const { event, name } = delivery;
    const unsent = { status: undefined, took: 0, retryAfter: undefined, isOwn: true };
    const again = (failure: { readonly status: number | undefined; readonly retryAfter: number | undefined }) => {
      const attempt = { ...failure, attempts: delivery.attempts + 1, since: delivery.createdAt, now: Date.now() };
      const next = nextAttempt(attempt, Math.random());
      return { next, state: next === undefined ? ('failed' as const) : ('waiting' as const) };
    };
    try {
      const found = await this.#parts.read(event, webhook);
      // It would be the same each time, until somebody mends the webhook.
      if ('problem' in found) return { ...unsent, state: 'failed', next: undefined, response: found.problem };
      const parts = { event, name, type: this.#parts.model.contentTypes.get(event.uid), changed: found.changed };
      const body = JSON.stringify(webhook.payload === 'thin' ? thinPayload(parts) : entryPayload(parts, found.entry));
      const message = { id: messageIdOf(delivery), name, body, event, entry: found.entry };
      const { isDelivered, isFinal = false, ...receipt } = await this.#parts.sender.send(webhook, message, this.#stopping.signal);
      if (isFinal) return { ...receipt, isOwn: true, state: 'failed', next: undefined };
      const isOwn = false;
      return isDelivered ? { ...receipt, isOwn, state: 'delivered', next: undefined } : { ...receipt, isOwn, ...again(receipt) };
    } catch (error) {
      this.#parts.failed(error);
      return { ...unsent, ...again(unsent), response: `the document cannot be read: ${messageOf(error)}` };
    }
  }

  #count(state: Attempt['state'], { name }: Webhook): void {
    const figures = this.#parts.figures.get(name) ?? { delivered: 0, retried: 0, failed: 0 };
    this.#parts.figures.set(name, figures);
    if (state === 'delivered') figures.delivered++;
    else if (state === 'failed') figures.failed++;
    else figures.retried++;
  }

  /** Stores the outcomes. Until that is done, their deliveries stay in `known`: otherwise they would
   *  be sent twice, and later ones of the same document too early. */
  async #store(more: (rows: Rows) => void = () => undefined): Promise<void> {
    // More attempts may end during the write.
    const outcomes = [...this.#attempts];
    const present = this.#keys;
    // What waited for a webhook that was removed has been set aside.
    const lasting = outcomes.filter(({ webhook, attempt: { state } }) => state !== 'waiting' || present.has(webhook));
    await this.#write(async (rows) => {
      storeAttempts(
        lasting.map(({ attempt }) => attempt),
        Date.now(),
        rows,
      );
      more(rows);
    });
    this.#attempts.splice(0, outcomes.length);
    for (const { webhook, attempt } of outcomes) {
      const receiver = this.#receivers.get(webhook);
      if (receiver?.known.delete(attempt.id)) receiver.nextLook = 0;
    }
  }

  readonly #read = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => {
    const { database } = this.#parts;
    return database.read((connection) => work(new Rows(connection, database.dialect)));
  };

  readonly #write = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => {
    const { database } = this.#parts;
    return writeUnshown(database, (connection) => work(new Rows(connection, database.dialect)));
  };

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

/** The same for each attempt, and another one in each database, though row ids begin at 1 in all:
 *  receivers ignore what they have seen. */
function messageIdOf({ id, webhook, event }: Delivery): string {
  const { documentId, createdAt } = event;
  return `msg_${createHash('sha256')
    .update(JSON.stringify([id, webhook, documentId, createdAt]))
    .digest('hex')
    .slice(0, 32)}`;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
