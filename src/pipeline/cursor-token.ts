/** Cursors of lists: the place of a row in an order, encrypted, so that nobody reads a value in them
 *  or makes one for a value of choice. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { parsedObject } from '../text/json.ts';

export interface Place {
  /** What the row is sorted by, as `Dialect.sortValue` returns it. */
  readonly values: readonly (string | number | null)[];
  readonly id: number;
}

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];
/** Characters of a cursor that are read: long texts may be sorted by. */
const maxLength = 100_000;

/** Without a secret in the configuration, cursors are valid in the process that made them. */
const secretOfProcess = randomBytes(32).toString('base64url');

/** The key for cursors of one order: no cursor fits another type or sort. */
export function cursorKey({ secrets }: Pick<Config, 'secrets'>, order: readonly string[]): string {
  const secret = secrets.jwtSecret ?? secrets.apiTokenSalt ?? secretOfProcess;
  return createHmac('sha256', secret)
    .update(JSON.stringify(['lectern cursor', ...order]))
    .digest('base64url');
}

/** Equal places have equal cursors, so that a response keeps its entity tag. */
export function writeCursor(keyText: string, { values, id }: Place): string {
  const key = Buffer.from(keyText, 'base64url');
  const text = JSON.stringify({ values, id });
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined if the cursor was not made with this key. */
export function readCursor(keyText: string, cursor: string): Place | undefined {
  if (cursor.length > maxLength || !/^[\w-]+$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= nonceBytes + tagBytes) return undefined;
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv(algorithm, Buffer.from(keyText, 'base64url'), bytes.subarray(0, nonceBytes), options);
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    return parsedObject(text) as Place | undefined;
  } catch {
    return undefined;
  }
}
