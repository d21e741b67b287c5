/** Puts documents into a release: one that there is, or a new one. */
import { useState } from 'preact/hooks';
import { Failed } from '../people/failed.tsx';
import { useLoaded } from '../people/manage.ts';
import type { DescribedType } from '../server/me.ts';
import { type Answer, request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { DialogForm } from '../shell/dialog-form.tsx';
import { Skeleton } from '../shell/later.tsx';
import { go, hrefOf } from '../shell/location.ts';
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { type EntryAction, type ListedRelease, problemOf, type Release, releasesPath, stateChips } from './release.ts';

interface Props {
  readonly type: DescribedType;
  /** Undefined for a single type. */
  readonly documentIds: readonly string[] | undefined;
  readonly locale: string | undefined;
  readonly close: () => void;
}

const actions = ['publish', 'unpublish'] as const satisfies readonly EntryAction[];

export function AddToRelease({ type, documentIds, locale, close }: Props) {
  const { body: releases, failure, reload } = useLoaded('', loadReleases);
  const submit = async (data: FormData) => {
    const scope = { [String(data.get('action'))]: type.uid, ...(locale === undefined ? {} : { locale }) };
    const entries = documentIds?.map((documentId) => ({ ...scope, documentId })) ?? [scope];
    const id = data.get('release') ?? '';
    const answer =
      id === ''
        ? await request<{ readonly data: Release }>('POST', releasesPath(), { body: { name: data.get('name'), entries } })
        : await request<{ readonly data: Release }>('PATCH', releasesPath(`/${id}`), { body: { add: entries } });
    if (answer.json === undefined) return problemOf(answer.failure);
    const { id: added, name } = answer.json.data;
    close();
    const show = { label: say('releases.show'), run: () => void go(hrefOf(['releases', String(added)])) };
    notify({ text: say('releases.added', { count: entries.length, name }), action: show, stays: 15_000 });
    return undefined;
  };
  return (
    <Dialog title={say('releases.add')} close={close}>
      {failure !== undefined && <Failed failure={failure} retry={reload} />}
      {releases === undefined && failure === undefined && <Skeleton />}
      {releases !== undefined && (
        <DialogForm yes={say('releases.addYes')} submit={submit} close={close}>
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
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Those that documents can be added to, the open ones first. */
async function loadReleases(): Promise<Pick<Answer<readonly ListedRelease[]>, 'json' | 'failure'>> {
  const lists = await Promise.all(
    (['open', 'waiting', 'failed'] as const).map((state) =>
      request<{ readonly data: readonly ListedRelease[] }>('GET', releasesPath(), { query: `state=${state}&pagination[pageSize]=100` }),
    ),
  );
  const failure = lists.find(({ ok }) => !ok)?.failure;
  return { json: failure === undefined ? lists.flatMap(({ json }) => json?.data ?? []) : undefined, failure };
}

function Choice({ releases }: { readonly releases: readonly ListedRelease[] }) {
  const [chosen, choose] = useState(String(releases.find(({ state }) => state === 'open')?.id ?? ''));
  return (
    <>
      {releases.length > 0 && (
        <label>
          {say('releases.one')}
          <select name="release" value={chosen} autofocus onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {releases.map(({ id, name, state }) => (
              <option key={id} value={id}>
                {state === 'open' ? name : `${name} (${say(stateChips[state][0])})`}
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
