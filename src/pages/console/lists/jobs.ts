/** Publishing, unpublishing and deleting of several documents: ten seconds later, so that it can be
 *  undone, a few requests at a time. It goes on while other pages of the console are shown; when the
 *  tab is closed before, it is not done. */
import { computed, type Signal, signal } from '@preact/signals';
import { type DescribedType, me } from '../server/me.ts';
import { type Failure, request } from '../server/request.ts';
import { forgetLeftWork, workKey } from '../work/work-store.ts';

export type BulkAction = 'publish' | 'unpublish' | 'delete';

export interface ChosenDocument {
  readonly documentId: string;
  readonly title: string;
}

export interface FailedDocument extends ChosenDocument {
  readonly failure: Failure | undefined;
}

export type JobState =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'running'; readonly done: number }
  | { readonly phase: 'failed'; readonly failures: readonly FailedDocument[] };

export interface Job {
  readonly id: number;
  readonly action: BulkAction;
  readonly type: DescribedType;
  readonly locale: string | undefined;
  readonly documents: readonly ChosenDocument[];
  /** When it begins, in milliseconds since 1970. */
  readonly beginsAt: number;
  readonly state: Signal<JobState>;
}

export const undoSeconds = 10;
const atOnce = 4;

/** Those that wait, run, or have failures to read. */
export const jobs = signal<readonly Job[]>([]);
/** Counts finished jobs, by the uid of their type: lists read their rows again. */
export const finished = signal<Readonly<Record<string, number>>>({});
/** Whether closing the page would lose something. */
const isBusy = computed(() => jobs.value.some(({ state }) => state.value.phase !== 'failed'));

const timers = new Map<number, ReturnType<typeof setTimeout>>();
let next = 1;

export function beginJob(work: Pick<Job, 'action' | 'type' | 'locale' | 'documents'>, done: (job: Job, count: number) => void): void {
  const job: Job = { ...work, id: next++, beginsAt: Date.now() + undoSeconds * 1000, state: signal<JobState>({ phase: 'waiting' }) };
  jobs.value = [...jobs.value, job];
  timers.set(
    job.id,
    setTimeout(() => void run(job, done), undoSeconds * 1000),
  );
}

/** Nothing was done yet. */
export function undoJob({ id }: Job): void {
  clearTimeout(timers.get(id));
  dropJob(id);
}

export function dropJob(id: number): void {
  timers.delete(id);
  jobs.value = jobs.value.filter((job) => job.id !== id);
}

async function run(job: Job, done: (job: Job, count: number) => void): Promise<void> {
  const failures: FailedDocument[] = [];
  const left = [...job.documents];
  let handled = 0;
  job.state.value = { phase: 'running', done: 0 };
  const work = async () => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) {
      const { ok, failure } = await send(job, each.documentId);
      if (!ok) failures.push({ ...each, failure });
      handled += 1;
      job.state.value = { phase: 'running', done: handled };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) job.state.value = { phase: 'failed', failures };
  else dropJob(job.id);
  const { uid } = job.type;
  finished.value = { ...finished.value, [uid]: (finished.value[uid] ?? 0) + 1 };
  done(job, job.documents.length - failures.length);
}

async function send({ action, type, locale, beginsAt }: Job, documentId: string) {
  const path = `${type.path}/${encodeURIComponent(documentId)}`;
  const query = locale === undefined ? '' : `locale=${encodeURIComponent(locale)}`;
  if (action !== 'delete') return request('POST', `${path}/actions/${action}`, { query });
  const answer = await request('DELETE', path, { query });
  // What was typed after the deletion was ordered is not for it to take.
  const orderedAt = beginsAt - undoSeconds * 1000;
  if (answer.ok) await forgetLeftWork(workKey(type.uid, documentId, locale), new Date(orderedAt).toISOString());
  return answer;
}

/** What is going to happen to the documents of a list. */
export function pendingOf(uid: string, locale: string | undefined): ReadonlyMap<string, BulkAction> {
  const own = jobs.value.filter((job) => job.type.uid === uid && job.locale === locale && job.state.value.phase !== 'failed');
  return new Map(own.flatMap(({ action, documents }) => documents.map(({ documentId }) => [documentId, action] as const)));
}

/** The actions that the user may use on documents of the type. */
export function bulkActionsOf({ actions, draftAndPublish }: DescribedType): readonly BulkAction[] {
  const mayPublish = draftAndPublish && actions.publish !== undefined;
  return [...(mayPublish ? (['publish', 'unpublish'] as const) : []), ...(actions.delete === undefined ? [] : (['delete'] as const))];
}

/** Until the page is closed; who signed in cannot change without that. */
export function warnOfJobs(): void {
  addEventListener('beforeunload', (event) => {
    if (me.value !== undefined && isBusy.value) event.preventDefault();
  });
}
