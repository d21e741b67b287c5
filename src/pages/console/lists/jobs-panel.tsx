/** Work on several documents: its countdown, its progress, and what failed. Shown on every page. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { me, pathNameOf } from '../server/me.ts';
import type { Failure } from '../server/request.ts';
import { hrefOf } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { dropJob, type FailedDocument, type Job, jobs, undoJob, undoSeconds, warnOfJobs } from './jobs.ts';

/** Once in the page, among the notices. */
export function JobsPanel() {
  useEffect(warnOfJobs, []);
  return (
    <>
      {jobs.value.map((job) => (
        <JobNotice key={job.id} job={job} />
      ))}
    </>
  );
}

function JobNotice({ job }: { readonly job: Job }) {
  const state = job.state.value;
  switch (state.phase) {
    case 'waiting':
      return <Waiting job={job} />;
    case 'running':
      return (
        <div class="notice job">
          <div class="job-text">
            <label>
              <span aria-hidden="true">{say(`lists.run.${job.action}`, { done: state.done, all: job.documents.length })}</span>
              <progress max={job.documents.length} value={state.done} aria-label={say(`lists.do.${job.action}`)} />
            </label>
          </div>
        </div>
      );
    case 'failed':
      return <Failed job={job} failures={state.failures} />;
  }
}

function Waiting({ job }: { readonly job: Job }) {
  const { action, type, documents, locale } = job;
  const { locales = [] } = me.value ?? {};
  const localeName = locales.length > 1 ? locales.find(({ code }) => code === locale)?.name : undefined;
  return (
    <div class="notice job">
      <div class="job-text">
        <p>{[type.label, ...(localeName === undefined ? [] : [localeName])].join(' · ')}</p>
        <strong>
          {say(`lists.wait.${action}`, { count: documents.length })} <Countdown job={job} />
        </strong>
        <p class="soft">{say('lists.wait.hint')}</p>
      </div>
      <button type="button" class="primary" onClick={() => undoJob(job)}>
        {say('shell.undo')}
      </button>
    </div>
  );
}

/** Heard once, seen each second. */
function Countdown({ job }: { readonly job: Job }) {
  const left = () => Math.max(0, Math.ceil((job.beginsAt - Date.now()) / 1000));
  const seconds = useSignal(left());
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value = left();
    }, 250);
    return () => clearInterval(timer);
  }, [job]);
  return (
    <>
      <span class="unseen">{say('lists.wait.seconds', { count: undoSeconds })}</span>
      <span class="job-seconds" aria-hidden="true">
        {say('lists.wait.seconds', { count: seconds.value })}
      </span>
    </>
  );
}

function reasonOf(failure: Failure | undefined): string {
  if (failure?.code === 'console.offline') return say('lists.offline');
  const { message = '', problems = [] } = failure ?? {};
  return problems.length === 0 ? message : problems.map((problem) => problem.message).join(' · ');
}

function Failed({ job, failures }: { readonly job: Job; readonly failures: readonly FailedDocument[] }) {
  const { action, type, locale } = job;
  return (
    <div class="notice problem job">
      <div class="job-text">
        <strong>{say(`lists.failed.${action}`, { count: failures.length })}</strong>
        <ul class="job-failures">
          {failures.map(({ documentId, title, failure }) => (
            <li key={documentId}>
              <a href={hrefOf(['content', pathNameOf(type), documentId], locale === undefined ? {} : { locale })}>{title}</a>{' '}
              <span class="soft">{reasonOf(failure)}</span>
            </li>
          ))}
        </ul>
      </div>
      <button type="button" class="quiet" aria-label={say('shell.close')} onClick={() => dropJob(job.id)}>
        ✕
      </button>
    </div>
  );
}
