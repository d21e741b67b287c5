/** The name and the time of a release. */
import { useState } from 'preact/hooks';
import { instantText, localText, zoneText } from '../fields/scalars/moment-text.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { language, say } from '../words/say.ts';
import type { Release } from './release.ts';

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
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const wanted = String(data.get('publishAt') ?? time);
    const body = { name: data.get('name'), ...(wanted === time ? {} : { publishAt: instantText(wanted, 'datetime') }) };
    const { ok, failure } = await request('PATCH', path, { body });
    if (ok) return changed();
    const [first] = failure?.problems ?? [];
    setProblem([failure?.message, first?.message].filter(Boolean).join(' '));
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
        {release.entries.length > 0 && (
          <label>
            {say('releases.publishAt')} <span class="soft">{zoneText(new Date(), language.value)}</span>
            <input name="publishAt" type="datetime-local" defaultValue={time} />
          </label>
        )}
        <p class="soft">{say(release.entries.length > 0 ? 'releases.timeText' : 'releases.timeNeedsEntries')}</p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="buttons">
          <button type="submit" class="primary">
            {say('releases.save')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
