/** The documents of a collection type. What it shows is in its URL (`view-url.ts`). */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type DescribedType, defaultLocale, may, me, pathNameOf } from '../server/me.ts';
import { useSingleKeys } from '../shell/keys.ts';
import { Skeleton } from '../shell/later.tsx';
import { go, hrefOf, place, setQuery } from '../shell/location.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { say } from '../words/say.ts';
import { chosenColumns, usualColumns } from './columns.ts';
import { FilterChips } from './filters.tsx';
import { bulkActionsOf, finished } from './jobs.ts';
import { keptColumns } from './kept.ts';
import { Pager } from './pager.tsx';
import { Rows } from './rows.ts';
import { Selection } from './selection.ts';
import { Summary } from './summary.tsx';
import { Table } from './table.tsx';
import { LocaleChips, Toolbar } from './toolbar.tsx';
import { type ListView, readView, viewChanges } from './view-url.ts';
import { useDefaultView, Views } from './views.tsx';

interface Props {
  readonly type: DescribedType;
}

export default function ListPage({ type }: Props) {
  const rows = useMemo(() => new Rows(type), [type]);
  const selection = useMemo(() => new Selection(rows.list), [rows]);
  const chosen = useSignal(keptColumns(type.uid));
  const search = useRef<HTMLInputElement>(null);
  const view = readView(place.value.query, type, defaultLocale());
  const columns = chosenColumns(type, chosen.value ?? usualColumns(type));
  const newHref = newHrefOf(type, view);
  const query = place.value.query.toString();
  const wanted = { view, columns, version: finished.value[type.uid] ?? 0 };
  useDefaultView(type);
  useEffect(() => {
    void rows.load(wanted);
  }, [rows, query, chosen.value, wanted.version]);
  useEffect(() => () => rows.stop(), [rows]);
  useSingleKeys({
    '/': () => search.current?.focus(),
    n: () => {
      if (newHref !== undefined) void go(newHref);
    },
  });
  return (
    <div class="page list-page">
      <header class="list-head">
        <PageTitle text={type.label} />
        {newHref !== undefined && (
          <a class="button primary" href={newHref}>
            {say('lists.new')}
          </a>
        )}
      </header>
      <div class="list-scope">
        <LocaleChips type={type} view={view} />
        <Views type={type} />
      </div>
      <Toolbar type={type} view={view} chosen={chosen} search={search} />
      {view.hasUnknown && <p class="list-note">{say('lists.unknown')}</p>}
      <FilterChips type={type} view={view} />
      <Summary type={type} view={view} rows={rows} selection={selection} />
      <Problem rows={rows} retry={() => void rows.load(wanted)} />
      {rows.list.value === undefined && rows.failure.value === undefined && <Skeleton lines={8} />}
      {rows.list.value?.length === 0 && <Empty type={type} view={view} newHref={newHref} />}
      {rows.list.value !== undefined && rows.list.value.length > 0 && (
        <Table type={type} view={view} columns={columns} rows={rows} selection={selection} canSelect={bulkActionsOf(type).length > 0} />
      )}
      <Pager view={view} rows={rows} expect={(page) => rows.readAhead({ ...view, page }, columns)} />
    </div>
  );
}

/** Undefined for those who may not write new documents. */
function newHrefOf(type: DescribedType, { locale }: ListView): string | undefined {
  if (!may(type, 'create')) return undefined;
  return hrefOf(['content', pathNameOf(type), 'new'], locale === undefined ? {} : { locale });
}

function Problem({ rows, retry }: { readonly rows: Rows; readonly retry: () => void }) {
  const failure = rows.failure.value;
  if (failure === undefined) return null;
  return (
    <p class="list-note is-problem" role="alert">
      <span>{failure.code === 'console.offline' ? say('lists.offline') : say('shell.failed', { reason: failure.message })}</span>
      <button type="button" onClick={retry}>
        {say('shell.retry')}
      </button>
    </p>
  );
}

interface EmptyProps {
  readonly type: DescribedType;
  readonly view: ListView;
  readonly newHref: string | undefined;
}

/** Why nothing is shown, and what to do about it. */
function Empty({ type, view, newHref }: EmptyProps) {
  if (view.page > 1)
    return (
      <div class="list-empty">
        <h2>{say('lists.pastEnd')}</h2>
        <button type="button" class="primary" onClick={() => setQuery(viewChanges({}))}>
          {say('lists.toFirst')}
        </button>
      </div>
    );
  if (view.search !== '' || view.conditions.length > 0)
    return (
      <div class="list-empty">
        <h2>{say('lists.nothing')}</h2>
        <p class="soft">{say('lists.nothingHint')}</p>
        <button type="button" class="primary" onClick={() => setQuery(viewChanges({ search: '', conditions: [] }))}>
          {say('lists.clear')}
        </button>
      </div>
    );
  const locale =
    type.localized && view.locale !== defaultLocale() ? me.value?.locales.find(({ code }) => code === view.locale)?.name : undefined;
  return (
    <div class="list-empty">
      <h2>{locale === undefined ? say('lists.empty') : say('lists.emptyLocale', { locale })}</h2>
      <p class="soft">{say(newHref === undefined ? 'lists.emptyReadOnly' : 'lists.emptyHint')}</p>
      {newHref !== undefined && (
        <a class="button primary" href={newHref}>
          {say('lists.writeFirst')}
        </a>
      )}
    </div>
  );
}
