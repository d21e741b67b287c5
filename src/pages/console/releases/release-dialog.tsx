/** The name and the time of a release. */
import { useState } from 'preact/hooks';
import { instantText, localText, stepOf, zoneText } from '../fields/scalars/moment-text.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { language, say } from '../words/say.ts';
import { problemOf, type Release } from './release.ts';

interface Props {
  readonly path: string;
  readonly release: Release;
  readonly close: () => void;
  readonly changed: () => Promise<void>;
}

export function ReleaseDialog({ path, release, close, changed }: Props) {
  // The time of a failed release is in the past: a change of its name must not send it again.
  const [time] = useState(release.state === 'waiting' ? (localText(release.publishAt) ?? '') : '');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  // A time can always be cancelled.
  const hasTime = release.entries.length > 0 || time !== '';
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const wanted = String(data.get('publishAt') ?? time);
    const name = data.get('name');
    // What others have changed meanwhile stays as it is.
    const body = {
      ...(name === release.name ? {} : { name }),
      ...(wanted === time ? {} : { publishAt: instantText(wanted, 'datetime') }),
    };
    setBusy(true);
    const { ok, failure } = await request('PATCH', path, { body });
    setBusy(false);
    if (ok) await changed();
    else setProblem(problemOf(failure));
  };
  return (
    <Dialog title={say('releases.change')} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <label>
          {say('releases.name')}
          <input name="name" maxLength={200} required autofocus autocomplete="off" defaultValue={release.name} />
        </label>
        {hasTime && (
          <label>
            {say('releases.publishAt')} <span class="soft">{zoneText(new Date(), language.value)}</span>
            <input name="publishAt" type="datetime-local" step={stepOf(time)} defaultValue={time} />
          </label>
        )}
        <p class="soft">{say(hasTime ? 'releases.timeText' : 'releases.timeNeedsEntries')}</p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button type="submit" class="primary" disabled={isBusy}>
            {say('releases.save')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
