/** `Idempotency-Key`: the response of a write is stored in the transaction of the write itself. A
 *  repeated request gets the stored response, however the first one was lost. */
import { createHash } from 'node:crypto';
import type { Connection, Database } from '../../../dialects/database.ts';
import type { Dialect } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { Rows } from '../../../sql/rows.ts';
import { sql } from '../../../sql/sql.ts';
import { hasTable } from '../../../sql/table-exists.ts';
import { lecternCommand } from '../../../text/lectern-command.ts';

export interface IdempotentRequest {
  /** The key and the body are stored as hashes only. */
  readonly key: string;
  readonly request: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string | null;
  /** The row that the response shows, if the response was too long to be stored; the row is read
   *  again. */
  readonly rowId?: number | undefined;
}

/** The table is declared in `tables/system-tables.ts`. */
const tableName = 'lectern_idempotency_keys';
const table = sql.id(tableName);
/** Responses are stored for this long. Milliseconds. */
const storedFor = 24 * 60 * 60 * 1000;
/** One in this many requests deletes old responses, and the responses of its caller beyond the
 *  limit. */
const removedEvery = 100;
const maxKeyLength = 255;
/** A longer response is not stored if its row can be read again. Characters. */
const maxBodyLength = 16_384;
/** At most this many responses are stored for a caller; then the oldest are deleted. */
const maxOfCaller = 5000;
/** The number of leading digits of a stored key that identify the caller, so that a caller's
 *  responses are adjacent in the index. */
const callerDigits = 16;

/** Hashes the key together with the caller and the path, so that no caller gets the response of
 *  another. Throws `idempotency.key`. */
export function idempotentRequest(key: string, caller: string, scope: string, body: unknown): IdempotentRequest {
  if (key.length === 0 || key.length > maxKeyLength) throw ApiError.of('idempotency.key', undefined);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const digits = hash(JSON.stringify([caller, scope, key])).slice(callerDigits);
  return { key: `${hash(caller).slice(0, callerDigits)}${digits}`, request: hash(JSON.stringify(body) ?? '') };
}

/** Throws `idempotency.no-table` if the table is missing: a database that Strapi created lacks it
 *  until `lectern migrate apply` has run. */
export async function checkIdempotencyTable(database: Database): Promise<true> {
  if (await hasTable(database, tableName)) return true;
  throw ApiError.of('idempotency.no-table', { command: lecternCommand('migrate apply') });
}

export async function storedResponse(
  { key, request }: IdempotentRequest,
  now: number,
  connection: Connection,
  dialect: Dialect,
): Promise<StoredResponse | undefined> {
  const rows = new Rows(connection, dialect);
  rows.lock([`${tableName} ${key}`]);
  const columns = sql`request_hash, status, body, ${sql.read(sql`created_at`, 'datetime')}`;
  const [stored] = await rows.run(sql`SELECT ${columns} FROM ${table} WHERE key_hash = ${key}`);
  if (stored === undefined) return undefined;
  const [hash, status, body, createdAt] = stored;
  if (Number(createdAt) < now - storedFor) {
    await rows.run(sql`DELETE FROM ${table} WHERE key_hash = ${key}`);
    return undefined;
  }
  if (hash !== request) throw ApiError.of('idempotency.reused', undefined);
  if (typeof body === 'string' && body.startsWith(rowMark)) return { status: Number(status), body: null, rowId: Number(body.slice(1)) };
  return { status: Number(status), body: typeof body === 'string' ? body : null };
}

export async function storeResponse(
  {
    request: { key, request },
    response: { status, body, rowId },
    now,
  }: { readonly request: IdempotentRequest; readonly response: StoredResponse; readonly now: number },
  connection: Connection,
  dialect: Dialect,
): Promise<void> {
  const rows = new Rows(connection, dialect);
  const [id = 0] = await rows.inserts.returningIds(
    tableName,
    [
      { name: 'key_hash', type: 'string' },
      { name: 'request_hash', type: 'string' },
      { name: 'status', type: 'integer' },
      { name: 'body', type: 'text' },
      { name: 'created_at', type: 'datetime' },
    ],
    [[key, request, status, body !== null && body.length > maxBodyLength && rowId !== undefined ? `${rowMark}${rowId}` : body, now]],
  );
  if (id % removedEvery === 0) {
    await removeOld(now, rows);
    await removeBeyondBound(key, rows);
  }
}

/** JSON text never begins with this character. */
const rowMark = '#';

async function removeBeyondBound(key: string, rows: Rows): Promise<void> {
  const caller = key.slice(0, callerDigits);
  const own = sql`key_hash BETWEEN ${caller.padEnd(key.length, '0')} AND ${caller.padEnd(key.length, 'f')}`;
  const newest = sql`SELECT id FROM ${table} WHERE ${own} ORDER BY id DESC LIMIT ${sql.integer(maxOfCaller)}`;
  await rows.run(sql`DELETE FROM ${table} WHERE ${own} AND id < (SELECT MIN(id) FROM (${newest}) AS newest)`);
}

async function removeOld(now: number, rows: Rows): Promise<void> {
  await rows.run(sql`DELETE FROM ${table} WHERE created_at < ${sql.value(now - storedFor, 'datetime')}`);
}
