/** The name and the time of a release. */
import { useState } from 'preact/hooks';
import { instantText, localText, stepOf, zoneText } from '../fields/scalars/moment-text.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { DialogForm } from '../shell/dialog-form.tsx';
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
  // A time can always be cancelled.
  const hasTime = release.entries.length > 0 || time !== '';
  const submit = async (data: FormData) => {
    const wanted = String(data.get('publishAt') ?? time);
    const name = data.get('name');
    // What others have changed meanwhile stays as it is.
    const body = {
      ...(name === release.name ? {} : { name }),
      ...(wanted === time ? {} : { publishAt: instantText(wanted, 'datetime') }),
    };
    const { ok, failure } = await request('PATCH', path, { body });
    if (!ok) return problemOf(failure);
    await changed();
    return undefined;
  };
  return (
    <Dialog title={say('releases.change')} close={close}>
      <DialogForm yes={say('releases.save')} submit={submit} close={close}>
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
      </DialogForm>
    </Dialog>
  );
}
