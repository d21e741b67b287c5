/** The body of a message. Pure. */
import { fileUid } from '../../model/built-in-types.ts';
import type { ContentModel, ContentType, Schema } from '../../model/content-model.ts';
import type { JsonObject } from '../../text/json.ts';
import type { StoredEvent } from '../event-store.ts';

export interface PayloadParts {
  readonly event: StoredEvent;
  /** The name of the event for this webhook: `entry.publish`. */
  readonly name: string;
  /** Undefined for a type that is no longer there. */
  readonly type: ContentType | undefined;
  readonly model: ContentModel;
}

/** What every message has: Strapi's keys, then ours. */
export function thinPayload({ event, name, type, model }: PayloadParts): JsonObject {
  const { uid, documentId, locale, status, paths, isNew, createdAt } = event;
  return {
    event: name,
    createdAt: new Date(createdAt).toISOString(),
    model: type?.singularName ?? uid.split('.').at(-1) ?? uid,
    uid,
    documentId,
    locale,
    status,
    isNew,
    changed: type === undefined ? [] : paths.filter((path) => isShown(path.split('.'), type, model)),
  };
}

/** `entry` is undefined if the document is gone, or may not be read: then its ids are there alone. */
export function entryPayload(parts: PayloadParts, entry: JsonObject | undefined): JsonObject {
  const { uid, documentId, locale } = parts.event;
  return { ...thinPayload(parts), [uid === fileUid ? 'media' : 'entry']: entry ?? { documentId, locale } };
}

/** Whether no attribute on the path is private. */
function isShown([name = '', ...rest]: readonly string[], schema: Schema, model: ContentModel): boolean {
  const attribute = schema.attributes.get(name);
  if (attribute === undefined || attribute.private) return false;
  if (rest.length === 0) return true;
  const component = attribute.kind === 'component' ? model.components.get(attribute.component) : undefined;
  return component !== undefined && isShown(rest, component, model);
}
