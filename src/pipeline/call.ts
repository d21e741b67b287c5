/** What `http` asks of the pipeline, and what it gets back. */
import type { Actor } from '../access/actor.ts';
import type { ContentType } from '../model/content-model.ts';

export interface ReadCall {
  readonly type: ContentType;
  readonly target: ReadTarget;
  /** The query string as it came, without `?`. */
  readonly query: string;
  readonly actor: Actor;
  readonly envelope: Envelope;
  /** Members that each entry ends with (`isUrlSigned: false` of files). */
  readonly constants?: Readonly<Record<string, string | number | boolean | null>>;
}

export type ReadTarget =
  | { readonly kind: 'list' }
  /** The text of the path parameter, decoded. Users and files are addressed by row id, documents by documentId. */
  | { readonly kind: 'one'; readonly by: 'documentId' | 'id'; readonly key: string }
  | { readonly kind: 'single' };

/** `flat`: `{data, meta}`. `v4`: the same with `data.attributes` (Strapi-Response-Format: v4). `bare`: the entries alone (users, files). */
export type Envelope = 'flat' | 'v4' | 'bare';

export interface Outcome {
  readonly status: number;
  /** The complete JSON text. */
  readonly body: string | Uint8Array;
  /** `Server-Timing` entries: stage → milliseconds, in order. */
  readonly timings: readonly (readonly [stage: string, milliseconds: number])[];
  readonly statements: number;
}

export type AnswerRead = (call: ReadCall) => Promise<Outcome>;
