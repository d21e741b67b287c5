/** What an entity tag is made of. */
import { hash } from 'node:crypto';

/** Names the state of a document's row: publishing makes a new row, every other change sets `updatedAt`, given in milliseconds. A digest,
 *  because `updatedAt` may be private. Engines give integers as numbers or as texts, and the two are the same here. */
export const rowVersion = (id: unknown, updatedAt: unknown): string =>
  hash('sha256', `${Number(id)} ${Number(updatedAt)}`, 'base64url').slice(0, 16);

/** 132 bits name the bytes of an answer. Measured: 1 µs for 1.5 KB, as SHA-1 takes; today's processors have instructions for both. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, 22);
