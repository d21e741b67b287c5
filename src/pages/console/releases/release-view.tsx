/** One release: its documents, what keeps them from being published, and its time. */
import { useEffect, useState } from 'preact/hooks';
import { Failed } from '../people/failed.tsx';
import { useLoaded } from '../people/manage.ts';
import { type Answer, request } from '../server/request.ts';
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

type Sent = Answer<{ readonly data: Release }>;
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
  const [isBusy, setBusy] = useState(false);
  /** By the ids of entries; undefined before the first check. */
  const [problems, setProblems] = useState<ReadonlyMap<number, readonly EntryProblem[]>>();
  const isDone = state === 'done';
  // It may be published while one looks at it.
  useEffect(() => {
    const left = publishAt === null || state !== 'waiting' ? Number.NaN : Date.parse(publishAt) - Date.now();
    // Times more than a day away are not waited for: a timer of over 24 days fires at once.
    if (!(left < 86_400_000)) return;
    const timer = setTimeout(() => void reload(), Math.max(left, 0) + 3000);
    return () => clearTimeout(timer);
  }, [release]);
  const show = (found: readonly EntryProblem[]) =>
    setProblems(new Map(entries.map(({ id }, index) => [id, found.filter(({ entry }) => entry === index)])));
  /** One request at a time. Resolves with the response, or undefined while another one runs. */
  const run = async <Body,>(send: () => Promise<Answer<Body>>): Promise<Answer<Body> | undefined> => {
    if (isBusy) return undefined;
    setBusy(true);
    const answer = await send();
    setBusy(false);
    if (!answer.ok) notifyFailure(answer.failure);
    return answer;
  };
  const check = async () => {
    const answer = await run(() => request<Checked>('POST', `${path}/publish`, { body: { dryRun: true } }));
    if (answer?.json === undefined) return;
    const { errors } = answer.json.data;
    show(errors);
    if (errors.length === 0) notify({ text: say('releases.nothingWrong') });
    else notify({ kind: 'problem', text: say('releases.refused', { count: new Set(errors.map(({ entry }) => entry)).size }) });
  };
  const publish = async () => {
    const question = { title: say('releases.publishTitle'), text: say('releases.publishText', { count: entries.length }) };
    if (!(await ask({ ...question, yes: say('releases.publish') }))) return;
    const answer: Sent | undefined = await run(() => request('POST', `${path}/publish`, { body: {} }));
    if (answer === undefined) return;
    if (!answer.ok) return show((answer.failure?.problems ?? []) as readonly EntryProblem[]);
    setProblems(undefined);
    await reload();
    notify({ text: say('releases.published') });
  };
  const removeEntry = async (entry: number) => {
    const answer = await run(() => request('PATCH', path, { body: { remove: [entry] } }));
    if (answer?.ok) await reload();
  };
  const remove = async () => {
    const question = { title: say('releases.deleteTitle', { name }), text: say('releases.deleteText'), yes: say('releases.delete') };
    if (!(await ask({ ...question, isDangerous: true }))) return;
    const answer = await run(() => request('DELETE', path));
    if (!answer?.ok) return;
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
            <button type="button" class="primary" onClick={() => void publish()}>
              {say('releases.publish')}
            </button>
            <button type="button" onClick={() => void check()}>
              {say('releases.check')}
            </button>
          </>
        )}
        {!isDone && (
          <button type="button" onClick={() => setChanging(true)}>
            {say('releases.change')}
          </button>
        )}
        <button type="button" class="danger" onClick={() => void remove()}>
          {say('releases.delete')}
        </button>
      </p>
      {entries.length === 0 ? (
        <p class="people-empty">{say('releases.empty')}</p>
      ) : (
        <Entries entries={entries} problems={problems} remove={isDone ? undefined : removeEntry} />
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
