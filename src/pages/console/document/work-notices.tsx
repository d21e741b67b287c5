/** What the form says of unsaved changes: what was restored, and what other tabs have. */
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import type { OpenDocument } from './open-document.ts';

export function WorkNotices({ opened }: { readonly opened: OpenDocument }) {
  const { restoredFrom, form } = opened.work;
  return (
    <>
      {restoredFrom.value !== undefined && opened.isChanged.value && (
        <p class="restored" role="status">
          <span>
            {say('document.restored')} <Ago at={restoredFrom.value} />
          </span>
          <button type="button" onClick={() => void opened.discard()}>
            {say('document.dropChanges')}
          </button>
        </p>
      )}
      {form.isElsewhere.value && (
        <p class="restored" role="status">
          {say('document.elsewhere')}
        </p>
      )}
      {form.isLeftBehind.value && (
        <p class="restored" role="status">
          <span>{say('document.leftBehind')}</span>
          <button type="button" onClick={() => void opened.takeOver()}>
            {say('document.takeOver')}
          </button>
        </p>
      )}
    </>
  );
}
