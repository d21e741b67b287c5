/** What one sees first: unsaved work, and how much there is of what. */

import { useEffect, useState } from 'preact/hooks';
import { editableTypes, may, me, pathNameOf } from '../server/me.ts';
import { request } from '../server/request.ts';
import { say } from '../words/say.ts';
import { type ListedWork, listWork } from '../work/work-store.ts';
import { hrefOf } from './location.ts';
import { PageTitle } from './page-title.tsx';
import { Ago } from './time.tsx';

type Counts = Readonly<Record<string, { readonly total: number }>>;

export function Start() {
  const types = editableTypes.value;
  const counts = useCounts();
  if (types.length === 0)
    return (
      <div class="page">
        <PageTitle text={say('start.title')} />
        <p>{say('shell.noTypes')}</p>
      </div>
    );
  return (
    <div class="page">
      <PageTitle text={say('start.welcome', { name: me.value?.user?.username ?? '' })} />
      <UnsavedWork />
      <h2>{say('start.counts')}</h2>
      <ul class="cards">
        {types.map((type) => (
          <li key={type.uid} class="card">
            <a class="card-title" href={hrefOf(['content', pathNameOf(type)])}>
              {type.label}
            </a>
            {type.description !== undefined && <p class="soft">{type.description}</p>}
            <p class="card-foot">
              {type.kind === 'collectionType' && counts?.[type.uid] !== undefined && (
                <span class="soft">{say('start.entries', { count: counts[type.uid]?.total ?? 0 })}</span>
              )}
              {type.kind === 'collectionType' && may(type, 'create') && (
                <a class="card-new" href={hrefOf(['content', pathNameOf(type), 'new'])} aria-label={say('shell.new', { type: type.label })}>
                  + {say('shell.new', { type: type.label })}
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useCounts(): Counts | undefined {
  const [counts, setCounts] = useState<Counts>();
  useEffect(() => {
    void request<{ readonly data: Counts }>('GET', `${me.value?.prefix}/_counts`).then(({ json }) => setCounts(json?.data));
  }, []);
  return counts;
}

function UnsavedWork() {
  const [work, setWork] = useState<readonly ListedWork[]>([]);
  useEffect(() => {
    void listWork().then(setWork);
  }, []);
  if (work.length === 0) return null;
  return (
    <section class="unsaved">
      <h2>{say('start.unsaved')}</h2>
      <p class="soft">{say('start.unsavedHint')}</p>
      <ul>
        {work.map(({ key, href, title, typeLabel, changedAt, isOpen }) => (
          <li key={key}>
            {isOpen && isOfNew(href) ? (
              <span>{title || say('document.untitled')}</span>
            ) : (
              <a href={href}>{title || say('document.untitled')}</a>
            )}{' '}
            <span class="soft">{typeLabel}</span> <Ago at={changedAt} />
            {isOpen && <span class="soft"> {say('start.unsavedElsewhere')}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** While another tab has it, a new document can only be opened there: here it would be another one. */
const isOfNew = (href: string): boolean => new URL(href, location.href).searchParams.has('draft');
