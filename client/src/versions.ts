/** Types of history and schedule. */
import type { EntryOf, IsLoose, RelatedName, ScalarName, TypeName, Uid, UidOf } from './names.ts';
import type { LooseEntry, PageMeta, Status } from './result.ts';
import type { AnySchema } from './schema.ts';

export interface HistoryParams {
  readonly locale?: string | undefined;
  readonly status?: Status | undefined;
  readonly pagination?: { readonly page?: number | undefined; readonly pageSize?: number | undefined } | undefined;
}

/** A former version of a document. */
export interface FormerVersion {
  version: number;
  locale: string | null;
  status: Status;
  writtenAt: string | null;
  replacedAt: string;
  /** The write that has replaced it: its event, its caller, and the attributes that it changed. */
  replacedBy: { event: string; kind: CallerKind; id: number | null; paths: string[] };
}

type CallerKind = 'public' | 'user' | 'token' | 'server' | 'hook';

export interface FormerVersions {
  data: FormerVersion[];
  meta: { pagination: PageMeta };
}

/** The content of a former version. What the schema has today may be missing in it. */
export interface FormerContent<S extends AnySchema, N extends TypeName<S>> {
  data: IsLoose<S> extends true ? Omit<LooseEntry, 'id'> : FormerEntry<S, UidOf<S, N>>;
  meta: FormerVersion;
}

type FormerEntry<S extends AnySchema, U extends Uid<S>> = U extends unknown
  ? { documentId: string } & { [K in Exclude<ScalarName<S, U>, 'id' | 'documentId'>]?: EntryOf<S, U>[K] | null } & {
      [K in RelatedName<S, U>]?: unknown;
    }
  : never;

/** A document after a former version was restored into its draft. */
export interface Restored<E> {
  data: E;
  meta: {
    restored: {
      version: number;
      /** What could not be restored, and why. */
      leftOut: {
        path: string[];
        reason: 'gone' | 'hidden' | 'unknown' | 'refused';
        message?: string;
        documentId?: string | null;
      }[];
    };
  };
  etag?: string;
}

/** When a document is published and unpublished; null cancels. */
export type ScheduleTimes = { readonly locale?: string | undefined } & (
  | { readonly publishAt: Date | string | null; readonly unpublishAt?: Date | string | null | undefined }
  | { readonly publishAt?: Date | string | null | undefined; readonly unpublishAt: Date | string | null }
);

/** What waits, was done or has failed. */
export interface Scheduled {
  id: number;
  uid: string;
  /** Null for single types. */
  documentId: string | null;
  locale: string | null;
  action: 'publish' | 'unpublish';
  at: string;
  by: { kind: CallerKind; id: number | null };
  state: ScheduleState;
  /** Why it has failed. */
  problem?: string;
}

export type ScheduleState = 'waiting' | 'done' | 'failed';
