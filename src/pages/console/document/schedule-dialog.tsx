/** When the document is published and unpublished by itself. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { instantText, localText, zoneText } from '../fields/scalars/moment-text.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { language, say } from '../words/say.ts';
import type { OpenDocument } from './open-document.ts';

interface Scheduled {
  readonly action: 'publish' | 'unpublish';
  readonly locale: string | null;
  readonly at: string;
  readonly state: 'waiting' | 'done' | 'failed';
  readonly problem?: string;
}

type Times = Readonly<Record<Scheduled['action'], string>>;

export function ScheduleDialog({ opened, close }: { readonly opened: OpenDocument; readonly close: () => void }) {
  const times = useSignal<Times | undefined>(undefined);
  const loaded = useSignal<Times | undefined>(undefined);
  const failed = useSignal<Scheduled | undefined>(undefined);
  const path = `${opened.apiPath}/schedule`;
  useEffect(() => {
    void request<{ readonly data: readonly Scheduled[] }>('GET', path).then((answer) => {
      if (!answer.ok) {
        // Empty times would cancel what waits.
        notifyFailure(answer.failure);
        return close();
      }
      const own = (answer.json?.data ?? []).filter(({ locale }) => locale === (opened.locale ?? null));
      const waiting = (action: Scheduled['action']) => own.find((each) => each.state === 'waiting' && each.action === action)?.at;
      failed.value = own[0]?.state === 'failed' ? own[0] : undefined;
      loaded.value = { publish: localText(waiting('publish')) ?? '', unpublish: localText(waiting('unpublish')) ?? '' };
      times.value = loaded.value;
    });
  }, []);
  const save = async () => {
    const changed = (['publish', 'unpublish'] as const).filter((action) => times.value?.[action] !== loaded.value?.[action]);
    if (changed.length === 0) return close();
    const data = {
      ...Object.fromEntries(changed.map((action) => [`${action}At`, instantText(times.value?.[action] ?? '', 'datetime')])),
      ...(opened.locale === undefined ? {} : { locale: opened.locale }),
    };
    const answer = await request('POST', path, { body: { data } });
    if (!answer.ok) return notifyFailure(answer.failure);
    close();
    notify({ text: say('document.scheduled') });
  };
  return (
    <Dialog title={say('document.schedule')} close={close}>
      {times.value === undefined ? (
        <Skeleton />
      ) : (
        <>
          {failed.value !== undefined && (
            <p class="problem" role="alert">
              {say('document.scheduleFailed')} {failed.value.problem}
            </p>
          )}
          <p>{say('document.scheduleText')}</p>
          {(['publish', 'unpublish'] as const).map((action) => (
            <p key={action}>
              <label>
                {say(action === 'publish' ? 'document.publishAt' : 'document.unpublishAt')}{' '}
                <span class="soft">{zoneText(new Date(), language.value)}</span>
                <input
                  type="datetime-local"
                  value={times.value?.[action]}
                  onInput={({ currentTarget }) => {
                    times.value = { publish: '', unpublish: '', ...times.value, [action]: currentTarget.value };
                  }}
                />
              </label>
            </p>
          ))}
          <p class="buttons">
            <button type="button" class="primary" onClick={() => void save()}>
              {say('document.scheduleSave')}
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
