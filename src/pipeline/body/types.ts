/** What applying a body needs to know, and what it finds. */
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import type { Entry, LinkSource, TargetRow } from '../entry/entry.ts';
import type { BodyEntry, Target } from '../parse/body/types.ts';
import type { WriteRules } from '../plan/types.ts';
import type { MissingTargets } from './missing-targets.ts';
import type { Problems } from './problems.ts';

/** What a link leads to as a whole: a document in one locale, whose rows are linked together. */
export interface TargetDocument {
  /** Equal for rows of the same document and locale. */
  readonly key: string;
  readonly rows: readonly TargetRow[];
}

/** The documents that a body names. */
export interface TargetLookup {
  /** Undefined when there is nothing to link to. */
  find(target: Target, source: LinkSource): TargetDocument | undefined;
  /** The document and locale of a row, with the rows that the source links to; without any when there is no such version. */
  versionOf(row: TargetRow, source: LinkSource): TargetDocument;
}

export interface BodyContext {
  readonly model: ContentModel;
  readonly type: ContentType;
  readonly targets: TargetLookup;
  readonly source: LinkSource;
  readonly rules: WriteRules;
  /** False for drafts, of which less is required. */
  readonly strict: boolean;
  /** Passwords of the body → their hashes. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly problems: Problems;
  readonly missing: MissingTargets;
}

/** `creation` asks for what is required and fills in defaults; `update` leaves alone what is not named. */
export type Mode = 'creation' | 'update';

/** One object of a body, the document or a component, with what it changes. */
export interface BodyObject {
  readonly body: BodyEntry;
  /** What is stored; undefined for a new entry. */
  readonly current: Entry | undefined;
  /** What a new locale shares with the others, where the body has nothing. */
  readonly copied: Entry | undefined;
  /** Where the object stands in the body. */
  readonly path: readonly string[];
  readonly mode: Mode;
}
