/** Below the rows: the pages, and how many rows each has. */
import { hrefOf, place, setQuery } from '../shell/location.ts';
import { say } from '../words/say.ts';
import type { Rows } from './rows.ts';
import { type ListView, pageSizes, viewChanges } from './view-url.ts';

interface Props {
  readonly view: ListView;
  readonly rows: Rows;
  /** The user is about to ask for this page. */
  readonly expect: (page: number) => void;
}

export function Pager({ view, rows, expect }: Props) {
  const { page } = view;
  const size = rows.size.value;
  const total = rows.total.value;
  const isFull = rows.list.value?.length === size;
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / size));
  if (page === 1 && (total === undefined ? !isFull : total <= pageSizes[0])) return null;
  return (
    <nav class="list-pager" aria-label={say('lists.pages')}>
      <PageLink page={page - 1} isThere={page > 1} text={say('lists.previous')} expect={expect} />
      <span>{pages === undefined ? say('lists.pageOnly', { page }) : say('lists.page', { page, pages })}</span>
      <PageLink page={page + 1} isThere={pages === undefined ? isFull : page < pages} text={say('lists.next')} expect={expect} />
      <label>
        <span class="soft">{say('lists.size')}</span>
        <select value={view.size} onChange={(event) => setQuery(viewChanges({ size: Number(event.currentTarget.value) }))}>
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
    </nav>
  );
}

interface LinkProps {
  readonly page: number;
  readonly isThere: boolean;
  readonly text: string;
  readonly expect: (page: number) => void;
}

function PageLink({ page, isThere, text, expect }: LinkProps) {
  if (!isThere)
    return (
      <span class="button is-off" aria-hidden="true">
        {text}
      </span>
    );
  const query = new URLSearchParams(place.value.query);
  if (page === 1) query.delete('page');
  else query.set('page', String(page));
  const soon = () => expect(page);
  return (
    <a class="button" href={hrefOf(place.value.path, query)} onPointerEnter={soon} onFocus={soon}>
      {text}
    </a>
  );
}
