/** One release: its documents, what keeps them from being published, and its time. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failed } from '../people/failed.tsx';
import { useLoaded } from '../people/manage.ts';
import { type Answer, type Method, request } from '../server/request.ts';
import { ask } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { go, hrefOf } from '../shell/location.ts';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { say } from '../words/say.ts';
import { Entries } from './entries.tsx';
import { type EntryProblem, type Release, releasesPath, stateChips } from './release.ts';
import { ReleaseDialog } from './release-dialog.tsx';
import { When } from './when.tsx';

interface Checked {
  readonly data: { readonly errors: readonly EntryProblem[]; readonly more?: number };
}

export function ReleaseView({ id }: { readonly id: string }) {
  const path = releasesPath(`/${encodeURIComponent(id)}`);
  const { body, failure, reload } = useLoaded(path, () => request<{ readonly data: Release }>('GET', path));
  if (body === undefined)
    return (
      <div class="page">
        <PageTitle text={say('releases.one')} />
        {failure === undefined ? <Skeleton lines={6} /> : <Failed failure={failure} retry={reload} />}
      </div>
    );
  return <Loaded path={path} release={body.data} reload={reload} />;
}

interface LoadedProps {
  readonly path: string;
  readonly release: Release;
  readonly reload: () => Promise<void>;
}

function Loaded({ path, release, reload }: LoadedProps) {
  const { name, state, publishAt, entries } = release;
  const [isChanging, setChanging] = useState(false);
  const isBusy = useRef(false);
  const [problems, setProblems] = useState<readonly EntryProblem[]>([]);
  const isDone = state === 'done';
  // It may be published while one looks at it.
  useEffect(() => {
    const left = publishAt === null || state !== 'waiting' ? Number.NaN : Date.parse(publishAt) - Date.now();
    // Times more than a day away are not waited for: a timer of over 24 days fires at once.
    if (!(left < 86_400_000)) return;
    const timer = setTimeout(() => void reload(), Math.max(left, 0) + 3000);
    return () => clearTimeout(timer);
  }, [release]);
  const show = (found: readonly EntryProblem[]) => {
    setProblems(found);
    notify({ kind: 'problem', text: say('releases.refused', { count: new Set(found.map((each) => each.id)).size }) });
  };
  /** One action at a time, with all that it asks and reads again. */
  const run = async (action: () => Promise<unknown>) => {
    if (isBusy.current) return notify({ text: say('releases.busy') });
    isBusy.current = true;
    await action().finally(() => {
      isBusy.current = false;
    });
  };
  /** Sends a request; after a refusal, the release may be another one than is shown. */
  const send = async <Body,>(method: Method, to: string, body?: unknown): Promise<Answer<Body>> => {
    const answer = await request<Body>(method, to, body === undefined ? {} : { body });
    if (!answer.ok && answer.failure?.code !== 'release.refused') {
      notifyFailure(answer.failure);
      if (answer.status !== 0) await reload();
    }
    return answer;
  };
  const check = async () => {
    const { json } = await send<Checked>('POST', `${path}/publish`, { dryRun: true });
    if (json === undefined) return;
    if (json.data.errors.length > 0) return show(json.data.errors);
    setProblems([]);
    notify({ text: say('releases.nothingWrong') });
  };
  const publish = async () => {
    const question = { title: say('releases.publishTitle'), text: say('releases.publishText', { count: entries.length }) };
    if (!(await ask({ ...question, yes: say('releases.publish') }))) return;
    // Nothing is published that the user has not seen.
    const now = await send<{ readonly data: Release }>('GET', path);
    if (now.json === undefined) return;
    if (idsOf(now.json.data) !== idsOf(release)) {
      await reload();
      return notify({ kind: 'problem', text: say('releases.changed') });
    }
    const { ok, failure } = await send('POST', `${path}/publish`, {});
    if (failure?.code === 'release.refused') return show(failure.problems as readonly EntryProblem[]);
    if (!ok) return;
    setProblems([]);
    await reload();
    notify({ text: say('releases.published') });
    focusTitle();
  };
  const removeEntry = async (entry: number) => {
    if (!(await send('PATCH', path, { remove: [entry] })).ok) return;
    await reload();
    notify({ text: say('releases.removed') });
    focusTitle();
  };
  const remove = async () => {
    const question = { title: say('releases.deleteTitle', { name }), text: say('releases.deleteText'), yes: say('releases.delete') };
    if (!(await ask({ ...question, isDangerous: true }))) return;
    if (!(await send('DELETE', path)).ok) return;
    notify({ text: say('releases.deleted', { name }) });
    await go(hrefOf(['releases']));
  };
  return (
    <div class="page">
      <p class="soft">
        <a href={hrefOf(['releases'])}>{say('releases.title')}</a>
      </p>
      <PageTitle text={name} />
      <p role="status">
        <span class={stateChips[state][1]}>{say(stateChips[state][0])}</span> <When release={release} />
      </p>
      {release.problem !== undefined && (
        <p class="problem" role="alert">
          {say('releases.problem')} {release.problem}
        </p>
      )}
      <p class="buttons">
        {!isDone && entries.length > 0 && (
          <>
            <button type="button" class="primary" onClick={() => void run(publish)}>
              {say('releases.publish')}
            </button>
            <button type="button" onClick={() => void run(check)}>
              {say('releases.check')}
            </button>
          </>
        )}
        {!isDone && (
          <button type="button" onClick={() => setChanging(true)}>
            {say('releases.change')}
          </button>
        )}
        <button type="button" class="danger" onClick={() => void run(remove)}>
          {say('releases.delete')}
        </button>
      </p>
      {entries.length === 0 ? (
        <p class="people-empty">{say('releases.empty')}</p>
      ) : (
        <Entries entries={entries} problems={problems} remove={isDone ? undefined : (id) => void run(() => removeEntry(id))} />
      )}
      {isChanging && (
        <ReleaseDialog
          path={path}
          release={release}
          close={() => setChanging(false)}
          changed={async () => {
            setChanging(false);
            await reload();
          }}
        />
      )}
    </div>
  );
}

const idsOf = ({ entries }: Release): string => entries.map(({ id }) => id).join();

/** The button that had the focus is gone. */
const focusTitle = (): void => document.querySelector<HTMLElement>('main h1')?.focus();
