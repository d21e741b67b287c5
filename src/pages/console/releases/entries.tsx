/** The documents of a release. */
import { useEffect } from 'preact/hooks';
import { knownTitle, loadTitles } from '../lists/find-documents.ts';
import { type DescribedType, localeName, pathNameOf, typeOf } from '../server/me.ts';
import { hrefOf } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { type EntryProblem, type ReleaseEntry, statusChips, uidOf } from './release.ts';

interface Props {
  readonly entries: readonly ReleaseEntry[];
  readonly problems: readonly EntryProblem[];
  /** Undefined where nothing can be removed. */
  readonly remove: ((id: number) => void) | undefined;
}

export function Entries({ entries, problems, remove }: Props) {
  useEffect(() => void loadAllTitles(entries), [entries]);
  return (
    <table class="people-list">
      <thead>
        <tr>
          <th scope="col">{say('releases.document')}</th>
          <th scope="col">{say('releases.action')}</th>
          <th scope="col">{say('releases.status')}</th>
          {remove !== undefined && (
            <th scope="col">
              <span class="unseen">{say('people.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} problems={problems.filter(({ id }) => id === entry.id)} remove={remove} />
        ))}
      </tbody>
    </table>
  );
}

interface EntryProps extends Pick<Props, 'remove'> {
  readonly entry: ReleaseEntry;
  readonly problems: readonly EntryProblem[];
}

function Entry({ entry, problems, remove }: EntryProps) {
  const { id, publish, documentId, locale, status } = entry;
  const uid = uidOf(entry);
  const type = typeOf(uid);
  const title = (documentId === null ? type?.label : knownTitle(uid ?? '', documentId, locale ?? undefined)) ?? documentId ?? '';
  const path = type && ['content', pathNameOf(type), ...(documentId === null ? [] : [documentId])];
  return (
    <tr>
      <th scope="row">
        {path === undefined ? (
          title
        ) : (
          <a href={hrefOf(path, locale === null ? {} : { locale })} dir="auto">
            {title}
          </a>
        )}
        <span class="people-second">{[type?.label ?? uid, ...(locale === null ? [] : [localeName(locale)])].join(' · ')}</span>
        {problems.map((problem, index) => (
          <span key={index} class="problem people-second">
            {textOf(problem, type)}
          </span>
        ))}
      </th>
      <td data-label={say('releases.action')}>{say(publish === undefined ? 'document.unpublish' : 'document.publish')}</td>
      <td data-label={say('releases.status')}>
        <span class={statusChips[status][1]}>{say(statusChips[status][0])}</span>
      </td>
      {remove !== undefined && (
        <td class="people-buttons">
          <button type="button" aria-label={say('releases.removeOf', { title })} onClick={() => remove(id)}>
            {say('releases.remove')}
          </button>
        </td>
      )}
    </tr>
  );
}

/** `Title: title must be defined.` */
function textOf({ path: [name], message }: EntryProblem, type: DescribedType | undefined): string {
  const label = type?.attributes.find((attribute) => attribute.name === name)?.label ?? name;
  return label === undefined ? message : `${label}: ${message}`;
}

/** One request for each type and locale. */
async function loadAllTitles(entries: readonly ReleaseEntry[]): Promise<void> {
  const scopeOfEntry = (entry: ReleaseEntry) => JSON.stringify([uidOf(entry), entry.locale]);
  for (const scope of new Set(entries.map(scopeOfEntry))) {
    const own = entries.filter((entry) => scopeOfEntry(entry) === scope);
    const [first] = own;
    const ids = own.flatMap(({ documentId }) => documentId ?? []);
    if (first !== undefined) await loadTitles(uidOf(first) ?? '', ids, first.locale ?? undefined, true);
  }
}
