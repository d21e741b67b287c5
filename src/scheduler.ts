/** Does what is due: publishes and unpublishes documents, with the rights that whoever has scheduled
 *  it has then.
 *
 *  Every process looks. Two of them may begin the same: its `Idempotency-Key` lets one write. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from './dialects/database.ts';
import { writeUnshown } from './dialects/retry-conflicts.ts';
import type { Actor } from './identity/actor.ts';
import type { ContentModel } from './model/content-model.ts';
import type { AnswerWrite } from './pipeline/call.ts';
import { day } from './pruning.ts';
import { due, hasOldSchedules, note, removeOldSchedules, type Scheduled } from './schedule/schedule-store.ts';
import { Rows } from './sql/rows.ts';
import { objectAt, parsedObject } from './text/json.ts';
import { textOfBody } from './text/text-of-body.ts';

export interface SchedulerParts {
  readonly model: ContentModel;
  readonly database: Database;
  readonly answerWrite: AnswerWrite;
  /** Whoever has scheduled it, with present rights; undefined if that user or token is gone. */
  readonly actorOf: (caller: Scheduled['caller']) => Promise<Actor | undefined>;
  readonly log: FastifyBaseLogger;
}

/** Milliseconds. */
const lookEvery = 1000;
const atOnce = 20;
/** What cannot be done for reasons of the server is tried for this long. Milliseconds. */
const triedFor = 60 * 60 * 1000;
const retriedAfter = 10_000;
/** How long it stays in lists after it is done. Milliseconds. */
const listedFor = 30 * day;
/** An error that repeats is logged this often. Milliseconds. */
const logEvery = 60_000;

export class Scheduler {
  readonly #parts: SchedulerParts;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** What has failed for reasons that may pass: since when, and when it is tried again. */
  readonly #failing = new Map<number, { readonly since: number; readonly next: number }>();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#wait();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #wait(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#look().finally(() => this.#wait());
    }, lookEvery).unref();
  }

  async #look(): Promise<void> {
    const { database, log } = this.#parts;
    try {
      const most = atOnce + this.#failing.size;
      const found = await database.read((connection) => due(Date.now(), most, new Rows(connection, database.dialect)));
      for (const each of found) if (!this.#isClosed && this.#isNext(each.id)) await this.#do(each);
    } catch (error) {
      if (performance.now() - this.#loggedAt < logEvery) return;
      this.#loggedAt = performance.now();
      log.warn({ err: error }, 'scheduled publications cannot be looked up');
    }
  }

  #isNext(id: number): boolean {
    return Date.now() >= (this.#failing.get(id)?.next ?? 0);
  }

  /** Notes that it is to be tried again. Returns whether it is. */
  #triesAgain(id: number): boolean {
    const now = Date.now();
    const since = this.#failing.get(id)?.since ?? now;
    if (now - since >= triedFor) return false;
    this.#failing.set(id, { since, next: now + retriedAfter });
    return true;
  }

  async #do(scheduled: Scheduled): Promise<void> {
    const { database, log } = this.#parts;
    // A mistake in a hook must not keep what comes after it.
    const problem = await this.#problemOf(scheduled).catch((error: unknown) => {
      log.warn({ err: error, uid: scheduled.uid, documentId: scheduled.documentId }, 'a scheduled publication could not be tried');
      return this.#triesAgain(scheduled.id) ? undefined : 'it could not be tried: see the log of the server';
    });
    if (problem === undefined) return;
    this.#failing.delete(scheduled.id);
    const { id, uid, documentId, locale, action } = scheduled;
    const state = problem === '' ? 'done' : 'failed';
    await writeUnshown(database, (connection) => note(id, state, problem, Date.now(), new Rows(connection, database.dialect)));
    if (state === 'failed') log.warn({ uid, documentId, locale, action, problem }, 'a scheduled publication has failed');
  }

  /** Empty if it is done; undefined if it is to be tried again. */
  async #problemOf({ id, uid, documentId, locale, action, caller }: Scheduled): Promise<string | undefined> {
    const { model, answerWrite, actorOf } = this.#parts;
    const type = model.contentTypes.get(uid);
    if (type === undefined) return 'there is no such content type any more';
    const actor = await actorOf(caller);
    if (actor === undefined) return 'whoever has scheduled it is gone or blocked';
    const right = `${uid}.publish`;
    if (!actor.rights.allows(right)) return 'whoever has scheduled it may no longer publish';
    const outcome = await answerWrite(
      {
        ...{ type, action, documentId: type.kind === 'singleType' ? undefined : documentId },
        partial: true,
        query: locale === null ? '' : `locale=${encodeURIComponent(locale)}`,
        body: undefined,
        actor,
        restriction: actor.rights.restriction(right),
        envelope: 'flat',
        ifMatch: undefined,
        idempotencyKey: `schedule ${id}`,
      },
      { key: 'schedule', hasLeft: () => false, isCurrent: true },
    );
    if (outcome.status < 300) return '';
    const { message } = objectAt(parsedObject(textOfBody(outcome.body ?? '')) ?? {}, 'error') ?? {};
    const isTemporary = outcome.status >= 500 || outcome.status === 429;
    return isTemporary && this.#triesAgain(id) ? undefined : String(message);
  }
}

/** Removes what was done long ago, all at once. Returns 0: there is never more of it. */
export async function pruneSchedules(database: Database): Promise<number> {
  const before = Date.now() - listedFor;
  const hasOld = await database.read((connection) => hasOldSchedules(before, new Rows(connection, database.dialect)));
  if (hasOld) await writeUnshown(database, (connection) => removeOldSchedules(before, new Rows(connection, database.dialect)));
  return 0;
}
