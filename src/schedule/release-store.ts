/** Releases: named sets of documents that are published and unpublished together. */
import { ApiError } from '../errors/api-error.ts';
import type { EventCaller } from '../events/document-event.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import type { Rows } from '../sql/rows.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { releaseEntriesTable, releasesTable } from '../tables/system-tables.ts';
import { isOf, type ScheduledAction, type ScheduledDocument } from './schedule-store.ts';

/** `open`: it has no time. `failed`: it could not be published at its time. */
export type ReleaseState = 'open' | 'waiting' | 'done' | 'failed';

export interface ReleaseEntry extends ScheduledDocument {
  readonly action: ScheduledAction;
}

export interface StoredEntry extends ReleaseEntry {
  readonly id: number;
}

/** A release as somebody has read it: each change makes another revision, and deleted documents
 *  leave it without one. */
export interface ReleaseRevision {
  readonly id: number;
  readonly revision: number;
  /** The number of its entries. */
  readonly size: number;
}

export interface Release extends Omit<ReleaseRevision, 'size'> {
  readonly name: string;
  /** Milliseconds; when it is published. Null without a time. */
  readonly publishAt: number | null;
  readonly state: ReleaseState;
  /** Why it failed; empty otherwise. */
  readonly problem: string;
  readonly maker: EventCaller;
  /** Who has set the time, and whose rights count then. */
  readonly caller: EventCaller;
}

export interface ReleaseWithEntries extends Release, ReleaseRevision {
  readonly entries: readonly StoredEntry[];
}

/** Which releases somebody sees: those that they made, and those of which they may publish all. */
export interface SeesReleases {
  readonly maker: EventCaller;
  /** The types of which they may publish every document. */
  readonly uids: readonly string[];
}

const releases = sql.id(releasesTable);
const entries = sql.id(releaseEntriesTable);

const names = ['id', 'name', 'state', 'problem', 'revision', 'maker_kind', 'maker_id', 'caller_kind', 'caller_id'];
const columns = sql.join([...names.map((name) => sql.id('r', name)), sql.read(sql.id('r', 'publish_at'), 'datetime')]);

function releaseOf(row: readonly unknown[]): Release {
  const [id, name, state, problem, revision, makerKind, makerId, callerKind, callerId, publishAt] = row;
  const callerOf = (kind: unknown, of: unknown): EventCaller => ({
    kind: kind as EventCaller['kind'],
    id: of === null ? null : Number(of),
  });
  return {
    id: Number(id),
    name: String(name),
    publishAt: publishAt === null ? null : Number(publishAt),
    state: state as ReleaseState,
    problem: problem === null ? '' : String(problem),
    revision: Number(revision),
    maker: callerOf(makerKind, makerId),
    caller: callerOf(callerKind, callerId),
  };
}

const inserted: readonly TypedColumn[] = [
  { name: 'name', type: 'string' },
  { name: 'publish_at', type: 'datetime' },
  { name: 'state', type: 'string' },
  { name: 'problem', type: 'text' },
  { name: 'revision', type: 'integer' },
  { name: 'maker_kind', type: 'string' },
  { name: 'maker_id', type: 'reference' },
  { name: 'caller_kind', type: 'string' },
  { name: 'caller_id', type: 'reference' },
  { name: 'created_at', type: 'datetime' },
  { name: 'updated_at', type: 'datetime' },
];

const entryColumns: readonly TypedColumn[] = [
  { name: 'release_id', type: 'reference' },
  { name: 'uid', type: 'string' },
  { name: 'document_id', type: 'string' },
  { name: 'locale', type: 'string' },
  { name: 'action', type: 'string' },
];

export type NewRelease = Pick<Release, 'name' | 'publishAt'> & { readonly entries: readonly ReleaseEntry[] };

const stateFor = (publishAt: number | null): ReleaseState => (publishAt === null ? 'open' : 'waiting');

