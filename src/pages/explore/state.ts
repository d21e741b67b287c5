/** What the page knows, as signals. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { DescribedModel } from '../../http/site/explore/described-model.ts';
import type { ExplainedStatement } from '../../pipeline/call.ts';
import { decoded } from '../../text/url-parts.ts';
import { emptyQuery, type Query } from './query.ts';
import { readUrl } from './read-url.ts';
import { encodedUrl, readableUrl } from './write-url.ts';

export const model = signal<DescribedModel | undefined>(undefined);
/** Why the types could not be loaded. */
export const loadProblem = signal('');
export const query = signal<Query>(emptyQuery(''));
/** A URL that was pasted. It is run as it is, until a control is changed. */
const pasted = signal<{ readonly text: string; readonly unshown: readonly string[] } | undefined>(undefined);

/** `/api/articles?filters[title][$eq]=a` */
export const url = computed(() => pasted.value?.text ?? (model.value === undefined ? '' : readableUrl(query.value, model.value)));
export const unshown = computed(() => pasted.value?.unshown ?? []);
/** Why the URL of the field is not used. */
export const urlProblem = signal('');

export function edit(change: (query: Query) => Query): void {
  batch(() => {
    pasted.value = undefined;
    urlProblem.value = '';
    query.value = change(query.value);
  });
}

/** Takes a URL over into the controls. */
export function takeUrl(text: string): void {
  const described = model.value;
  if (described === undefined) return;
  const trimmed = text.trim();
  const problem = problemOf(trimmed, described.prefix);
  batch(() => {
    urlProblem.value = problem;
    if (problem !== '') return;
    const own = ownPart(trimmed);
    const read = readUrl(own, described, location.origin);
    if (read.query !== undefined) query.value = read.query;
    pasted.value = { text: own, unshown: read.unshown };
  });
}

/** The page asks this server alone, and reads content alone. */
function problemOf(text: string, prefix: string): string {
  if (!URL.canParse(text, location.origin)) return 'This is not a URL.';
  const { origin, pathname } = new URL(text, location.origin);
  if (origin !== location.origin) return `Only URLs of this server can be run: ${location.origin}${prefix}/…`;
  return pathname.startsWith(`${prefix}/`) ? '' : `Only URLs below ${prefix}/ can be run.`;
}

/** `http://localhost:1337/api/articles?a=b` → `/api/articles?a=b`, as it was typed. */
const ownPart = (text: string) =>
  text.startsWith('/') && !text.startsWith('//') ? text : text.replace(/^[a-z]+:\/\/[^/]+|^\/\/[^/]+/i, '');

/* ---------------------------------------------------------------- the caller */

const tokenKey = 'lectern-explore-token';
const nameKey = 'lectern-explore-user';
/** A secret: it stays in this tab, and is gone when the tab is closed. */
export const token = signal(sessionStorage.getItem(tokenKey) ?? '');
/** The name of the signed-in user. */
export const userName = signal(sessionStorage.getItem(nameKey) ?? '');
// Both outlive a reload of the page.
const keep = (key: string, value: string) => (value === '' ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value));
effect(() => keep(tokenKey, token.value));
effect(() => keep(nameKey, userName.value));

/** A header can hold no other characters; `fetch` would throw. */
const authorization = (): Record<string, string> => (token.value === '' ? {} : { Authorization: `Bearer ${token.value}` });

export async function loadModel(): Promise<void> {
  const response = await fetch('/explore/types', { headers: authorization() });
  if (!response.ok) {
    loadProblem.value =
      response.status === 401 ? 'The token is not valid.' : `The types could not be loaded: the server responded with ${response.status}.`;
    if (response.status === 401 && token.value !== '') {
      token.value = '';
      userName.value = '';
      await loadModel();
    }
    return;
  }
  const described: DescribedModel = await response.json();
  batch(() => {
    const before = url.value;
    model.value = described;
    if (before !== '') takeUrl(before);
    if (!described.roots.some((root) => root.uid === query.value.uid) && pasted.value === undefined)
      query.value = emptyQuery(firstRoot(described)?.uid ?? '');
  });
  await loadLocales();
}

/** What the page opens with: a list, which has more to show than a single document. */
const firstRoot = ({ roots }: DescribedModel) => roots.find((root) => root.mayFind && !root.isSingle) ?? roots[0];

