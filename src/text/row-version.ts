/** The versions of rows, from which entity tags are made. */
import { hash } from 'node:crypto';

/** Returns a text for the state of a document's row: each version and locale has a row of its own,
 *  and each change, publishing included, sets `updatedAt` (in milliseconds). The text is a digest,
 *  because `updatedAt` may be private. Engines return integers as numbers or as texts; both give
 *  the same version. */
export const rowVersion = (id: unknown, updatedAt: unknown): string =>
  hash('sha256', `${Number(id)} ${Number(updatedAt)}`, 'base64url').slice(0, 16);
