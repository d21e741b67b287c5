/** What a caller may read of each type, by the right to find it and its restriction. */
import type { Policies } from '../config/config.ts';
import { fileUid } from '../model/built-in-types.ts';
import type { Attribute, Schema } from '../model/content-model.ts';
import { isServed } from '../model/visibility.ts';
import { type Restriction, together, withoutCondition } from './restrictions.ts';
import { findFiles, type Rights } from './rights.ts';

/** The readable fields of a type, at one path of a request. */
export interface Readable {
  /** The readable fields besides `id` and `documentId`; undefined for every visible attribute. */
  readonly fields: ReadonlySet<string> | undefined;
}

export const allReadable: Readable = { fields: undefined };

const always: ReadonlySet<string> = new Set(['id', 'documentId']);

export const includes = ({ fields }: Readable, name: string): boolean => fields === undefined || fields.has(name) || always.has(name);

export class ReadableTypes {
  readonly #rights: Rights;
  readonly #policies: Policies;
  readonly #aboutDrafts: boolean;

  /** `aboutDrafts` is true if the response reveals drafts, which needs a separate right. */
  constructor(rights: Rights, policies: Policies, aboutDrafts: boolean) {
    this.#rights = rights;
    this.#policies = policies;
    this.#aboutDrafts = aboutDrafts;
  }

  /** Returns whether the caller may read the targets of an attribute. */
  mayRead(attribute: Attribute, target: Schema): boolean {
    // Components belong to their owner. Media are always shown, and creators unless private.
    if (target.kind === 'component' || attribute.kind === 'media') return true;
    if (attribute.kind === 'relation' && attribute.storage.kind === 'ownColumn' && attribute.target === 'admin::user') return true;
    if (attribute.kind === 'relation' && attribute.target === undefined && !isServed(target)) return false;
    return this.#actions(target).every((action) => this.#rights.allows(action));
  }

  /** Returns the restriction on rows that are populated, or that filters and sort pass through. */
  restrictionOf(target: Schema): Restriction | undefined {
    // A document shows its files, but attaching one must not show more of its fields.
    if (target.uid === fileUid) return this.#policies.mediaNeedsRight ? withoutCondition(this.#rights.restriction(findFiles)) : undefined;
    return target.kind === 'component' ? undefined : together(this.#actions(target).map((action) => this.#rights.restriction(action)));
  }

  /** The restriction on the requested rows. `right` is that of the right to the request. */
  rootRestriction(right: Restriction | undefined, root: Schema): Restriction | undefined {
    return together([right, ...this.#draftActions(root).map((action) => this.#rights.restriction(action))]);
  }

  #actions(target: Schema): string[] {
    return [`${target.uid}.find`, ...this.#draftActions(target)];
  }

  #draftActions(target: Schema): string[] {
    return this.#aboutDrafts && target.kind !== 'component' && target.draftAndPublish ? [`${target.uid}.findDraft`] : [];
  }
}
