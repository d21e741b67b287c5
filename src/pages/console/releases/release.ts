/** Releases: sets of documents that are published together (`/api/_releases`). */
import { editableTypes, may, me } from '../server/me.ts';
import type { Failure, FieldProblem } from '../server/request.ts';
import { say, type WordKey } from '../words/say.ts';

export type EntryAction = 'publish' | 'unpublish';

export interface ListedRelease {
  readonly id: number;
  readonly name: string;
  readonly publishAt: string | null;
  readonly state: 'open' | 'waiting' | 'done' | 'failed';
}

/** `publish` or `unpublish` has the uid of the type. */
export interface ReleaseEntry extends Readonly<Partial<Record<EntryAction, string>>> {
  readonly id: number;
  /** Null for a single type. */
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly status: 'draft' | 'modified' | 'published' | 'missing';
}

export interface Release extends ListedRelease {
  /** Why it failed. */
  readonly problem?: string;
  readonly entries: readonly ReleaseEntry[];
}

/** What is wrong with the entry of this id. */
export interface EntryProblem extends FieldProblem {
  readonly id: number;
}

/** Why a request about a release was refused, in words. */
export function problemOf(failure: Failure | undefined): string {
  if (failure?.code === 'console.offline') return say('shell.offline');
  const [first] = failure?.problems ?? [];
  return [failure?.message, first?.message].filter(Boolean).join(' ');
}

export const releasesPath = (rest = ''): string => `${me.value?.prefix}/_releases${rest}`;

export const uidOf = ({ publish, unpublish }: ReleaseEntry): string | undefined => publish ?? unpublish;

/** Whether the user can put anything into a release. */
export const mayRelease = (): boolean => editableTypes.value.some((type) => type.draftAndPublish && may(type, 'publish'));

export const stateChips: Readonly<Record<ListedRelease['state'], readonly [label: WordKey, chip: string]>> = {
  open: ['releases.open', 'chip'],
  waiting: ['releases.waiting', 'chip warn'],
  done: ['releases.done', 'chip good'],
  failed: ['releases.failed', 'chip warn'],
};

export const statusChips: Readonly<Record<ReleaseEntry['status'], readonly [label: WordKey, chip: string]>> = {
  draft: ['document.statusDraft', 'chip'],
  modified: ['document.statusModified', 'chip warn'],
  published: ['document.statusPublished', 'chip good'],
  missing: ['releases.missing', 'chip warn'],
};
