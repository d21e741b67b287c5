/** Documents of one type, found by their titles and ticked. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DescribedType } from '../server/me.ts';
import { say } from '../words/say.ts';
import { findDocuments, knownTitle, loadTitles, rememberTitles } from './find-documents.ts';
import type { ChosenDocument } from './jobs.ts';

interface Props {
  readonly type: DescribedType;
  readonly locale: string | undefined;
  /** Their documentIds. */
  readonly chosen: readonly string[];
  readonly change: (documentIds: readonly string[]) => void;
}

const pause = 200;
const shown = 8;

export function DocumentPicker({ type, locale, chosen, change }: Props) {
  const text = useSignal('');
  const found = useSignal<readonly ChosenDocument[]>([]);
  useEffect(() => void loadTitles(type.uid, chosen, locale), []);
  useEffect(() => {
    const running = new AbortController();
    const search = async () => {
      const documents = await findDocuments(type, text.value.trim(), { locale, limit: shown, signal: running.signal }).catch(
        () => undefined,
      );
      if (documents === undefined) return;
      rememberTitles(type.uid, documents, locale);
      found.value = documents;
    };
    const timer = setTimeout(() => void search(), text.value === '' ? 0 : pause);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  }, [text.value]);
  const others = found.value.filter(({ documentId }) => !chosen.includes(documentId)).map(({ documentId }) => documentId);
  return (
    <fieldset class="list-choices">
      <legend>{type.label}</legend>
      <input
        type="search"
        aria-label={say('lists.findTarget')}
        placeholder={say('lists.findTarget')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          // Nothing is applied while somebody still searches.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <div class="list-found">
        {[...chosen, ...others].map((id) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) => change(event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
            />
            <span dir="auto">{knownTitle(type.uid, id, locale) ?? say('lists.loadingTitle')}</span>
          </label>
        ))}
        {chosen.length + others.length === 0 && <p class="soft">{say('shell.nothingFound')}</p>}
      </div>
    </fieldset>
  );
}
