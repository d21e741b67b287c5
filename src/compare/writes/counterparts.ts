/** Pairs the values that two servers generate for one request: documentIds, row ids, times and
 *  tokens. They differ, but mean the same. */
import type { JsonObject } from '../../text/json.ts';
import { deepest, isPlainObject } from '../exact-json.ts';

/** When the comparison began, by the clock of each server; milliseconds since 1970. */
export interface Begin {
  readonly theirs: number;
  readonly ours: number;
}

const documentId = /^[a-z0-9]{24}$/;
const ids = /\b[a-z0-9]{24}\b/g;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const token = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;
const timeKeys: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const tokenKeys: ReadonlySet<string> = new Set(['jwt', 'refreshToken']);
/** Further ids are compared as they are; a response may have any number. */
const maxIds = 500_000;

/** Pairs documentIds that occur at the same position of two responses. */
export class Counterparts {
  readonly #ours = new Map<string, string>();
  readonly #theirs = new Map<string, string>();
  readonly #begin: Begin;

  constructor(begin: Begin) {
    this.#begin = begin;
  }

  /** Pairs each id in a line of the file with itself, since the document is in both copies. */
  share(text: string): void {
    for (const [id] of text.matchAll(ids)) this.#link(id, id);
  }

  /** Returns the other server's value, with generated values replaced by ours to compare them. */
  readonly translate = (theirs: unknown, ours: unknown): unknown => this.#translate('', theirs, ours, 0);

  #translate(key: string, theirs: unknown, ours: unknown, depth: number): unknown {
    if (depth > deepest) return theirs;
    if (Array.isArray(theirs)) return this.#list(theirs, Array.isArray(ours) ? ours : [], depth);
    if (isPlainObject(theirs)) return this.#object(theirs, isPlainObject(ours) ? ours : {}, depth);
    if (key === 'documentId' && typeof theirs === 'string') return this.#documentId(theirs, ours);
    if (this.#isCounterpart(key, theirs, ours)) return ours;
    // A request may have written an id into a text.
    return typeof theirs === 'string' && theirs !== ours ? theirs.replaceAll(ids, (id) => this.#ours.get(id) ?? id) : theirs;
  }

  #object(theirs: JsonObject, ours: JsonObject, depth: number): JsonObject {
    const below = (key: string, value: unknown) => this.#translate(key, value, Object.hasOwn(ours, key) ? ours[key] : undefined, depth + 1);
    return Object.fromEntries(Object.entries(theirs).map(([key, value]) => [key, below(key, value)]));
  }

  /** Compares known documents with their counterparts, and all others in the order of the list. */
  #list(theirs: readonly unknown[], ours: readonly unknown[], depth: number): readonly unknown[] {
    const partners = new Map<string | undefined, unknown[]>();
    for (const each of ours.toReversed()) {
      const key = keyOf(each, (id) => (this.#theirs.has(id) ? id : undefined));
      const same = partners.get(key);
      if (same === undefined) partners.set(key, [each]);
      else same.push(each);
    }
    return theirs.map((each) => {
      const partner = partners.get(keyOf(each, (id) => this.#ours.get(id)))?.pop();
      return this.#translate('', each, partner, depth + 1);
    });
  }

  #documentId(theirs: string, ours: unknown): string {
    if (typeof ours === 'string' && documentId.test(theirs) && documentId.test(ours)) this.#link(theirs, ours);
    return this.#ours.get(theirs) ?? theirs;
  }

  /** Keeps the first counterpart of an id. */
  #link(theirs: string, ours: string): void {
    if (this.#ours.has(theirs) || this.#theirs.has(ours) || this.#ours.size >= maxIds) return;
    this.#ours.set(theirs, ours);
    this.#theirs.set(ours, theirs);
  }

  #isCounterpart(key: string, theirs: unknown, ours: unknown): boolean {
    // Strapi gives a version another row id whenever it is published, and Lectern does not.
    if (key === 'id') return isRowId(theirs) && isRowId(ours);
    if (typeof theirs !== 'string' || typeof ours !== 'string') return false;
    if (timeKeys.has(key)) return isSince(theirs, this.#begin.theirs) && isSince(ours, this.#begin.ours);
    return tokenKeys.has(key) && token.test(theirs) && token.test(ours);
  }
}

const isRowId = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;

/** Earlier times are in both copies, and must be the same. */
const isSince = (text: string, begin: number) => time.test(text) && Date.parse(text) >= begin;

/** Undefined for unknown documents and for other values. The key includes the locale, since each
 *  locale of a document is an entry of its own. */
function keyOf(value: unknown, known: (id: string) => string | undefined): string | undefined {
  if (!isPlainObject(value) || typeof value.documentId !== 'string') return undefined;
  const id = known(value.documentId);
  return id === undefined ? undefined : `${id} ${typeof value.locale === 'string' ? value.locale : ''}`;
}
