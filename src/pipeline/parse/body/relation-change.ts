/** Reads relations in a body: shorthand, longhand, lists, and `{connect, disconnect, set}`. */

import type { Uid } from '../../../model/content-model.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import type { Position, RelationChange, RelationConnection, Target } from './types.ts';

/** The type of a target: of its own `__type` in a polymorphic relation. */
export type TypeOf = (target: unknown) => Uid | undefined;

/** Reads the value of a relation. As in Strapi, `null`, `[]`, `{set: []}` and `true` clear the
 *  relation; `{}`, `{set: null}`, `{connect: null}` and others without a target change nothing. */
export function relationChange(value: unknown, typeOf: TypeOf): RelationChange {
  if (isObject(value) && !names(value)) {
    if (value.set !== undefined && value.set !== null) return setTo(value.set, typeOf);
    return {
      kind: 'change',
      connect: targetList(value.connect).map((each) => connection(each, typeOf)),
      disconnect: targetList(value.disconnect).map((each) => target(each, typeOf)),
      strict: !isObject(value.options) || value.options.strict === undefined || Boolean(value.options.strict),
    };
  }
  if (typeof value === 'boolean') return setTo([], typeOf);
  return { ...setTo(value, typeOf), isNull: value === null };
}

const names = (value: JsonObject) => 'id' in value || 'documentId' in value;

const setTo = (value: unknown, typeOf: TypeOf) => ({
  kind: 'set' as const,
  targets: targetList(value).map((each) => target(each, typeOf)),
});

const targetList = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter((each) => each !== null && each !== undefined);

const unreadable: Target = { by: 'unreadable' };

function target(value: unknown, typeOf: TypeOf): Target {
  const type = typeOf(value);
  if (type === undefined) return unreadable;
  if (!isObject(value)) return byKey(value, type, undefined);
  const locale = typeof value.locale === 'string' && value.locale !== '' ? value.locale : undefined;
  if (value.documentId !== undefined && value.documentId !== null) {
    // A number as documentId matches no document. It is not ignored, so the write is refused.
    const named = typeof value.documentId === 'number' || value.documentId === true ? String(value.documentId) : value.documentId;
    return typeof named === 'string' && named !== '' ? { by: 'documentId', type, documentId: named, locale } : unreadable;
  }
  return 'id' in value ? byId(value.id, type) : unreadable;
}

/** A target in shorthand. A digit in front means a row id: documentIds begin with a letter. */
function byKey(value: unknown, type: Uid, locale: string | undefined): Target {
  if (typeof value === 'number' || (typeof value === 'string' && /^\s*[+-]?\d/.test(value))) return byId(value, type);
  return typeof value === 'string' && value !== '' ? { by: 'documentId', type, documentId: value, locale } : unreadable;
}

/** Reads a row id. A value that cannot be one becomes 0, which no row has. */
function byId(value: unknown, type: Uid): Target {
  if (typeof value !== 'number' && typeof value !== 'string') return unreadable;
  const id = Number(value);
  return { by: 'id', type, id: Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : 0 };
}

function connection(value: unknown, typeOf: TypeOf): RelationConnection {
  if (!isObject(value)) return { target: target(value, typeOf), position: { at: 'end' }, hasPosition: false };
  return { target: target(value, typeOf), position: position(value, typeOf), hasPosition: Boolean(value.position) };
}

/** Reads a position. Anchors are named as their target is, by documentId or row id. An unknown
 *  position means the end. `start` may be any true value: in a form, it is a text. */
function position(value: JsonObject, typeOf: TypeOf): Position {
  const written = value.position;
  if (!isObject(written)) return { at: 'end' };
  for (const at of ['before', 'after'] as const) {
    const anchor = written[at];
    if (anchor === undefined || anchor === null || anchor === false || anchor === '') continue;
    const type = typeOf('__type' in written ? written : value);
    if (type === undefined) return { at, anchor: unreadable };
    if (typeof value.documentId !== 'string') return { at, anchor: byKey(anchor, type, undefined) };
    const locale = typeof written.locale === 'string' ? written.locale : typeof value.locale === 'string' ? value.locale : undefined;
    return {
      at,
      anchor: typeof anchor === 'string' ? { by: 'documentId', type, documentId: anchor, locale } : byKey(anchor, type, locale),
    };
  }
  return { at: written.start ? 'start' : 'end' };
}
