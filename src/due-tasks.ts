/** What the scheduler does when it is due: one document, or a release. */
import { type EventCaller, type NewEvent, releaseUid } from './events/document-event.ts';
import type { PublishEntries } from './http/endpoints/releases/publish-entries.ts';
import type { Actor } from './identity/actor.ts';
import type { ContentModel } from './model/content-model.ts';
import type { AnswerWrite, Caller, RefusedOperations } from './pipeline/call.ts';
import { dueReleases, noteFailure, type ReleaseWithEntries } from './schedule/release-store.ts';
import { due, note, type Scheduled } from './schedule/schedule-store.ts';
import type { WaitingTables } from './schedule/waiting-tables.ts';
import type { Rows } from './sql/rows.ts';
import { objectAt, parsedObject } from './text/json.ts';
import { textOfBody } from './text/text-of-body.ts';

export interface TaskParts {
  readonly model: ContentModel;
  readonly answerWrite: AnswerWrite;
  readonly publishEntries: PublishEntries;
  /** Whoever has scheduled it, with present rights; undefined if that user or token is gone. */
  readonly actorOf: (caller: EventCaller) => Promise<Actor | undefined>;
}

/** `again`: for reasons that may pass. `outdated`: it was done or changed meanwhile. */
export type TaskOutcome = { readonly state: 'done' | 'again' | 'outdated' } | { readonly state: 'failed'; readonly problem: string };

export interface Task {
  /** Among all that is due. */
  readonly key: string;
  readonly dueAt: number;
  readonly caller: EventCaller;
  /** What the log says of it. */
  readonly what: Readonly<Record<string, unknown>>;
  run(): Promise<TaskOutcome>;
  /** Returns false if another process has noted it. */
  note(state: 'done' | 'failed', problem: string, rows: Rows): Promise<boolean>;
  readonly failure: NewEvent;
}

/** The earliest first. */
export async function dueTasks(most: number, tables: WaitingTables, parts: TaskParts, rows: Rows): Promise<readonly Task[]> {
  const now = Date.now();
  const tasks = [
    ...(tables.schedules ? await due(now, most, rows) : []).map((each) => documentTask(each, parts)),
    ...(tables.releases ? await dueReleases(now, most, rows) : []).map((each) => releaseTask(each, parts)),
  ];
  return tasks.sort((a, b) => a.dueAt - b.dueAt);
}

const caller: Caller = { key: 'schedule', hasLeft: () => false, isCurrent: true };
const gone = 'whoever has scheduled it is gone or blocked';
const failed = (problem: string): TaskOutcome => ({ state: 'failed', problem });
const failure = (type: NewEvent['type'], of: Pick<NewEvent, 'uid' | 'documentId' | 'locale'>): NewEvent => ({
  ...{ type, ...of },
  ...{ status: null, isNew: false, paths: [] },
});
const isTemporary = (status: number) => status >= 500 || status === 429;

function documentTask(scheduled: Scheduled, parts: TaskParts): Task {
  const { id, uid, documentId, locale, action, dueAt } = scheduled;
  return {
    ...{ key: `schedule ${id}`, dueAt, caller: scheduled.caller },
    what: { uid, documentId, locale, action },
    run: () => publishDocument(scheduled, parts),
    note: (state, problem, rows) => note(id, state, problem, Date.now(), rows),
    failure: failure('schedule.failed', { uid, documentId, locale }),
  };
}

async function publishDocument(scheduled: Scheduled, { model, answerWrite, actorOf }: TaskParts): Promise<TaskOutcome> {
  const { id, uid, documentId, locale, action } = scheduled;
  const type = model.contentTypes.get(uid);
  if (type === undefined) return failed('there is no such content type any more');
  const actor = await actorOf(scheduled.caller);
  if (actor === undefined) return failed(gone);
  const right = `${uid}.publish`;
  if (!actor.rights.allows(right)) return failed('whoever has scheduled it may no longer publish');
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
      // Two processes may begin the same: it lets one write.
      idempotencyKey: `schedule ${id}`,
    },
    caller,
  );
  if (outcome.status < 300) return { state: 'done' };
  if (isTemporary(outcome.status)) return { state: 'again' };
  if (outcome.status === 404) return failed('the document is gone, or whoever has scheduled it may no longer publish it');
  return failed(messageIn(outcome.body));
}

function messageIn(body: string | Uint8Array | null): string {
  const { message } = objectAt(parsedObject(textOfBody(body ?? '')) ?? {}, 'error') ?? {};
  return String(message);
}

function releaseTask(release: ReleaseWithEntries, parts: TaskParts): Task {
  const { id, name } = release;
  return {
    ...{ key: `release ${id}`, dueAt: release.publishAt ?? 0, caller: release.caller },
    what: { release: id, name },
    run: () => publishRelease(release, parts),
    // That it is done was noted with it.
    note: async (state, problem, rows) => state === 'done' || noteFailure(release, problem, Date.now(), rows),
    failure: failure('release.failed', { uid: releaseUid, documentId: String(id), locale: null }),
  };
}

async function publishRelease(release: ReleaseWithEntries, { publishEntries, actorOf }: TaskParts): Promise<TaskOutcome> {
  const { entries } = release;
  if (entries.length === 0) return failed('it has no entries any more');
  const actor = await actorOf(release.caller);
  if (actor === undefined) return failed(gone);
  const outcome = await publishEntries({ entries, actor, caller, dryRun: false, release });
  if (outcome.status < 300) return { state: 'done' };
  if (outcome.refused !== undefined) return failed(problemIn(outcome.refused, release));
  if (isTemporary(outcome.status)) return { state: 'again' };
  return outcome.status === 409 ? { state: 'outdated' } : failed(messageIn(outcome.body));
}

/** What is refused is named, as far as a column of the log can be read. */
const mostNamed = 5;

function problemIn({ errors, more }: RefusedOperations, { entries }: ReleaseWithEntries): string {
  const named = errors.slice(0, mostNamed).map(({ operation, path, message }) => {
    const { uid, documentId } = entries[operation] ?? {};
    const at = path.length === 0 ? '' : `${path.join('.')}: `;
    return `entry ${operation} (${uid}${documentId ? ` ${documentId}` : ''}): ${at}${message}`;
  });
  const others = errors.length - named.length + more;
  return [...named, ...(others === 0 ? [] : [`and ${others} more`])].join('; ');
}
