/** What the document was: its former versions, each beside the form, to take into it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { componentOf } from '../server/me.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Skeleton } from '../shell/later.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { Comparison } from './comparison.tsx';
import type { OpenDocument } from './open-document.ts';
import { requestDocument } from './request-document.ts';
import { isSameContent, type Values } from './values.ts';

interface Version {
  readonly version: number;
  readonly status: 'draft' | 'published';
  readonly writtenAt: string | null;
  readonly replacedAt: string;
}

interface Props {
  readonly opened: OpenDocument;
  readonly close: () => void;
}

export function HistoryDialog({ opened, close }: Props) {
  const versions = useSignal<readonly Version[] | undefined>(undefined);
  const shown = useSignal<{ readonly version: Version; readonly values: Values } | undefined>(undefined);
  useEffect(() => {
    const query = new URLSearchParams({ 'pagination[pageSize]': '100', ...(opened.locale === undefined ? {} : { locale: opened.locale }) });
    void request<{ readonly data: readonly Version[] }>('GET', `${opened.apiPath}/history`, { query: query.toString() }).then((answer) => {
      if (!answer.ok) notifyFailure(answer.failure);
      versions.value = answer.json?.data ?? [];
    });
  }, []);
  const show = async (version: Version) => {
    const answer = await requestDocument(opened.type, 'GET', `${opened.apiPath}/history/${version.version}`, {});
    if (answer.json === undefined) return notifyFailure(answer.failure);
    shown.value = { version, values: answer.json.data };
  };
  return (
    <Dialog title={say('document.history')} close={close} kind="wide">
      {shown.value !== undefined ? (
        <Former opened={opened} values={shown.value.values} back={() => (shown.value = undefined)} close={close} />
      ) : versions.value === undefined ? (
        <Skeleton />
      ) : versions.value.length === 0 ? (
        <p>{say('document.historyEmpty')}</p>
      ) : (
        <ol class="history">
          {versions.value.map((version) => (
            <li key={version.version}>
              <button type="button" onClick={() => void show(version)}>
                <Ago at={version.writtenAt ?? version.replacedAt} />{' '}
                <span class="soft">{say(version.status === 'draft' ? 'document.statusDraft' : 'document.statusPublished')}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}

interface FormerProps extends Props {
  readonly values: Values;
  readonly back: () => void;
}

function Former({ opened, values, back, close }: FormerProps) {
  const present = Object.fromEntries(opened.attributes.map(({ name }) => [name, opened.valueOf(name).value]));
  const differing = opened.attributes.filter(
    (attribute) => attribute.name in values && !isSameContent(attribute, present[attribute.name], values[attribute.name], componentOf),
  );
  const take = () => {
    const names = differing.filter((attribute) => opened.mayWrite(attribute)).map(({ name }) => name);
    opened.fill(Object.fromEntries(names.map((name) => [name, values[name]])));
    const undo = () => {
      for (const name of names) opened.change(name, present[name]);
    };
    close();
    notify({ text: say('document.historyTaken'), action: { label: say('shell.undo'), run: undo }, stays: 15_000 });
  };
  return (
    <>
      <p class="buttons">
        <button type="button" onClick={back}>
          {say('document.historyBack')}
        </button>
        {differing.length > 0 && (
          <button type="button" class="primary" onClick={take}>
            {say('document.historyTake')}
          </button>
        )}
      </p>
      {differing.length === 0 ? (
        <p>{say('document.historySame')}</p>
      ) : (
        <Comparison
          attributes={differing}
          left={values}
          right={present}
          leftTitle={say('document.historyThen')}
          rightTitle={say('document.historyNow')}
        />
      )}
    </>
  );
}