/** Returns its id. `now`: milliseconds. */
export async function insertRelease(release: NewRelease, maker: EventCaller, now: number, rows: Rows): Promise<number> {
  const { name, publishAt } = release;
  const { kind, id: callerId } = maker;
  const values = [name, publishAt, stateFor(publishAt), '', 1, kind, callerId, kind, callerId, now, now];
  const [id = 0] = await rows.inserts.returningIds(releasesTable, inserted, [values]);
  insertEntries(id, release.entries, rows);
  return id;
}

function insertEntries(id: number, all: readonly ReleaseEntry[], rows: Rows): void {
  for (const { uid, documentId, locale, action } of all)
    rows.inserts.later(releaseEntriesTable, entryColumns, [id, uid, documentId, locale, action]);
  rows.inserts.flush();
}

const isSeen = ({ maker: { kind, id }, uids }: SeesReleases): Sql => {
  const isMaker = sql`r.maker_kind = ${kind} AND ${id === null ? sql`r.maker_id IS NULL` : sql`r.maker_id = ${sql.value(id, 'id')}`}`;
  if (uids.length === 0) return sql`(${isMaker})`;
  const others = sql`e.uid NOT IN (${sql.join(uids.map((uid) => sql`${uid}`))})`;
  const of = sql`SELECT 1 FROM ${entries} e WHERE e.release_id = r.id`;
  // An empty one would show its name to everybody.
  return sql`(${isMaker} OR (EXISTS (${of}) AND NOT EXISTS (${of} AND ${others})))`;
};

export interface ReleasePage {
  readonly state: ReleaseState | undefined;
  readonly page: number;
  readonly pageSize: number;
}

/** A page of them, the newest first, and the number of all. */
export async function listReleases(
  { state, page, pageSize }: ReleasePage,
  sees: SeesReleases,
  rows: Rows,
): Promise<{ readonly found: readonly Release[]; readonly total: number }> {
  const where = sql`${isSeen(sees)}${state === undefined ? sql.empty : sql` AND r.state = ${state}`}`;
  const [[total] = []] = await rows.run(sql`SELECT count(*) FROM ${releases} r WHERE ${where}`);
  const window = sql`LIMIT ${sql.integer(pageSize)} OFFSET ${sql.integer((page - 1) * pageSize)}`;
  const found = await rows.run(sql`SELECT ${columns} FROM ${releases} r WHERE ${where} ORDER BY r.id DESC ${window}`);
  return { found: found.map(releaseOf), total: Number(total) };
}

/** Undefined if there is none that they see. */
export async function findRelease(id: number, sees: SeesReleases, rows: Rows): Promise<ReleaseWithEntries | undefined> {
  return (await withEntries(sql`r.id = ${sql.value(id, 'id')} AND ${isSeen(sees)}`, 1, rows))[0];
}

/** Those that are due, the earliest first. */
export const dueReleases = (now: number, limit: number, rows: Rows): Promise<readonly ReleaseWithEntries[]> =>
  withEntries(sql`r.state = 'waiting' AND r.publish_at <= ${sql.stored(now, 'datetime')}`, limit, rows);

async function withEntries(where: Sql, limit: number, rows: Rows): Promise<readonly ReleaseWithEntries[]> {
  const found = await rows.run(
    sql`SELECT ${columns} FROM ${releases} r WHERE ${where} ORDER BY r.publish_at, r.id LIMIT ${sql.integer(limit)}`,
  );
  const all: ReleaseWithEntries[] = [];
  for (const release of found.map(releaseOf)) {
    const ofRelease = sql`release_id = ${sql.value(release.id, 'id')}`;
    const stored = await rows.run(sql`SELECT id, uid, document_id, locale, action FROM ${entries} WHERE ${ofRelease} ORDER BY id`);
    all.push({ ...release, size: stored.length, entries: stored.map(entryOf) });
  }
  return all;
}

const entryOf = ([id, uid, documentId, locale, action]: readonly unknown[]): StoredEntry => ({
  id: Number(id),
  uid: String(uid),
  documentId: String(documentId),
  locale: locale === null ? null : String(locale),
  action: action as ScheduledAction,
});

export const releaseLock = (id: number): string => `release ${id}`;

/** Checks, under its lock, that the release is still as it was read. Throws `release.done` or
 *  `release.changed`. */
