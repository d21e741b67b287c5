/** The messages between the server and a thread that runs the code of a project. Bodies and results
 *  are JSON texts. */
import type { BeforeAction, CodeCaller, CommittedEvent, JsonSchema, Method } from './types.ts';

export interface CodeSetup {
  /** The folder of the project. */
  readonly dir: string;
  /** The module that `import … from 'lectern'` gives. */
  readonly module: string;
  readonly files: readonly CodeFile[];
}

export interface CodeFile {
  readonly kind: 'hooks' | 'endpoints';
  /** Relative to the project: `lectern/hooks/article.ts`. */
  readonly path: string;
}

/** What the files define. */
export interface Manifest {
  readonly hooks: readonly HookManifest[];
  readonly endpoints: readonly EndpointManifest[];
}

export interface HookManifest {
  readonly file: string;
  readonly uid: string;
  readonly before: readonly BeforeAction[];
  readonly committed: readonly CommittedEvent[];
  /** By attribute: what is read (undefined: everything) and what is written besides. */
  readonly compute: readonly { readonly name: string; readonly from: readonly string[] | undefined; readonly writes: readonly string[] }[];
  readonly populate: readonly string[];
  readonly asSystem: boolean;
  readonly timeLimit: number | undefined;
}

export interface EndpointManifest {
  readonly file: string;
  /** The position in the list that the file exports. */
  readonly index: number;
  readonly method: Method;
  readonly path: string;
  readonly right: string;
  readonly description: string | undefined;
  readonly timeLimit: number | undefined;
  /** As JSON Schema; undefined where there is none, or the library cannot convert it. */
  readonly query: JsonSchema | undefined;
  readonly body: JsonSchema | undefined;
  readonly response: JsonSchema | undefined;
}

/** What a thread is asked to do. */
export type Work = BeforeWork | CommittedWork | EndpointWork;

export interface BeforeWork {
  readonly kind: 'before';
  readonly file: string;
  readonly actions: readonly BeforeAction[];
  readonly context: {
    readonly uid: string;
    readonly data: string;
    readonly document: string | undefined;
    readonly documentId: string | undefined;
    readonly locale: string | null;
    readonly status: 'draft' | 'published';
    readonly caller: CodeCaller;
    readonly isSystem: boolean;
  };
}

/** The result of `before`. */
export interface BeforeOutcome {
  /** What is not as the body had it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Attributes of `data` that rules have computed. */
  readonly computed: readonly string[];
  readonly also: readonly AlsoMessage[];
}

export interface AlsoMessage {
  readonly write: 'create' | 'update' | 'publish' | 'unpublish' | 'delete';
  readonly uid: string;
  readonly documentId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Whether it is written with all rights, as what is computed is. */
  readonly asSystem?: boolean;
}

export interface CommittedWork {
  readonly kind: 'committed';
  readonly file: string;
  readonly event: CommittedEvent;
  /** JSON of the event. */
  readonly detail: string;
  /** JSON of the document. */
  readonly document: string | undefined;
}

export interface EndpointWork {
  readonly kind: 'endpoint';
  readonly file: string;
  readonly index: number;
  readonly params: Readonly<Record<string, string>>;
  /** The query string. */
  readonly query: string;
  /** JSON. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly caller: CodeCaller;
}

/** The head of a response; `isStreamed`: chunks follow. */
export interface EndpointOutcome {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly isStreamed: boolean;
}

/** What code asks of the server. */
export type Ask =
  | {
      readonly kind: 'documents';
      readonly operation: DocumentOperation;
      readonly uid: string;
      readonly documentId: string | undefined;
      /** JSON. */
      readonly data: string | undefined;
      readonly query: string;
      readonly asSystem: boolean;
    }
  | {
      readonly kind: 'mail';
      readonly mail: {
        readonly to: string;
        readonly subject: string;
        readonly html?: string;
        readonly text?: string;
        readonly replyTo?: string;
      };
    };

export type DocumentOperation = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly work: Work }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: string }
  | { readonly kind: 'answer'; readonly id: number; readonly body: string | null }
  | { readonly kind: 'refused'; readonly id: number; readonly error: AskError }
  /** Another chunk of the response of a call may be sent. */
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'ping' };

export interface AskError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

export type FromThread =
  | { readonly kind: 'ready'; readonly manifest: Manifest; readonly problems: readonly string[] }
  | { readonly kind: 'begun'; readonly id: number }
  /** `isStreamed`: chunks of a body and its end come beside it. */
  | { readonly kind: 'done'; readonly id: number; readonly result: string; readonly isStreamed: boolean }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'ask'; readonly id: number; readonly call: number; readonly ask: Ask }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly file: string;
      readonly message: string;
      readonly details: string | undefined;
    }
  | { readonly kind: 'chunk'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number; readonly stack: string | undefined }
  | { readonly kind: 'pong' };

export type Failure =
  /** `fail(path, message)`, or a query or body that does not fit its schema. */
  | { readonly kind: 'refusal'; readonly problems: readonly Problem[] }
  /** What `documents` threw and nobody caught. */
  | { readonly kind: 'document'; readonly error: AskError }
  /** A mistake in the code. */
  | { readonly kind: 'thrown'; readonly stack: string };

export interface Problem {
  readonly path: string;
  readonly message: string;
}
