/** The users that have a document open to edit it. Kept in memory alone, and only for a short time: editors say
 *  again and again that they are still there. */
import { LRUCache } from 'lru-cache';

export interface Editor {
  readonly userId: number;
  readonly username: string;
  readonly locale: string | null;
  /** The attribute that the editor is at. */
  readonly field: string | null;
}

export interface SeenEditor extends Editor {
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
}

/** `document` names a document of a type. */
export interface Presence {
  /** Notes an editor, and returns the others who were there of late. */
  note(document: string, editor: Editor): readonly SeenEditor[] | Promise<readonly SeenEditor[]>;
  leave(document: string, userId: number): void;
  close(): void;
}

/** An editor who was not there for this time is gone. Milliseconds. */
export const presentFor = 45_000;
/** Beyond them, those who came first are forgotten: nobody needs to see more. */
export const maxEditors = 20;
const maxDocuments = 5000;

/** Editors in this process. */
export class Editors implements Presence {
  readonly #documents = new LRUCache<string, Map<number, SeenEditor>>({ maxSize: maxDocuments, sizeCalculation: () => 1 });
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  note(document: string, editor: Editor): readonly SeenEditor[] {
    const now = this.#now();
    const editors = this.#documents.get(document) ?? new Map<number, SeenEditor>();
    for (const [id, { seenAt }] of editors) if (id === editor.userId || !isPresent(seenAt, now)) editors.delete(id);
    const others = [...editors.values()].reverse();
    // A map keeps the order in which its members came: the first is the one seen longest ago.
    editors.set(editor.userId, { ...editor, seenAt: now });
    for (const id of editors.keys()) if (editors.size > maxEditors) editors.delete(id);
    this.#documents.set(document, editors);
    return others;
  }

  leave(document: string, userId: number): void {
    const editors = this.#documents.get(document);
    editors?.delete(userId);
    if (editors?.size === 0) this.#documents.delete(document);
  }

  close(): void {
    this.#documents.clear();
  }
}

/** A clock that was set back must not keep editors there. */
const isPresent = (seenAt: number, now: number): boolean => seenAt <= now && now - seenAt < presentFor;
