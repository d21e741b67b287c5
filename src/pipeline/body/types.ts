/** The types of applying a body: what it needs, and what it returns. */
import type { ContentModel, ContentType, Schema } from '../../model/content-model.ts';
import type { Entry, LinkSource, TargetRow } from '../entry/entry.ts';
import type { BodyEntry, Target } from '../parse/body/types.ts';
import type { WriteRules } from '../plan/types.ts';
import type { BodyProblems } from './body-problems.ts';
import type { MissingTargets } from './missing-targets.ts';

/** The target of a link: a document in one locale. Its rows are linked together. */
export interface TargetDocument {
  /** The key is equal for rows of the same document and locale. */
  readonly key: string;
  readonly rows: readonly TargetRow[];
}

/** Finds the documents that a body names. */
export interface TargetLookup {
  /** Returns undefined when the target does not exist. */
  find(target: Target, source: LinkSource): TargetDocument | undefined;
  /** A row's document and locale, with rows that the source links to: none without that version. */
  versionOf(row: TargetRow, source: LinkSource): TargetDocument;
}

export interface BodyContext {
  readonly model: ContentModel;
  readonly type: ContentType;
  readonly targets: TargetLookup;
  readonly source: LinkSource;
  readonly rules: WriteRules;
  /** False for drafts, which may leave required attributes empty. */
  readonly strict: boolean;
  /** The hashes of the body's passwords, by password. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly problems: BodyProblems;
}

/** What the objects of one body share, and the function for an object inside another. */
export interface ObjectContext extends BodyContext {
  readonly missing: MissingTargets;
  readonly applyObject: (schema: Schema, object: BodyObject, context: ObjectContext) => Entry;
}

/** `creation` requires values and fills in defaults; `update` changes only named attributes. */
export type Mode = 'creation' | 'update';

/** One object of a body, the document or a component, with what it changes. */
export interface BodyObject {
  readonly body: BodyEntry;
  /** The stored entry; undefined for a new entry. */
  readonly current: Entry | undefined;
  /** The values that a new locale shares with the others. They are used where the body has none. */
  readonly copied: Entry | undefined;
  /** The path of the object in the body. */
  readonly path: readonly string[];
  readonly mode: Mode;
}
