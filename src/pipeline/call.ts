/** The calls that `http` makes to the pipeline, and their results. */

import type { Connection, DataVersion } from '../dialects/database.ts';
import type { LogPosition } from '../dialects/replicas.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { EventCaller } from '../events/document-event.ts';
import type { Actor } from '../identity/actor.ts';
import type { ContentType } from '../model/content-model.ts';
import type { Restriction } from '../rights/restrictions.ts';
import type { ReleaseRevision } from '../schedule/release-store.ts';
import type { Caller } from './run/queue/caller.ts';

export type { Caller };

export interface ReadCall {
  readonly type: ContentType;
  readonly target: ReadTarget;
  /** The raw query string, without `?`. */
  readonly query: string;
  readonly actor: Actor;
  /** The restriction of the right to this read. For populated, filtered and sorted paths, the
   *  actor's rights have restrictions of their own. */
  readonly restriction: Restriction | undefined;
  readonly envelope: Envelope;
  /** True for the read that makes the response to a write: it uses no cached response, which may
   *  lack the write. */
  readonly isAfterWrite?: boolean;
  /** Each entry ends with `isUrlSigned`: whether its URL had to be signed. */
  readonly withIsUrlSigned?: boolean;
  /** Whether `populate` and `pagination` may be combined, whatever the policy. */
  readonly populatesPages?: boolean;
  /** Texts say where they come from (`render/encode-source-maps.ts`). */
  readonly withSourceMaps?: boolean;
  /** Present if a replica may serve the read, which may then be up to `database.replicaLag` old.
   *  `after`: a position after the caller's last write. */
  readonly onReplica?: { readonly after: LogPosition | undefined } | undefined;
  /** The version of the data when the request arrived. If undefined, `AnswerRead` asks for it:
   *  always after a write in the same request. */
  readonly dataVersion?: DataVersion | undefined;
}

export type ReadTarget =
  /** `isGrouped`: numbers of groups of its entries. `most`: for a write of all that a filter matches,
   *  the list has this many entries at most, whatever pages may have, and is refused without one.
   *  `relatedTo`: only entries that share links with this document. */
  | { readonly kind: 'list'; readonly isGrouped?: true; readonly most?: number; readonly relatedTo?: string }
  /** The text of the path parameter, decoded. Users and files are addressed by row
   *  id, documents by documentId. */
  | { readonly kind: 'one'; readonly by: 'documentId' | 'id'; readonly key: string }
  | { readonly kind: 'single' };

/** `flat`: `{data, meta}`. `v4`: the same with `data.attributes` (Strapi-Response-Format: v4).
 *  `bare`: the entries alone (users, files). */
export type Envelope = 'flat' | 'v4' | 'bare';

export interface Outcome {
  readonly status: number;
  /** The complete JSON text. */
  readonly body: string | Uint8Array;
  /** `Server-Timing` entries: stage → milliseconds, in order. `at`: when it began, in
   *  milliseconds of `performance.now()`. */
  readonly timings: readonly (readonly [stage: string, milliseconds: number, at: number])[];
  readonly statements: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The state of the row (`rowVersion`); only for one document with an envelope. */
  readonly version?: string | undefined;
  /** The digest of `body` (`digestOf`), if it was computed together with
   *  it; with an envelope only. */
  readonly digest?: string | undefined;
  /** Whether it comes from the cache of responses. */
  readonly isCached?: boolean;
  /** The number of the replica that was read; undefined for the primary. */
  readonly replica?: number | undefined;
  /** The error of a 403, to which http adds a hint in development. */
  readonly refusal?: ApiError;
}

/** Answers a read. `caller` determines the queue. */
export type AnswerRead = (call: ReadCall, caller: Caller) => Promise<Outcome>;

/** Returns the statements of a read, without running them. Throws an `ApiError` where
 *  the read would be refused. */
export type ExplainRead = (call: ReadCall) => Promise<readonly ExplainedStatement[]>;

export interface ExplainedStatement {
  /** `rows`, `count`, or the populated path: `category`, `blocks.shared.quote`. */
  readonly name: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The lines of the engine's plan. */
  readonly plan: readonly string[];
}

/** Runs a read without caches. Throws an `ApiError` where the read would be refused. */
export type ExplainRun = (call: ReadCall) => Promise<ExplainedRun>;

export interface ExplainedRun {
  readonly body: string;
  readonly stages: Outcome['timings'];
  /** `milliseconds`: for each time that the statement ran; a populated path
   *  without parents is not read. */
  readonly statements: readonly (ExplainedStatement & { readonly milliseconds: readonly number[] })[];
  /** The number of statements that ran. */
  readonly ran: number;
}

export interface WriteCall {
  readonly type: ContentType;
  readonly action: WriteAction;
  /** Undefined for a new document and for the one document of a single type. */
  readonly documentId: string | undefined;
  /** The documentId of a new document, where an earlier one is restored. */
  readonly newDocumentId?: string | undefined;
  /** If true, the body changes only the fields that it names, whatever the policy for PUT. */
  readonly partial: boolean;
  readonly query: string;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
  /** Why a body that was sent was not read; undefined if it was read, or if none was sent. */
  readonly unreadBody?: string | undefined;
  /** Whether the body came as a form. */
  readonly isForm?: boolean;
  readonly actor: Actor;
  /** The restriction of the right to this write. */
  readonly restriction: Restriction | undefined;
  readonly envelope: Envelope;
  readonly withSourceMaps?: boolean;
  /** The version of the data when the request arrived. */
  readonly dataVersion?: DataVersion | undefined;
  /** The versions that `If-Match` names; `*` matches any existing version. */
  readonly ifMatch: '*' | readonly string[] | undefined;
  readonly idempotencyKey: string | undefined;
  /** As `HookChanges.seen`. Unlike `ifMatch`, which the caller chooses. */
  readonly seen?: readonly string[] | undefined;
  /** Whether code of the project writes with all rights, whoever the actor is. */
  readonly isSystem?: boolean;
  /** The caller that events name, if it is not the actor. */
  readonly by?: EventCaller | undefined;
  /** Whether nothing is written: the outcome has the problems that would refuse the write. Hooks do
   *  not run. */
  readonly dryRun?: boolean;
  /** By attribute, what is added to the stored number; only code of the project can ask for it. */
  readonly increments?: ReadonlyMap<string, number>;
}

