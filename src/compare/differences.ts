/** Differences of two responses. The order of keys is ignored, that of lists not; 1 is not "1". */
import { isObject, type JsonObject } from '../text/json.ts';
import { printable } from '../text/printable.ts';
import type { Answer } from './ask.ts';
import { deepest, isPlainObject, LongNumber, parseExactly } from './exact-json.ts';

/** `missing`: only in the other response; `extra`: only in Lectern's. `entries`: lists differ. */
export type DifferenceKind = 'status' | 'header' | 'missing' | 'extra' | 'type' | 'value' | 'entries' | 'order' | 'body';

export interface Difference {
  readonly kind: DifferenceKind;
  /** The name of the header, or a path in the JSON body without positions: `data[].author.name`. */
  readonly path: string;
  readonly theirs: string;
  readonly ours: string;
}

export interface Pair {
  readonly theirs: Answer;
  readonly ours: Answer;
}

/** Returns the other server's value, with whatever means the same as in ours replaced by ours. */
export type Translate = (theirs: unknown, ours: unknown) => unknown;

/** The maximum number of differences kept for one pair; further ones say nothing new. */
const maxDifferences = 40;
const maxPathLength = 200;
const maxTextLength = 1000;

/** Those of the transport, or of the moment. */
const ignoredHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'age', 'via', 'server']);

export function differencesIn(pair: Pair, translate?: Translate): readonly Difference[] {
  const { theirs, ours } = pair;
  const into = new Differences();
  // Everything else differs as well then.
  if (theirs.status !== ours.status) {
    into.add({ kind: 'status', path: 'status', theirs: `${theirs.status}${nameOf(theirs)}`, ours: `${ours.status}${nameOf(ours)}` });
    return into.list;
  }
  for (const name of new Set([...Object.keys(theirs.headers), ...Object.keys(ours.headers)])) {
    const [one, other] = [theirs.headers[name], ours.headers[name]].map((value) =>
      value === undefined ? value : headerValue(name, value),
    );
    if (one === other || ignoredHeaders.has(name)) continue;
    into.add({ kind: 'header', path: name, theirs: one ?? '(absent)', ours: other ?? '(absent)' });
  }
  if (!theirs.body.equals(ours.body)) compareBodies(pair, into, translate);
  // Equal bodies show pairs of ids, too.
  else if (translate !== undefined) translate(jsonOf(theirs.body), jsonOf(ours.body));
  return into.list;
}

class Differences {
  readonly list: Difference[] = [];

  add(difference: Difference): void {
    if (this.list.length >= maxDifferences) return;
    const cut = (text: string) => (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text);
    this.list.push({
      ...difference,
      // Servers choose keys, and terminals obey control characters.
      path: printable(difference.path.slice(0, maxPathLength)),
      theirs: cut(difference.theirs),
      ours: cut(difference.ours),
    });
  }
}

/** ` ValidationError: Invalid key title`, of an error response. */
function nameOf({ body, status }: Answer): string {
  const value = status < 400 ? undefined : jsonOf(body);
  const error = isObject(value) ? value.error : undefined;
  return isObject(error) ? ` ${textOf(error.name)}: ${textOf(error.message)}` : '';
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : shown(value));

