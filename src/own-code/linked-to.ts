/** Where the relations of a body lead. */
import { fail } from './refusal.ts';

interface Write {
  readonly data: object;
  readonly document: object | undefined;
}

/** The documentId that a relation to one document has after the write, whether the body names it or
 *  not; undefined if it is empty. `populate` of the hooks has to name the relation. */
export function linkedTo({ data, document }: Write, name: string): string | undefined {
  if (document !== undefined && !Object.hasOwn(document, name))
    throw new TypeError(`linkedTo needs the stored relation: add populate: ['${name}'] to the hooks`);
  const stored = linkIn(valueAt(document, name));
  const link = Object.hasOwn(data, name) ? sentLink(valueAt(data, name), stored) : stored?.documentId;
  if (typeof link !== 'number') return link;
  return fail(name, 'has to be a documentId, not a row id');
}

export interface StoredLink {
  readonly id: number;
  readonly documentId: string;
}

/** A populated relation to one document. */
export const linkIn = (value: unknown): StoredLink | undefined =>
  isObject(value) ? { id: Number(value.id), documentId: String(value.documentId) } : undefined;

/** The documentId that a body gives a relation to one document, or the row id of a document that is
 *  not `stored`; undefined if it empties the relation. */
export function sentLink(value: unknown, stored: StoredLink | undefined): string | number | undefined {
  const target = sentTarget(value, stored);
  return target !== undefined && target === stored?.id ? stored.documentId : target;
}

function sentTarget(value: unknown, stored: StoredLink | undefined): string | number | undefined {
  if (isList(value) || !isObject(value)) return targetOf(value);
  const { set, connect, disconnect } = value;
  if (set !== undefined) return targetOf(set);
  if (connect === undefined && disconnect === undefined) return targetOf(value);
  const connected = targetOf(isList(connect) ? connect[0] : connect);
  if (connected !== undefined) return connected;
  const removed = (isList(disconnect) ? disconnect : [disconnect]).map(targetOf);
  return stored === undefined || removed.includes(stored.documentId) || removed.includes(stored.id) ? undefined : stored.documentId;
}

/** `'abc'`, `['abc']`, `{documentId: 'abc'}`. In a list the last one counts, in `connect` the
 *  first. */
function targetOf(value: unknown): string | number | undefined {
  if (isList(value)) return targetOf(value.at(-1));
  if (isObject(value)) return targetOf(value.documentId ?? value.id);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

const valueAt = (values: object | undefined, name: string): unknown => (values as Readonly<Record<string, unknown>> | undefined)?.[name];
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
