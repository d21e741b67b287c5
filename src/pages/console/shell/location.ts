/** The location of the page: `/console/content/articles?page=2`. */
import { signal } from '@preact/signals';

const root = '/console';
let arrivals = 0;

export interface Place {
  /** Differs for each time that the page went somewhere, also to where it was. */
  readonly arrival: number;
  /** Below `/console`, decoded: `['content', 'articles']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** `?page=2` of the list that the form was opened from; undefined for other ways. */
  readonly list: string | undefined;
}

/** With each step of the history: a reload and the way back keep it. */
interface State {
  readonly list?: string | undefined;
}

const stateNow = (): State | null => history.state;

export const place = signal<Place>(read());
/** Asked before the page shows something else; resolves with whether it may. */
let guard: (() => Promise<boolean>) | undefined;

function read(): Place {
  const path = location.pathname.slice(root.length).split('/').filter(Boolean).map(decoded);
  return { path, query: new URLSearchParams(location.search), arrival: arrivals, list: stateNow()?.list };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `hrefOf(['content', 'articles'], { page: '2' })` → `/console/content/articles?page=2` */
export function hrefOf(path: readonly string[], query: Readonly<Record<string, string>> | URLSearchParams = {}): string {
  const text = new URLSearchParams(query).toString();
  return [root, ...path.map(encodeURIComponent)].join('/') + (text === '' ? '' : `?${text}`);
}

/** `replace`: the former place is not gone back to. */
export async function go(href: string, { replace = false }: { readonly replace?: boolean } = {}): Promise<void> {
  if (!replace && guard !== undefined && !(await guard())) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(stateFor(href), '', href);
  arrivals += 1;
  arrive();
  if (!replace) scrollTo(0, 0);
}

/** From a list to its forms, and from form to form of one type. */
function stateFor(href: string): State | null {
  const [area, name, document] = place.value.path;
  const isWithin = area === 'content' && name !== undefined && new URL(href, location.href).pathname.startsWith(`${hrefOf([area, name])}/`);
  return isWithin ? { list: document === undefined ? location.search : stateNow()?.list } : null;
}

/** What is shown has another address now; it stays as it is. */
export function rename(href: string): void {
  history.replaceState(stateNow(), '', href);
  shown = location.href;
}

/** Changes parameters of the query, and keeps the path; empty ones are removed. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, options?: { readonly replace?: boolean }): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const href = hrefOf(place.value.path, query);
  if (options?.replace === true) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  arrive();
}

let shown = location.href;
function arrive(): void {
  shown = location.href;
  place.value = read();
}

/** Until it is called again with undefined. */
export function guardLeaving(ask: (() => Promise<boolean>) | undefined): void {
  guard = ask;
}

/** Links of the page need no handler of their own. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    void (async () => {
      const wanted = location.href;
      const state = stateNow();
      if (guard !== undefined) {
        // The browser is there already: it goes back to what is shown while the guard asks.
        history.pushState({ list: place.value.list }, '', shown);
        if (!(await guard())) return;
        history.replaceState(state, '', wanted);
      }
      arrivals += 1;
      arrive();
    })();
  });
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname !== root && !link.pathname.startsWith(`${root}/`)) return;
    event.preventDefault();
    // The address of the page stays that of what it shows.
    if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search)
      return document.getElementById(link.hash.slice(1))?.focus();
    void go(link.href);
  });
}
