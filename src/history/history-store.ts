/** What documents were: a row for each version that a write has replaced, written in the
 *  transaction of the write itself. */
import type { EventCaller, EventType } from '../events/document-event.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import type { Rows } from '../sql/rows.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { historyTable } from '../tables/system-tables.ts';

/** One locale of a document in one status. */
export interface VersionOwner {
  readonly uid: string;
  readonly documentId: string;
  /** Null for types without locales. */
  readonly locale: string | null;
  readonly status: 'draft' | 'published';
}

export interface FormerVersion extends VersionOwner {
  /** What replaced it. */
  readonly event: EventType;
  readonly caller: EventCaller;
  readonly paths: readonly string[];
  /** Milliseconds. */
  readonly replacedAt: number;
  /** When it was written; null if the row does not say. Milliseconds. */
  readonly writtenAt: number | null;
}

export interface StoredVersion extends FormerVersion {
  /** Grows with time. */
  readonly id: number;
}

const table = sql.id(historyTable);

const columns: readonly TypedColumn[] = [
  { name: 'uid', type: 'string' },
  { name: 'document_id', type: 'string' },
  { name: 'locale', type: 'string' },
  { name: 'status', type: 'string' },
  { name: 'event', type: 'string' },
  { name: 'caller_kind', type: 'string' },
  { name: 'caller_id', type: 'reference' },
  { name: 'paths', type: 'text' },
  { name: 'replaced_at', type: 'datetime' },
  { name: 'written_at', type: 'datetime' },
];
const content: TypedColumn = { name: 'content', type: 'text' };

/** Sends the rows without waiting. `versions`: how many of each owner stay. */
export function keepVersions(
  kept: readonly { readonly version: FormerVersion; readonly content: string }[],
  versions: number,
  rows: Rows,
): void {
  for (const { version, content: text } of kept) {
    const { uid, documentId, locale, status, event, caller, paths, replacedAt, writtenAt } = version;
    rows.inserts.later(
      historyTable,
      [...columns, content],
      [uid, documentId, locale, status, event, caller.kind, caller.id, JSON.stringify(paths), replacedAt, writtenAt, text],
    );
  }
  rows.inserts.flush();
  for (const { version } of kept) {
    // In a table of its own, as MySQL refuses to delete from a table that the same statement reads.
    const last = sql`SELECT id FROM ${table} WHERE ${ownedBy(version)} ORDER BY id DESC LIMIT 1 OFFSET ${sql.integer(versions)}`;
    rows.send(sql`DELETE FROM ${table} WHERE ${ownedBy(version)} AND id <= (SELECT id FROM (${last}) AS excess)`);
  }
}

function ownedBy({ uid, documentId, locale, status }: VersionOwner): Sql {
  const inLocale = locale === null ? sql`locale IS NULL` : sql`locale = ${locale}`;
  return sql`uid = ${uid} AND document_id = ${documentId} AND ${inLocale} AND status = ${status}`;
}

export interface WantedVersions {
  readonly uid: string;
  /** Undefined for the document of a single type. */
  readonly documentId: string | undefined;
  /** Undefined: in every locale. */
  readonly locale: string | null | undefined;
  readonly statuses: readonly ('draft' | 'published')[];
  readonly start: number;
  readonly limit: number;
}

/** The newest first, with the number of all. */
export async function readVersions(
  wanted: WantedVersions,
  rows: Rows,
): Promise<{ readonly versions: readonly StoredVersion[]; readonly total: number }> {
  const { start, limit } = wanted;
  const where = condition(wanted);
  const page = sql`ORDER BY id DESC LIMIT ${sql.integer(limit)} OFFSET ${sql.integer(start)}`;
  const found = await rows.run(sql`SELECT ${selected} FROM ${table} WHERE ${where} ${page}`);
  const [[total] = []] = await rows.run(sql`SELECT count(*) FROM ${table} WHERE ${where}`);
  return { versions: found.map(versionOf), total: Number(total) };
}

/** Undefined if there is no such version of the document. */
export async function readVersion(
  id: number,
  { uid, documentId, statuses }: Pick<WantedVersions, 'uid' | 'documentId' | 'statuses'>,
  rows: Rows,
): Promise<{ readonly version: StoredVersion; readonly content: string } | undefined> {
  const where = condition({ uid, documentId, locale: undefined, statuses });
  const [row] = await rows.run(sql`SELECT ${selected}, content FROM ${table} WHERE id = ${sql.value(id, 'id')} AND ${where}`);
  return row === undefined ? undefined : { version: versionOf(row), content: String(row.at(-1)) };
}

function condition({ uid, documentId, locale, statuses }: Pick<WantedVersions, 'uid' | 'documentId' | 'locale' | 'statuses'>): Sql {
  const parts = [
    sql`uid = ${uid}`,
    ...(documentId === undefined ? [] : [sql`document_id = ${documentId}`]),
    sql`status IN (${sql.join(statuses.map((status) => sql`${status}`))})`,
    ...(locale === undefined ? [] : [locale === null ? sql`locale IS NULL` : sql`locale = ${locale}`]),
  ];
  return sql.join(parts, ' AND ');
}

const selected = sql.join([sql`id`, ...columns.map(({ name, type }) => sql.read(sql.id(name), type))]);

function versionOf(row: readonly unknown[]): StoredVersion {
  const [id, uid, documentId, locale, status, event, kind, callerId, paths, replacedAt, writtenAt] = row;
  return {
    id: Number(id),
    uid: String(uid),
    documentId: String(documentId),
    locale: locale === null ? null : String(locale),
    status: status as StoredVersion['status'],
    event: event as EventType,
    caller: { kind: kind as EventCaller['kind'], id: callerId === null ? null : Number(callerId) },
    paths: JSON.parse(String(paths)),
    replacedAt: Number(replacedAt),
    writtenAt: writtenAt === null ? null : Number(writtenAt),
  };
}

/** The last one of the oldest versions, which were replaced before a moment, and how many they are;
 *  undefined if there are none. */
export async function oldVersions(before: number, step: number, rows: Rows): Promise<OldVersions | undefined> {
  const replaced = sql.read(sql`replaced_at`, 'datetime');
  const oldest = await rows.run(sql`SELECT id, ${replaced} FROM ${table} ORDER BY id LIMIT ${sql.integer(step)}`);
  const first = oldest.findIndex(([, at]) => Number(at) >= before);
  const count = first < 0 ? oldest.length : first;
  return count === 0 ? undefined : { last: Number(oldest[count - 1]?.[0]), count };
}

export interface OldVersions {
  /** The id. */
  readonly last: number;
  readonly count: number;
}

export async function removeVersions({ last }: OldVersions, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE id <= ${sql.value(last, 'id')}`);
}

/** Forgets what was kept of a document, in every locale. Returns how many versions they were. */
export async function forgetDocument({ uid, documentId }: Pick<VersionOwner, 'uid' | 'documentId'>, rows: Rows): Promise<number> {
  const where = sql`uid = ${uid} AND document_id = ${documentId}`;
  const [[count] = []] = await rows.run(sql`SELECT count(*) FROM ${table} WHERE ${where}`);
  await rows.run(sql`DELETE FROM ${table} WHERE ${where}`);
  return Number(count);
}