/** What the project's hooks make of a write before its transaction. */
export interface HookChanges {
  /** Attributes that replace those of the body, with the caller's rights. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The same with all rights. */
  readonly asSystem: Readonly<Record<string, unknown>>;
  /** Writes in the same transaction, in order. */
  readonly also: readonly AlsoWrite[];
  /** The versions that the hooks have seen, one for each locale that the document has; undefined for
   *  a new document. */
  readonly seen: readonly string[] | undefined;
}

export interface AlsoWrite {
  readonly call: WriteCall;
  readonly changes: HookChanges | undefined;
}

/** Returns what runs the hooks of a type; undefined if it has none. */
export type BeforeWrite = (type: ContentType) => RunHooks | undefined;

/** Runs the hooks for a write whose rights were checked. Throws an `ApiError` to refuse the
 *  write. */
export type RunHooks = (write: WriteToCome, caller: Caller) => Promise<HookChanges | undefined>;

export interface WriteToCome {
  readonly call: WriteCall;
  /** Null for types without locales. */
  readonly locales: readonly (string | null)[] | 'all';
  readonly status: 'draft' | 'published';
}

export type WriteAction = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft';

export interface WriteOutcome extends Omit<Outcome, 'body'> {
  /** Null for a response without a body. */
  readonly body: string | Uint8Array | null;
  /** Whether this is the stored response to an earlier request with the same `Idempotency-Key`. */
  readonly repeated?: boolean;
  /** Of a dry run: what is wrong with the body, unless the write is refused for another reason. */
  readonly problems?: FoundProblems;
}

export interface FoundProblems {
  readonly errors: readonly FoundProblem[];
  /** The number of further problems. */
  readonly more: number;
}

export interface FoundProblem {
  /** `['blocks', '0', 'text']`: from `data` on. */
  readonly path: readonly string[];
  readonly message: string;
  readonly name: string;
}

export type AnswerWrite = (call: WriteCall, caller: Caller) => Promise<WriteOutcome>;

/** A change of a user, which has no envelope. Everything in it is one transaction. */
export interface UserWrite {
  readonly action: 'create' | 'update' | 'delete';
  /** Undefined for a new user. */
  readonly documentId: string | undefined;
  /** Attributes by name; passwords in plain text. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The actor, whose rights decide which documents may be linked. Roles may always be linked;
   *  other types need the right to find them. */
  readonly actor: Actor;
  /** The restriction of the right to this write; undefined for writes of the server itself. */
  readonly restriction: Restriction | undefined;
  /** The caller on whose behalf passwords are hashed; undefined on the command line. */
  readonly caller?: Caller;
  /** Checks the stored rows before anything is written, and throws to refuse. */
  readonly before?: (connection: Connection) => Promise<void>;
  /** Writes rows that belong to the user. */
  readonly after?: (connection: Connection, id: number) => Promise<void>;
}

/** Returns the row id of the user; undefined when there was no user to delete, or the user is
 *  deleted. Throws an `ApiError`. */
export type WriteUser = (write: UserWrite) => Promise<number | undefined>;

/** Returns the id of the row if it exists and both restrictions include it: `own`, of the right to
 *  change it, and for a published row `publishing`, of the right to publish. Locks the row's
 *  document until the transaction ends. */
export type ReachRow = (
  connection: Connection,
  type: ContentType,
  row: number | NamedVersion,
  restrictions: ReachRestrictions,
) => Promise<number | undefined>;

/** One row of a document. Types without locales or drafts ignore what they lack. */
export interface NamedVersion {
  readonly documentId: string;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
  readonly status: 'draft' | 'published';
}

export interface ReachRestrictions {
  readonly own: Restriction | undefined;
  readonly publishing?: Restriction | undefined;
}

/** Several writes, all of them or none. */
export interface BatchCall {
  /** For each operation its write, or why it is refused. */
  readonly operations: readonly (WriteCall | ApiError)[];
  /** What `Idempotency-Key` compares: the body as it was sent. */
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly dryRun: boolean;
  readonly dataVersion: DataVersion | undefined;
  /** The release that is published by it, unless it has changed since. */
  readonly release?: ReleaseRevision | undefined;
  /** Whether a text such as `$0.documentId` names no operation. */
  readonly isWithoutReferences?: boolean;
  /** In a dry run: refusals that are left out of what is refused. A list of all would end before
   *  others. */
  readonly ignores?: ((refusal: { readonly status: number; readonly code: string }) => boolean) | undefined;
}

export type AnswerBatch = (call: BatchCall, caller: Caller) => Promise<BatchOutcome>;

export interface BatchOutcome extends WriteOutcome {
  /** What is wrong with a batch that was refused, by operation. */
  readonly refused?: RefusedOperations;
}

export interface RefusedOperations {
  /** The number of operations. */
  readonly count: number;
  readonly errors: readonly OperationProblem[];
  readonly more: number;
}

export interface OperationProblem extends FoundProblem {
  /** The place of the operation, from 0. */
  readonly operation: number;
  readonly status: number;
  readonly code: string;
}
