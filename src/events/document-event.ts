/** A change of a document in a locale, as it is stored in `lectern_events` and sent to webhooks. */
import type { Actor } from '../identity/actor.ts';
import type { Uid } from '../model/content-model.ts';

export type EventType = 'create' | 'update' | 'publish' | 'unpublish' | 'discard' | 'delete';

/** What was to be done at a time, and could not be. */
export type FailureType = 'schedule.failed' | 'release.failed';

/** In place of a content type, in events about releases; their documentId is the id. */
export const releaseUid = 'lectern::releases.release';

/** As it is stored: also of what the server could not do. */
export interface NewEvent extends Omit<DocumentEvent, 'type'> {
  readonly type: EventType | FailureType;
}

export interface DocumentEvent {
  readonly type: EventType;
  /** The content type: `api::article.article`, `plugin::upload.file`. */
  readonly uid: Uid;
  readonly documentId: string;
  /** Null for types without locales. */
  readonly locale: string | null;
  /** The version that was changed; null if the whole document was deleted. */
  readonly status: 'draft' | 'published' | null;
  /** Whether the change created the document in this locale. */
  readonly isNew: boolean;
  /** What was changed: `title`, `seo.metaTitle`. Empty for `delete`, `unpublish` and new files. */
  readonly paths: readonly string[];
}

/** Who made the change. */
export interface EventCaller {
  readonly kind: 'public' | 'user' | 'token' | 'server' | 'hook';
  /** The row of the user or of the API token. For `hook`, how many hooks in a row have led to the
   *  change. */
  readonly id: number | null;
}

/** The command line, and what the server does on its own. */
export const serverItself: EventCaller = { kind: 'server', id: null };

export function eventCaller(actor: Actor): EventCaller {
  switch (actor.kind) {
    case 'public':
      return { kind: 'public', id: null };
    case 'user':
      return { kind: 'user', id: actor.userId };
    case 'token':
      return actor.tokenId === 0 ? serverItself : { kind: 'token', id: actor.tokenId };
  }
}
