/** What an entity tag is made of. */
import { hash } from 'node:crypto';

/** Names the state of a document's row: publishing makes a new row, every other change sets `updatedAt`, given in milliseconds. A digest,
 *  because `updatedAt` may be private. Engines give integers as numbers or as texts, and the two are the same here. */
export const rowVersion = (id: unknown, updatedAt: unknown): string =>
  hash('sha256', `${Number(id)} ${Number(updatedAt)}`, 'base64url').slice(0, 16);
