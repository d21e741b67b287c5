/** The rows of a list as a table; on narrow windows, as items of two lines (`lists.css`). */
import { useEffect, useRef } from 'preact/hooks';
import { type DescribedType, pathNameOf } from '../server/me.ts';
import { useSingleKeys } from '../shell/keys.ts';
import { hrefOf, setQuery } from '../shell/location.ts';
import { say } from '../words/say.ts';
import { Cell, columnClass } from './cell.tsx';
import { type Column, isSortable } from './columns.ts';
import { labelOf } from './condition-text.ts';
import { pendingOf } from './jobs.ts';
import { usualSort } from './list-query.ts';
import type { Row, Rows } from './rows.ts';
import type { Selection } from './selection.ts';
import { titleText } from './values-text.ts';
import { type ListView, viewChanges } from './view-url.ts';

export interface TableProps {
  readonly type: DescribedType;
  readonly view: ListView;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly selection: Selection;
  /** Whether rows can be chosen: there is something to do with them. */
  readonly canSelect: boolean;
}

export function Table({ type, view, columns, rows, selection, canSelect }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const pending = pendingOf(type.uid, view.locale);
  const title: Column = {
    name: type.title ?? 'documentId',
    attribute: type.attributes.find(({ name }) => name === (type.title ?? 'documentId')),
  };
  const move = useRowKeys(body, rows, selection, canSelect);
  const list = rows.list.value ?? [];
  return (
    <div class={rows.isLoading.value ? 'list-scroll is-loading' : 'list-scroll'}>
      <table class="list" aria-busy={rows.isLoading.value} onKeyDown={(event) => moveByArrow(event, move)}>
        <caption class="unseen">{say('lists.table', { type: type.label })}</caption>
        <colgroup>
          {canSelect && <col class="is-check" />}
          <col class="is-title" />
          {columns.map((column) => (
            <col key={column.name} class={columnClass(column)} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {canSelect && (
              <th scope="col" class="is-check">
                <AllBox selection={selection} />
              </th>
            )}
            <Header column={title} type={type} view={view} />
            {columns.map((column) => (
              <Header key={column.name} column={column} type={type} view={view} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {list.map((row, index) => {
            const fate = pending.get(row.documentId);
            const isChosen = selection.has(row.documentId);
            const tabIndex = selection.current.value === index ? 0 : -1;
            return (
              <tr key={row.documentId} class={`${isChosen ? 'is-chosen' : ''} ${fate === undefined ? '' : `is-pending is-${fate}`}`}>
                {canSelect && (
                  <td class="is-check">
                    <RowBox row={row} index={index} type={type} selection={selection} tabIndex={tabIndex} isDisabled={fate !== undefined} />
                  </td>
                )}
                <th scope="row" class="is-title">
                  <a
                    class="list-title"
                    dir="auto"
                    tabIndex={tabIndex}
                    href={hrefOf(['content', pathNameOf(type), row.documentId], view.locale === undefined ? {} : { locale: view.locale })}
                    onFocus={() => {
                      selection.current.value = index;
                    }}
                  >
                    {titleText(type, row)}
                  </a>
                  {fate !== undefined && <span class="list-fate">{say(`lists.pending.${fate}`)}</span>}
                </th>
                {columns.map((column) => (
                  <td key={column.name} class={columnClass(column)} data-label={labelOf(column.attribute)}>
                    <Cell column={column} row={row} rows={rows} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function AllBox({ selection }: { readonly selection: Selection }) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = selection.ids.value.length > 0;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome && !selection.isWhole;
  });
  return (
    <label class="list-box">
      <span class="unseen">{say('lists.selectAll')}</span>
      <input ref={box} type="checkbox" checked={selection.isWhole} onChange={() => selection.toggleAll()} />
    </label>
  );
}

interface BoxProps {
  readonly row: Row;
  readonly index: number;
  readonly type: DescribedType;
  readonly selection: Selection;
  readonly tabIndex: number;
  readonly isDisabled: boolean;
}

function RowBox({ row, index, type, selection, tabIndex, isDisabled }: BoxProps) {
  return (
    <label class="list-box">
      <span class="unseen">{say('lists.select', { title: titleText(type, row) })}</span>
      <input
        type="checkbox"
        tabIndex={tabIndex}
        disabled={isDisabled}
        checked={selection.has(row.documentId) && !isDisabled}
        onClick={(event) => {
          selection.toggle(index, event.shiftKey);
          // The end of a range may have been chosen already, and stays so.
          event.currentTarget.checked = selection.has(row.documentId);
        }}
      />
    </label>
  );
}

function Header({ column, type, view }: { readonly column: Column; readonly type: DescribedType; readonly view: ListView }) {
  const { attribute, name } = column;
  const label = labelOf(attribute);
  const className = name === (type.title ?? 'documentId') ? 'is-title' : columnClass(column);
  if (attribute === undefined || !isSortable(attribute))
    return (
      <th scope="col" class={className}>
        {label}
      </th>
    );
  const sort = view.sort ?? usualSort(type);
  const direction = sort?.name === name ? sort.direction : undefined;
  // Up, down, and back to the usual order.
  const next = direction === undefined ? 'asc' : direction === 'asc' ? 'desc' : view.sort === undefined ? 'asc' : undefined;
  return (
    <th scope="col" class={className} aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}>
      <button
        type="button"
        class="list-sort"
        onClick={() => setQuery(viewChanges({ sort: next === undefined ? undefined : { name, direction: next } }))}
      >
        {label}
        <span aria-hidden="true">{direction === undefined ? '' : direction === 'asc' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  );
}

type Move = (by: number) => void;

function moveByArrow(event: KeyboardEvent, move: Move): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(event.target instanceof Element) || event.target.closest('tbody') === null) return;
  event.preventDefault();
  move(by);
}

/** One row can be reached by Tab; keys move from row to row. */
function useRowKeys(
  body: { readonly current: HTMLTableSectionElement | null },
  rows: Rows,
  selection: Selection,
  canSelect: boolean,
): Move {
  const linkAt = (index: number) => body.current?.rows[index]?.querySelector('a');
  const move: Move = (by) => {
    const last = (rows.list.value?.length ?? 0) - 1;
    const isInside = body.current?.contains(document.activeElement) === true;
    const index = Math.min(last, Math.max(0, isInside ? selection.current.value + by : selection.current.value));
    if (index < 0) return;
    selection.current.value = index;
    linkAt(index)?.focus();
  };
  const select = (isRange: boolean) => {
    const box = body.current?.rows[selection.current.value]?.querySelector('input');
    if (canSelect && box !== null && box !== undefined && !box.disabled) selection.toggle(selection.current.value, isRange);
  };
  useSingleKeys({ j: () => move(1), k: () => move(-1), x: () => select(false), X: () => select(true) });
  // A shorter page has no such row any more.
  const { length } = rows.list.value ?? [];
  useEffect(() => {
    if (selection.current.value >= length) selection.current.value = 0;
  }, [length]);
  return move;
}