async function checkRevision({ id, revision, size }: ReleaseRevision, rows: Rows): Promise<void> {
  const count = sql`SELECT count(*) FROM ${entries} e WHERE e.release_id = r.id`;
  const [row] = await rows.run(sql`SELECT r.state, r.revision, (${count}) FROM ${releases} r WHERE r.id = ${sql.value(id, 'id')}`);
  if (row?.[0] === 'done') throw ApiError.of('release.done');
  if (Number(row?.[1]) !== revision || Number(row?.[2]) !== size) throw ApiError.of('release.changed');
}

/** Notes that it is published, as part of its publication, under its lock: only one succeeds. */
export async function claimRelease(of: ReleaseRevision, now: number, rows: Rows): Promise<void> {
  await checkRevision(of, rows);
  rows.update(releasesTable, of.id, changedTo({ state: 'done' }, of, now));
}

const changedTo = ({ state }: Pick<Release, 'state'>, { revision }: Pick<ReleaseRevision, 'revision'>, now: number) => [
  { name: 'state', type: 'string', value: state } as const,
  { name: 'problem', type: 'text', value: '' } as const,
  { name: 'revision', type: 'integer', value: revision + 1 } as const,
  { name: 'updated_at', type: 'datetime', value: now } as const,
];

export interface ReleaseChange {
  readonly name: string;
  /** Undefined leaves the time and the state. */
  readonly time: { readonly publishAt: number | null; readonly caller: EventCaller } | undefined;
  readonly added: readonly ReleaseEntry[];
  /** Ids of entries. */
  readonly removed: readonly number[];
}

export async function changeRelease(of: ReleaseRevision, change: ReleaseChange, now: number, rows: Rows): Promise<void> {
  const { name, time, added, removed } = change;
  rows.lock([releaseLock(of.id)]);
  await checkRevision(of, rows);
  rows.update(releasesTable, of.id, [
    { name: 'name', type: 'string', value: name },
    { name: 'revision', type: 'integer', value: of.revision + 1 },
    { name: 'updated_at', type: 'datetime', value: now },
  ]);
  if (time !== undefined)
    rows.update(releasesTable, of.id, [
      ...changedTo({ state: stateFor(time.publishAt) }, of, now),
      { name: 'publish_at', type: 'datetime', value: time.publishAt },
      { name: 'caller_kind', type: 'string', value: time.caller.kind },
      { name: 'caller_id', type: 'reference', value: time.caller.id },
    ]);
  rows.delete(releaseEntriesTable, 'id', removed);
  insertEntries(of.id, added, rows);
}

/** With its entries. */
export function deleteRelease(id: number, rows: Rows): void {
  rows.lock([releaseLock(id)]);
  rows.delete(releasesTable, 'id', [id]);
}

/** Returns false if it has changed since, or another process was first. */
export async function noteFailure(of: ReleaseRevision, problem: string, now: number, rows: Rows): Promise<boolean> {
  rows.lock([releaseLock(of.id)]);
  try {
    await checkRevision(of, rows);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
  const noted = changedTo({ state: 'failed' }, of, now).filter(({ name }) => name !== 'problem');
  rows.update(releasesTable, of.id, [...noted, { name: 'problem', type: 'text', value: problem }]);
  return true;
}

/** Removes a deleted document from releases, as part of its deletion. */
export function forgetEntries(document: ScheduledDocument, rows: Rows): void {
  rows.send(sql`DELETE FROM ${entries} WHERE ${isOf(document)}`);
}

export function forgetEntriesIn(locale: string, rows: Rows): void {
  rows.send(sql`DELETE FROM ${entries} WHERE locale = ${locale}`);
}

const isOld = (before: number): Sql => sql`state = 'done' AND updated_at < ${sql.stored(before, 'datetime')}`;

/** Whether there are any that were published before a moment. */
export async function hasOldReleases(before: number, rows: Rows): Promise<boolean> {
  return (await rows.run(sql`SELECT id FROM ${releases} WHERE ${isOld(before)} LIMIT 1`)).length > 0;
}

export async function removeOldReleases(before: number, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${releases} WHERE ${isOld(before)}`);
}