/** Leaves out what always differs: the host in redirects, and cookies' values (new tokens). */
function headerValue(name: string, value: string): string {
  if (name === 'location') return value.replace(/^https?:\/\/[^/?#]*/i, '');
  if (name !== 'set-cookie') return value;
  const cookies = value
    .split(/, (?=[^=;,\s]+=)/)
    .map((cookie) => cookie.replace(/=[^;]+/, '=(value)').replace(/expires=[^;]+/i, 'expires=(time)'));
  return cookies.join(', ');
}

function compareBodies({ theirs, ours }: Pair, into: Differences, translate: Translate = (value) => value): void {
  const [one, other] = [jsonOf(theirs.body), jsonOf(ours.body)];
  if (one !== undefined && other !== undefined) {
    compareValues(translate(one, other), other, '', into, 0);
    return;
  }
  into.add({ kind: 'body', path: 'body', theirs: describe(theirs.body), ours: describe(ours.body) });
}

const describe = (body: Buffer) => `${body.length} bytes${body.length > 0 && body.length < 200 ? `: ${body.toString('utf8')}` : ''}`;

/** Undefined for what is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return parseExactly(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function compareValues(theirs: unknown, ours: unknown, path: string, into: Differences, depth: number): void {
  if (depth > deepest) {
    into.add({ kind: 'body', path, theirs: 'nested too deeply to compare', ours: 'nested too deeply to compare' });
    return;
  }
  const [one, other] = [typeOf(theirs), typeOf(ours)];
  if (one !== other) into.add({ kind: 'type', path, theirs: `${one} ${shown(theirs)}`, ours: `${other} ${shown(ours)}` });
  else if (Array.isArray(theirs) && Array.isArray(ours)) compareLists(theirs, ours, `${path}[]`, into, depth + 1);
  else if (isPlainObject(theirs) && isPlainObject(ours)) compareObjects(theirs, ours, path, into, depth + 1);
  else if (!isEqual(theirs, ours)) into.add({ kind: 'value', path, theirs: shown(theirs), ours: shown(ours) });
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return value instanceof LongNumber ? 'number' : typeof value;
}

const isEqual = (theirs: unknown, ours: unknown): boolean =>
  theirs instanceof LongNumber || ours instanceof LongNumber ? digitsOf(theirs) === digitsOf(ours) : theirs === ours;
const digitsOf = (value: unknown) => (value instanceof LongNumber ? value.digits : String(value));

function compareObjects(theirs: JsonObject, ours: JsonObject, path: string, into: Differences, depth: number): void {
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  for (const [key, value] of Object.entries(theirs)) {
    if (Object.hasOwn(ours, key)) compareValues(value, ours[key], below(key), into, depth);
    else into.add({ kind: 'missing', path: below(key), theirs: shown(value), ours: '(absent)' });
  }
  for (const [key, value] of Object.entries(ours)) {
    if (!Object.hasOwn(theirs, key)) into.add({ kind: 'extra', path: below(key), theirs: '(absent)', ours: shown(value) });
  }
}

/** Compares entries of one identity, so that an additional one does not make later ones differ. */
function compareLists(theirs: readonly unknown[], ours: readonly unknown[], path: string, into: Differences, depth: number): void {
  const [identities, others] = [identitiesOf(theirs), identitiesOf(ours)];
  const isSame = theirs.length === ours.length && identities.every((identity, position) => identity === others[position]);
  if (!isSame && !identities.includes(undefined) && !others.includes(undefined)) {
    const list = (all: readonly (string | undefined)[]) => shown(all);
    const hasSame = theirs.length === ours.length && isEqualList(identities.toSorted(), others.toSorted());
    into.add({ kind: hasSame ? 'order' : 'entries', path, theirs: list(identities), ours: list(others) });
    const positions = new Map(others.map((identity, position) => [identity, position]));
    theirs.forEach((value, position) => {
      const found = positions.get(identities[position]);
      if (found !== undefined) compareValues(value, ours[found], path, into, depth);
    });
    return;
  }
  if (theirs.length !== ours.length) {
    into.add({ kind: 'entries', path, theirs: `${theirs.length} entries`, ours: `${ours.length} entries` });
    return;
  }
  theirs.forEach((value, position) => {
    compareValues(value, ours[position], path, into, depth);
  });
}

const isEqualList = (some: readonly unknown[], others: readonly unknown[]) => some.every((each, position) => each === others[position]);

/** All undefined where two are the same, such as versions of a document. */
function identitiesOf(list: readonly unknown[]): readonly (string | undefined)[] {
  const identities = list.map(identityOf);
  return new Set(identities).size === list.length ? identities : list.map(() => undefined);
}

/** Undefined for lists, and for objects that are no documents, components or files. */
function identityOf(value: unknown): string | undefined {
  if (value instanceof LongNumber) return value.digits;
  if (!isObject(value)) return Array.isArray(value) ? undefined : JSON.stringify(value);
  const { documentId, locale, id, __component: component } = value;
  if (typeof documentId === 'string') return typeof locale === 'string' ? `${documentId} ${locale}` : documentId;
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  return typeof component === 'string' ? `${component} ${id}` : String(id);
}

function shown(value: unknown): string {
  if (value instanceof LongNumber) return value.digits;
  try {
    return JSON.stringify(value, (_, each: unknown) => (each instanceof LongNumber ? each.digits : each)) ?? '';
  } catch {
    return '(nested too deeply to show)';
  }
}
