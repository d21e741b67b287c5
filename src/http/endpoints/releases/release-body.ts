/** The bodies of requests about releases. */
import { ApiError } from '../../../errors/api-error.ts';
import type { Actor } from '../../../identity/actor.ts';
import type { Locales } from '../../../locales/locales.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { NewRelease, ReleaseEntry } from '../../../schedule/release-store.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { orMeant } from '../../../text/nearest.ts';
import { scheduledLocale, scheduledTime } from '../content/schedule-time.ts';

export interface BodyParts {
  readonly model: ContentModel;
  readonly locales: Locales;
  readonly actor: Actor;
  readonly config: { readonly limits: { readonly batch: number } };
}

export const shape = (message: string) => ApiError.of('release.shape', { message });

const maxName = 200;

/** The body as an object with these keys alone. */
export function objectWith(body: unknown, keys: readonly string[]): JsonObject {
  if (!isObject(body)) throw shape(`The body must be an object with the keys ${keys.join(', ')}`);
  const unknown = Object.keys(body).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw shape(`Unknown key ${unknown}${orMeant(unknown, keys)}; the keys are ${keys.join(', ')}`);
  return body;
}

/** `POST /api/_releases` */
export function newRelease(body: unknown, parts: BodyParts): NewRelease {
  const { name, publishAt, entries = [] } = objectWith(body, ['name', 'publishAt', 'entries']);
  if (name === undefined) throw shape('name is missing');
  return { name: nameIn(name), publishAt: timeIn(publishAt) ?? null, entries: entriesIn('entries', entries, parts) };
}

export interface WantedChange {
  readonly name: string | undefined;
  /** Null cancels the time; undefined leaves it. */
  readonly publishAt: number | null | undefined;
  readonly add: readonly ReleaseEntry[];
  /** Ids of entries. */
  readonly remove: readonly number[];
}

/** `PATCH /api/_releases/:id` */
export function wantedChange(body: unknown, parts: BodyParts): WantedChange {
  const { name, publishAt, add = [], remove = [] } = objectWith(body, ['name', 'publishAt', 'add', 'remove']);
  if (!Array.isArray(remove) || !remove.every((id) => Number.isSafeInteger(id))) throw shape('remove must be a list of ids of entries');
  checkCount(remove, parts.config);
  return {
    name: name === undefined ? undefined : nameIn(name),
    publishAt: timeIn(publishAt),
    add: entriesIn('add', add, parts),
    remove,
  };
}

function nameIn(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '' || name.length > maxName || name.includes('\0'))
    throw shape(`name must be a text of 1 to ${maxName} characters`);
  return name;
}

const timeIn = (value: unknown): number | null | undefined =>
  value === undefined || value === null ? value : scheduledTime('publishAt', value, shape);

function entriesIn(list: string, value: unknown, parts: BodyParts): readonly ReleaseEntry[] {
  if (!Array.isArray(value))
    throw shape(`${list} must be a list of entries such as {"publish": "api::article.article", "documentId": "…"}`);
  checkCount(value, parts.config);
  return value.map((entry, index) => entryIn(`${list}[${index}]`, entry, parts));
}

export function checkCount({ length: count }: readonly unknown[], { limits }: BodyParts['config']): void {
  if (count > limits.batch) throw ApiError.of('limit.batch', { count, limit: limits.batch, setting: 'limits.batch' });
}

function entryIn(place: string, entry: unknown, { model, locales, actor }: BodyParts): ReleaseEntry {
  const wrong = (message: string) => shape(`${place}: ${message}`);
  const actions = ['publish', 'unpublish'] as const;
  const keys = [...actions, 'documentId', 'locale'];
  const named = isObject(entry) ? actions.filter((key) => entry[key] !== undefined) : [];
  const [action] = named;
  if (!isObject(entry) || action === undefined || named.length > 1)
    throw wrong('an entry must have exactly one of the keys publish, unpublish');
  const unknown = Object.keys(entry).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw wrong(`unknown key ${unknown}${orMeant(unknown, keys)}; the keys are ${keys.join(', ')}`);
  const { [action]: uid, documentId = '', locale } = entry;
  if (typeof uid !== 'string') throw wrong(`${action} must be the uid of a type, such as api::article.article`);
  if (typeof documentId !== 'string' || documentId.includes('\0') || documentId.length > 255)
    throw wrong('documentId must be that of a document');
  if (locale !== undefined && locale !== null && typeof locale !== 'string') throw wrong('locale must be a text');
  const type = actor.rights.allows(`${uid}.publish`) ? model.contentTypes.get(uid) : undefined;
  // It is refused with all others: nobody learns here what types there are.
  if (type === undefined) return { action, uid, documentId, locale: null };
  if (locale && !type.localized) throw wrong(`${uid} has no locales`);
  if (documentId === '' && type.kind === 'collectionType') throw wrong('documentId is missing');
  if (documentId !== '' && type.kind === 'singleType') throw wrong(`${uid} is a single type, which has one document: leave out documentId`);
  return { action, uid, documentId, locale: scheduledLocale(locale ?? undefined, type, locales, wrong) };
}

/** Refuses two entries about the same document: the second would undo the first. */
export function refuseTwice(entries: readonly ReleaseEntry[]): void {
  const seen = new Set<string>();
  for (const { uid, documentId, locale } of entries) {
    const key = JSON.stringify([uid, documentId, locale]);
    if (seen.has(key)) throw shape(`There are two entries of ${uid} ${documentId}${locale === null ? '' : ` in the locale ${locale}`}`);
    seen.add(key);
  }
}
