/** Between the tools and the rows: how many there are, or what can be done with the chosen ones. */
import { useState } from 'preact/hooks';
import { AddToRelease } from '../releases/add-to-release.tsx';
import { type DescribedType, may } from '../server/me.ts';
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { type BulkAction, beginJob, bulkActionsOf } from './jobs.ts';
import type { Rows } from './rows.ts';
import type { Selection } from './selection.ts';
import { titleText } from './values-text.ts';
import type { ListView } from './view-url.ts';

interface Props {
  readonly type: DescribedType;
  readonly view: ListView;
  readonly rows: Rows;
  readonly selection: Selection;
}

export function Summary({ type, view, rows, selection }: Props) {
  const chosen = selection.ids.value;
  /** As they were chosen: the rows may be read again while the dialog is open. */
  const [released, setReleased] = useState<readonly string[]>();
  const isNarrowed = view.search !== '' || view.conditions.length > 0;
  const total = rows.total.value;
  return (
    <div class="list-summary">
      <span role="status" class={chosen.length === 0 ? 'soft' : ''}>
        {chosen.length === 0
          ? total !== undefined && say(isNarrowed ? 'lists.found' : 'lists.count', { count: total })
          : say('lists.chosenCount', { count: chosen.length })}
        {selection.isWhole && total !== undefined && total > chosen.length && (
          <span class="soft"> {say('lists.onlyThisPage', { count: total })}</span>
        )}
      </span>
      {chosen.length > 0 && <Bulk type={type} view={view} rows={rows} selection={selection} release={setReleased} />}
      {released !== undefined && (
        <AddToRelease type={type} documentIds={released} locale={view.locale} close={() => setReleased(undefined)} />
      )}
    </div>
  );
}

function Bulk({ type, view, rows, selection, release }: Props & { readonly release: (ids: readonly string[]) => void }) {
  const begin = (action: BulkAction) => {
    const ids = new Set(selection.ids.value);
    const documents = (rows.list.value ?? [])
      .filter(({ documentId }) => ids.has(documentId))
      .map((row) => ({ documentId: row.documentId, title: titleText(type, row) }));
    beginJob({ action, type, locale: view.locale, documents }, (_, count) => {
      if (count > 0) notify({ text: say(`lists.did.${action}`, { count }) });
    });
    selection.clear();
  };
  return (
    <fieldset class="buttons list-bulk" aria-label={say('lists.bulk')}>
      {bulkActionsOf(type).map((action) => (
        <button key={action} type="button" class={action === 'delete' ? 'danger' : ''} onClick={() => begin(action)}>
          {say(`lists.do.${action}`)}
        </button>
      ))}
      {type.draftAndPublish && may(type, 'publish') && (
        <button type="button" onClick={() => release(selection.ids.value)}>
          {say('releases.add')}
        </button>
      )}
      <button type="button" class="link" onClick={() => selection.clear()}>
        {say('lists.clearChosen')}
      </button>
    </fieldset>
  );
}
