/** Above the rows: search, filters, columns and the order. */
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type DescribedType, defaultLocale, me } from '../server/me.ts';
import { hrefOf, place, setQuery } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { columnsOf, isSortable } from './columns.ts';
import { ColumnsDialog } from './columns-dialog.tsx';
import { labelOf } from './condition-text.ts';
import { Filters } from './filters.tsx';
import { type ListView, viewChanges } from './view-url.ts';

interface Props {
  readonly type: DescribedType;
  readonly view: ListView;
  /** The names of the columns. */
  readonly chosen: Signal<readonly string[] | undefined>;
  readonly search: RefObject<HTMLInputElement>;
}

export function Toolbar({ type, view, chosen, search }: Props) {
  const isChoosing = useSignal(false);
  return (
    <div class="list-tools">
      <SearchField type={type} view={view} field={search} />
      <Filters type={type} view={view} />
      <SortSelect type={type} view={view} />
      <button
        type="button"
        class="list-columns"
        onClick={() => {
          isChoosing.value = true;
        }}
      >
        {say('lists.columns')}
      </button>
      {isChoosing.value && (
        <ColumnsDialog
          type={type}
          chosen={chosen}
          close={() => {
            isChoosing.value = false;
          }}
        />
      )}
    </div>
  );
}

const pause = 250;

function SearchField({
  type,
  view,
  field,
}: {
  readonly type: DescribedType;
  readonly view: ListView;
  readonly field: RefObject<HTMLInputElement>;
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const sent = useRef(view.search);
  // The address may change by itself, as when the user goes back; what is being typed stays.
  useEffect(() => {
    if (field.current !== null && view.search !== sent.current) field.current.value = view.search;
    sent.current = view.search;
  }, [view.search]);
  const search = (text: string) => {
    clearTimeout(timer.current);
    const { search: before } = current.current;
    // A search is one step of the history, however often its text changes.
    sent.current = text.trim();
    if (text.trim() !== before.trim()) setQuery(viewChanges({ search: text.trim() }), { replace: before !== '' });
  };
  const current = useRef(view);
  current.current = view;
  return (
    <search class="list-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(field.current?.value ?? '');
        }}
      >
        <input
          ref={field}
          type="search"
          defaultValue={view.search}
          aria-label={say('lists.searchIn', { type: type.label })}
          placeholder={say('lists.search')}
          onInput={(event) => {
            const { value } = event.currentTarget;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(value), pause);
          }}
        />
      </form>
    </search>
  );
}

/** Narrow windows show no header to sort by. */
function SortSelect({ type, view }: { readonly type: DescribedType; readonly view: ListView }) {
  const title = type.attributes.find(({ name }) => name === type.title);
  const sortable = [title, ...columnsOf(type).map(({ attribute }) => attribute)].filter(
    (attribute) => attribute !== undefined && isSortable(attribute),
  );
  const change = (value: string) => {
    const [name = '', direction] = value.split('.');
    setQuery(viewChanges({ sort: name === '' ? undefined : { name, direction: direction === 'desc' ? 'desc' : 'asc' } }));
  };
  return (
    <select
      class="list-order"
      aria-label={say('lists.sortBy')}
      value={view.sort === undefined ? '' : `${view.sort.name}.${view.sort.direction}`}
      onChange={(event) => change(event.currentTarget.value)}
    >
      <option value="">{say('lists.usualOrder')}</option>
      {sortable.flatMap((attribute) => [
        <option key={`${attribute?.name}.asc`} value={`${attribute?.name}.asc`}>
          {say('lists.ascending', { attribute: labelOf(attribute) })}
        </option>,
        <option key={`${attribute?.name}.desc`} value={`${attribute?.name}.desc`}>
          {say('lists.descending', { attribute: labelOf(attribute) })}
        </option>,
      ])}
    </select>
  );
}

/** One locale is shown at a time. */
export function LocaleChips({ type, view }: { readonly type: DescribedType; readonly view: ListView }) {
  const locales = me.value?.locales ?? [];
  if (!type.localized || locales.length < 2) return null;
  const hrefIn = (code: string) => {
    const query = new URLSearchParams(place.value.query);
    query.delete('page');
    if (code === defaultLocale()) query.delete('locale');
    else query.set('locale', code);
    return hrefOf(place.value.path, query);
  };
  return (
    <nav class="list-chips" aria-label={say('lists.locales')}>
      {locales.map(({ code, name }) => (
        <a key={code} class="chip" href={hrefIn(code)} aria-current={code === view.locale ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
