/** Differences from Strapi that are intended. docs/differences.md has them at length. */
import type { ContentModel } from '../model/content-model.ts';
import { isObject } from '../text/json.ts';
import type { Answer } from './ask.ts';
import { type Difference, jsonOf, type Pair } from './differences.ts';
import type { Target } from './target.ts';

export interface KnownDifference {
  readonly reason: string;
  applies(difference: Difference, found: Found): boolean;
}

/** Where a difference was found. */
export interface Found extends Pair {
  readonly target: Target;
  /** Names of polymorphic relations (`morphToOne`, `morphMany`), whose rows name their types; empty
   *  where the content types are unknown. */
  readonly morphs: ReadonlySet<string>;
}

export const morphsOf = (model: ContentModel): ReadonlySet<string> =>
  new Set(
    [...model.contentTypes.values(), ...model.components.values()].flatMap(({ attributes }) =>
      [...attributes.values()].flatMap((each) =>
        each.kind === 'relation' && (each.storage.kind === 'morphColumns' || each.storage.kind === 'inverseMorphColumns')
          ? [each.name]
          : [],
      ),
    ),
  );

const headers = (reason: string, ...names: readonly string[]): KnownDifference => ({
  reason,
  applies: ({ kind, path }) => kind === 'header' && names.includes(path),
});

