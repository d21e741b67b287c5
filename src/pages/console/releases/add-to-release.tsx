/** Puts documents into a release: one that there is, or a new one. */
import { useState } from 'preact/hooks';
import { Failed } from '../people/failed.tsx';
import { useLoaded } from '../people/manage.ts';
import type { DescribedType } from '../server/me.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { go, hrefOf } from '../shell/location.ts';
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { type EntryAction, type ListedRelease, type Release, releasesPath } from './release.ts';

interface Props {
  readonly type: DescribedType;
  /** Undefined for a single type. */
  readonly documentIds: readonly string[] | undefined;
  readonly locale: string | undefined;
  readonly close: () => void;
}

const actions = ['publish', 'unpublish'] as const satisfies readonly EntryAction[];

export function AddToRelease({ type, documentIds, locale, close }: Props) {
  const { body, failure, reload } = useLoaded('', () =>
    request<{ readonly data: readonly ListedRelease[] }>('GET', releasesPath(), { query: 'pagination[pageSize]=100' }),
  );
  const [problem, setProblem] = useState('');
  const releases = body?.data.filter(({ state }) => state !== 'done');
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const scope = { [String(data.get('action'))]: type.uid, ...(locale === undefined ? {} : { locale }) };
    const entries = documentIds?.map((documentId) => ({ ...scope, documentId })) ?? [scope];
    const id = data.get('release') ?? '';
    const answer =
      id === ''
        ? await request<{ readonly data: Release }>('POST', releasesPath(), { body: { name: data.get('name'), entries } })
        : await request<{ readonly data: Release }>('PATCH', releasesPath(`/${id}`), { body: { add: entries } });
    if (answer.json === undefined) {
      const [first] = answer.failure?.problems ?? [];
      return setProblem([answer.failure?.message, first?.message].filter(Boolean).join(' '));
    }
    const { id: added, name } = answer.json.data;
    close();
    const show = { label: say('releases.show'), run: () => void go(hrefOf(['releases', String(added)])) };
    notify({ text: say('releases.added', { count: entries.length, name }), action: show, stays: 15_000 });
  };
  return (
    <Dialog title={say('releases.add')} close={close}>
      {failure !== undefined && <Failed failure={failure} retry={reload} />}
      {releases === undefined && failure === undefined && <Skeleton />}
      {releases !== undefined && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void submit(event.currentTarget);
          }}
        >
          <Choice releases={releases} />
          <fieldset class="people-choice">
            <legend>{say('releases.action')}</legend>
            {actions.map((action) => (
              <label key={action} class="check">
                <input type="radio" name="action" value={action} defaultChecked={action === 'publish'} />
                <span>{say(`document.${action}`)}</span>
              </label>
            ))}
          </fieldset>
          {problem !== '' && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <p class="buttons">
            <button type="submit" class="primary">
              {say('releases.addYes')}
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}

function Choice({ releases }: { readonly releases: readonly ListedRelease[] }) {
  const [chosen, choose] = useState(String(releases[0]?.id ?? ''));
  return (
    <>
      {releases.length > 0 && (
        <label>
          {say('releases.one')}
          <select name="release" value={chosen} autofocus onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {releases.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value="">{say('releases.new')}</option>
          </select>
        </label>
      )}
      {chosen === '' && (
        <label>
          {say('releases.newName')}
          <input name="name" maxLength={200} required autofocus={releases.length === 0} autocomplete="off" />
        </label>
      )}
    </>
  );
}
