/** The filters of a list: chips that say them, and a dialog to write one. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DescribedType } from '../server/me.ts';
import { setQuery } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { conditionText } from './condition-text.ts';
import { type Condition, filterablesOf } from './conditions.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { loadTitles } from './find-documents.ts';
import { type ListView, viewChanges } from './view-url.ts';

interface Props {
  readonly type: DescribedType;
  readonly view: ListView;
}

export function Filters({ type, view }: Props) {
  const isAdding = useSignal(false);
  if (filterablesOf(type).length === 0) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isAdding.value = true;
        }}
      >
        {say('lists.filter')}
      </button>
      {isAdding.value && (
        <FilterDialog
          type={type}
          locale={view.locale}
          condition={undefined}
          close={() => {
            isAdding.value = false;
          }}
          apply={(condition) => setQuery(viewChanges({ conditions: [...othersThan(view, condition), condition] }))}
        />
      )}
    </>
  );
}

/** A document has one status, so that two of these would find nothing. */
const othersThan = ({ conditions }: ListView, added: Condition): readonly Condition[] =>
  added.attribute === 'status' ? conditions.filter(({ attribute }) => attribute !== 'status') : conditions;

export function FilterChips({ type, view }: Props) {
  const edited = useSignal<number | undefined>(undefined);
  const { conditions, locale } = view;
  useEffect(() => {
    const filterables = filterablesOf(type);
    for (const { attribute, values } of conditions) {
      const found = filterables.find(({ name }) => name === attribute);
      if (found?.kind === 'relation') void loadTitles(found.attribute?.target ?? '', values, locale);
    }
  }, [JSON.stringify(conditions), locale]);
  if (conditions.length === 0) return null;
  const change = (index: number, condition: Condition | undefined) =>
    setQuery(viewChanges({ conditions: conditions.flatMap((each, at) => (at === index ? (condition ?? []) : each)) }));
  const condition = edited.value === undefined ? undefined : conditions[edited.value];
  return (
    <ul class="list-filters" aria-label={say('lists.filters')}>
      {conditions.map((each, index) => {
        const filter = conditionText(each, type, locale);
        return (
          <li key={index}>
            {index > 0 && <span class="soft">{say('lists.and')}</span>}
            <span class="list-filter">
              <button
                type="button"
                aria-label={say('lists.filterEdit', { filter })}
                onClick={() => {
                  edited.value = index;
                }}
              >
                {filter}
              </button>
              <button type="button" aria-label={say('lists.filterRemove', { filter })} onClick={() => change(index, undefined)}>
                ✕
              </button>
            </span>
          </li>
        );
      })}
      {condition !== undefined && (
        <FilterDialog
          type={type}
          locale={locale}
          condition={condition}
          close={() => {
            edited.value = undefined;
          }}
          apply={(changed) => change(edited.value ?? 0, changed)}
        />
      )}
    </ul>
  );
}