export const knownDifferences: readonly KnownDifference[] = [
  headers('each server names itself in X-Powered-By', 'x-powered-by'),
  headers(
    'each server sends the security headers that its pages and files need',
    'content-security-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'origin-agent-cluster',
    'referrer-policy',
    'strict-transport-security',
    'x-content-type-options',
    'x-dns-prefetch-control',
    'x-download-options',
    'x-frame-options',
    'x-permitted-cross-domain-policies',
    'x-xss-protection',
  ),
  headers('Lectern sends the id and the duration of a request, and the code of an error', 'x-request-id', 'server-timing', 'x-error-code'),
  headers('Lectern sends headers for caches', 'etag', 'cache-control', 'vary', 'last-modified'),
  headers(
    'requests are sent without Origin, so headers for browsers may differ',
    'access-control-allow-origin',
    'access-control-allow-credentials',
    'access-control-expose-headers',
  ),
  headers(
    'each server counts requests for its own rate limits',
    'retry-after',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ),
  {
    reason: 'Lectern serves PATCH, and names it in Allow',
    applies: ({ kind, path, theirs, ours }) => kind === 'header' && path === 'allow' && ours.replace(' PATCH,', '') === theirs,
  },
  {
    reason: 'responses to a registration and to a new password set the refresh cookie as well',
    applies: ({ kind, path, theirs }, { target }) =>
      kind === 'header' && path === 'set-cookie' && theirs === '(absent)' && setsCookie.test(target),
  },
  {
    reason: 'no second cookie has a signature of the refresh cookie, since the token in it is signed',
    applies: ({ kind, path, theirs, ours }) =>
      kind === 'header' && path === 'set-cookie' && theirs.replaceAll(/, [^=;,\s]+\.sig=[^,]*/g, '') === ours,
  },
  {
    reason: 'the response to a new password has the times of this change; Strapi returns the user as before the change',
    applies: ({ kind, path }, { target }) => kind === 'value' && /^user\.(?:updated|published)At$/.test(path) && setsPassword.test(target),
  },
  {
    reason: 'true and false in JSON attributes stay; Strapi on SQLite reads them back as 1 and 0',
    applies: ({ kind, theirs, ours }) => kind === 'type' && booleans.has(`${theirs}, ${ours}`),
  },
  {
    reason: 'the error for a missing file has no headers of files',
    applies: ({ kind, path }, { ours }) => kind === 'header' && path === 'accept-ranges' && ours.status >= 400,
  },
  {
    reason: 'where Strapi responds with 500, a request succeeds, or is refused with a 4xx that names the parameter',
    applies: ({ kind }, { theirs, ours }) => kind === 'status' && theirs.status === 500 && ours.status < 500,
  },
  {
    reason: 'a condition that cannot be read is a 400 that names it, where Strapi ignores it',
    applies: ({ kind }, { theirs, ours }) =>
      kind === 'status' && theirs.status === 200 && ours.status === 400 && unreadable.has(codeOf(ours)),
  },
  {
    reason: 'a request beyond a limit is a 400 that names the limit (limits.* in docs/configuration.md)',
    applies: ({ kind }, { theirs, ours }) =>
      kind === 'status' && theirs.status === 200 && ours.status === 400 && codeOf(ours).startsWith('limit.'),
  },
  {
    reason: 'errors have the same status and name; messages and details are worded differently',
    applies: ({ path }, { ours }) => ours.status >= 400 && /^error\.(?:message|code|details)(?:$|[.[])/.test(path),
  },
  {
    reason: 'integers of 64 bits have all their digits; Strapi on SQLite rounds them beyond 2^53',
    applies: ({ kind, theirs, ours }) => kind === 'value' && longInteger.test(theirs) && longInteger.test(ours) && isRounded(theirs, ours),
  },
  {
    reason: '_q does not search private attributes, and _ in it is a character, not a wildcard',
    applies: (_, { target, theirs, ours }) => /[?&]_q=/.test(target) && totalOf(ours) < totalOf(theirs),
  },
  {
    reason: 'an empty status means published; in Strapi it opens the drafts',
    applies: (_, { target }) => /[?&]status=?(?:&|$)/.test(target),
  },
  {
    reason: 'a morphToOne relation, and the morphMany on its other side, is populated whatever fields chooses; Strapi returns null and []',
    applies: ({ path, theirs }, { target, morphs }) =>
      /fields/.test(target) && (theirs === 'null null' || theirs === '[]') && morphs.has(lastName(path)),
  },
  {
    reason: 'entries below a morphMany have the usual attributes; Strapi also shows their locale: null',
    applies: ({ kind, path, theirs }, { morphs }) =>
      kind === 'missing' && theirs === 'null' && path.endsWith('.locale') && path.split('.').some((name) => morphs.has(lastName(name))),
  },
  {
    reason: 'locale and a filter on locale both apply; in Strapi the filter replaces the parameter',
    applies: (_, { target }) => /[?&]locale=/.test(target) && /[?&]filters\[[^=]*locale\]/.test(target),
  },
  {
    reason: 'localizations are the other locales, also with locale=*; Strapi leaves out those on the same page',
    applies: ({ path }, { target }) => /[?&]locale=(?:\*|%2a)(?:&|$)/i.test(target) && path.includes('localizations'),
  },
];

const setsCookie = /\/auth\/(?:local\/register|change-password|reset-password)(?:$|\?)/;
const setsPassword = /\/auth\/(?:change-password|reset-password)(?:$|\?)/;
const booleans: ReadonlySet<string> = new Set(['number 0, boolean false', 'number 1, boolean true']);

/** `data[].author.remarks[]` → `remarks`. */
const lastName = (path: string) => (path.split('.').at(-1) ?? '').replaceAll('[]', '');

/** Errors of queries to which Strapi responds as if the condition were not there. */
const unreadable: ReadonlySet<string> = new Set([
  'filter.object',
  'filter.group',
  'filter.list',
  'filter.value',
  'filter.between',
  'filter.format',
  'filter.operator-place',
]);

/** The code of Lectern's error: in the body, or in profile `strapi` in a header. */
function codeOf(answer: Answer): string {
  const body = jsonOf(answer.body);
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  return answer.headers['x-error-code'] ?? (typeof error.code === 'string' ? error.code : '');
}

/** As a number or a text. */
const longInteger = /^"?-?\d{16,}"?$/;
const isRounded = (theirs: string, ours: string) => Number(theirs.replaceAll('"', '')) === Number(ours.replaceAll('"', ''));

/** NaN where there is none. */
function totalOf(answer: Answer): number {
  const body = jsonOf(answer.body);
  const meta = isObject(body) && isObject(body.meta) ? body.meta : {};
  const pagination = isObject(meta.pagination) ? meta.pagination : {};
  return typeof pagination.total === 'number' ? pagination.total : Number.NaN;
}