/** Uses another token, or none. */
export async function become(secret: string, name = ''): Promise<void> {
  batch(() => {
    token.value = secret.trim();
    userName.value = name;
    loadProblem.value = /^[\x21-\x7e]*$/.test(token.value) ? '' : 'A token has no spaces and no special characters.';
    if (loadProblem.value !== '') token.value = '';
  });
  if (loadProblem.value === '') await loadModel();
}

/** Returns why it failed; empty if it did not. */
export async function signIn(identifier: string, password: string): Promise<string> {
  const response = await fetch(`${model.value?.prefix ?? ''}/auth/local`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier, password }),
  });
  const body = await response.json().catch(() => undefined);
  if (!response.ok || typeof body?.jwt !== 'string') return body?.error?.message ?? `The server responded with ${response.status}.`;
  await become(body.jwt, body.user?.username ?? identifier);
  return '';
}

/** The codes of the locales, if the caller may know them. */
export const locales = signal<readonly string[]>([]);
async function loadLocales(): Promise<void> {
  locales.value = [];
  if (!model.value?.mayListLocales || !model.value.roots.some((root) => root.hasLocales)) return;
  const response = await fetch(`${model.value.prefix}/i18n/locales`, { headers: authorization() });
  const body: unknown = response.ok ? await response.json() : [];
  locales.value = Array.isArray(body) ? body.map((locale) => String(locale.code)) : [];
}

/* ---------------------------------------------------------------- the response */

export interface Result {
  /** The URL that was run. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
  readonly bytes: number;
  /** Milliseconds until the whole response was there. */
  readonly milliseconds: number;
  readonly serverTiming: string;
}

export const result = signal<Result | undefined>(undefined);
/** Why there is no response. */
export const runProblem = signal('');
export const isRunning = signal(false);
let running = new AbortController();

async function load(): Promise<void> {
  const asked = url.value;
  if (asked === '' || urlProblem.value !== '') return;
  running.abort();
  running = new AbortController();
  const { signal: aborted } = running;
  isRunning.value = true;
  const started = performance.now();
  try {
    const response = await fetch(encodedUrl(asked, location.origin), { headers: authorization(), signal: aborted });
    const bytes = await response.arrayBuffer();
    const text = new TextDecoder().decode(bytes);
    const milliseconds = performance.now() - started;
    batch(() => {
      runProblem.value = '';
      result.value = {
        url: asked,
        status: response.status,
        statusText: response.statusText,
        text,
        json: parsed(text),
        bytes: bytes.byteLength,
        milliseconds,
        serverTiming: response.headers.get('server-timing') ?? '',
      };
    });
  } catch {
    if (aborted.aborted) return;
    batch(() => {
      result.value = undefined;
      runProblem.value = 'The server did not respond.';
    });
  }
  isRunning.value = false;
}

/** Without a type there is nothing to ask for, and the response of a former caller is gone. */
function clear(): void {
  running.abort();
  isRunning.value = false;
  result.value = undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The statements of a URL, or why there are none. */
export async function loadStatements(asked: string): Promise<readonly ExplainedStatement[] | string> {
  const { pathname, search } = new URL(encodedUrl(asked, location.origin));
  const response = await fetch(`/explore/statements${pathname}${search}`, { headers: authorization() }).catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  if (Array.isArray(body?.data)) return body.data;
  return response?.status === 404 ? 'The statements of this URL cannot be shown.' : (body?.error?.message ?? 'The server did not respond.');
}

/* ---------------------------------------------------------------- the location */

/** Milliseconds without a change until the query is run. */
const pause = 400;

/** Keeps the location, the controls and the response in step. Browsers do not send the hash. */
export function follow(): void {
  const inHash = () => location.hash.slice(1);
  const ofHash = () => decoded(inHash(), decodeURI) ?? inHash();
  let written = '';
  if (inHash() !== '') takeUrl(ofHash());
  addEventListener('hashchange', () => {
    if (inHash() !== written && inHash() !== '') takeUrl(ofHash());
  });
  let isFirst = true;
  const write = () => {
    const next = encodeURI(url.value);
    if (inHash() !== next) {
      if (isFirst) history.replaceState(null, '', `#${next}`);
      else history.pushState(null, '', `#${next}`);
      written = inHash();
    }
    isFirst = false;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  runNow = () => {
    clearTimeout(timer);
    write();
    void load();
  };
  effect(() => {
    // The caller counts as well.
    token.value;
    clearTimeout(timer);
    if (url.value === '') return clear();
    timer = setTimeout(run, isFirst ? 0 : pause);
  });
}

let runNow = (): void => undefined;
/** Runs the query, and makes its URL that of the page. */
export const run = (): void => runNow();
