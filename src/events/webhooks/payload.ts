/** The body of a message. Pure. */
import { fileUid } from '../../model/built-in-types.ts';
import type { ContentType } from '../../model/content-model.ts';
import type { JsonObject } from '../../text/json.ts';
import { releaseUid } from '../document-event.ts';
import type { StoredEvent } from '../event-store.ts';

export interface MessageParts {
  readonly event: StoredEvent;
  /** The name of the event for this webhook: `entry.publish`. */
  readonly name: string;
  /** Undefined for a type that is no longer there. */
  readonly type: ContentType | undefined;
  /** The paths that were changed, as far as the webhook's rights go. */
  readonly changed: readonly string[];
}

/** What every message has: Strapi's keys, then ours. */
export function thinPayload({ event, name, type, changed }: MessageParts): JsonObject {
  const { uid, documentId, locale, status, isNew, createdAt } = event;
  return {
    event: name,
    createdAt: new Date(createdAt).toISOString(),
    model: type?.singularName ?? uid.split('.').at(-1) ?? uid,
    ...{ uid, documentId, locale, status, isNew, changed },
  };
}

/** `entry` is undefined if the document is gone, or may not be read: then its ids are there alone. */
export function entryPayload(parts: MessageParts, entry: JsonObject | undefined): JsonObject {
  const { uid, documentId, locale } = parts.event;
  if (uid === releaseUid) return { ...thinPayload(parts), release: { id: Number(documentId) } };
  return { ...thinPayload(parts), [uid === fileUid ? 'media' : 'entry']: entry ?? { documentId, locale } };
}
