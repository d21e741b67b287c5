/** The module `lectern`, which hooks and endpoints of a project import. */
import { kind } from './kind.ts';
import type { AlsoWrite, DataOf, Endpoint, Hooks, TypeUid, ValueSchema, WriteParams } from './types.ts';

export { linkedTo } from './linked-to.ts';
export { excerpt, readingTime, slug, treePath } from './ready-rules.ts';
export { fail } from './refusal.ts';
export type * from './types.ts';

/** The hooks of a content type: a file in `lectern/hooks/` has them as its default export. */
export const defineHooks = <const U extends TypeUid>(uid: U, hooks: Hooks<U>): DefinedHooks => ({
  ...hooks,
  uid,
  [kind]: 'hooks',
});

/** Hooks of any type. The types of a project are not known here. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export interface DefinedHooks extends Hooks<any> {
  readonly uid: string;
  readonly [kind]: 'hooks';
}

/** An endpoint: a file in `lectern/endpoints/` has it, or a list of them, as its default export. */
export const defineEndpoint = <
  const Q extends ValueSchema | undefined = undefined,
  const B extends ValueSchema | undefined = undefined,
  const R extends ValueSchema | undefined = undefined,
  const P extends string = string,
>(
  endpoint: Endpoint<Q, B, R, P>,
): DefinedEndpoint => ({
  ...(endpoint as unknown as Endpoint<ValueSchema | undefined, ValueSchema | undefined, ValueSchema | undefined>),
  [kind]: 'endpoint',
});

export interface DefinedEndpoint extends Endpoint<ValueSchema | undefined, ValueSchema | undefined, ValueSchema | undefined> {
  readonly [kind]: 'endpoint';
}

/** Writes for `also` of a hook. */
export const create = <U extends TypeUid>(uid: U, data: DataOf<U>, params?: WriteParams): AlsoWrite => ({
  write: 'create',
  uid,
  data,
  params,
});
/** Changes the attributes that `data` names. */
export const update = <U extends TypeUid>(uid: U, documentId: string, data: DataOf<U>, params?: WriteParams): AlsoWrite => ({
  write: 'update',
  uid,
  documentId,
  data,
  params,
});
export const publish = (uid: TypeUid, documentId: string, params?: WriteParams): AlsoWrite => ({
  write: 'publish',
  uid,
  documentId,
  params,
});
export const unpublish = (uid: TypeUid, documentId: string, params?: WriteParams): AlsoWrite => ({
  write: 'unpublish',
  uid,
  documentId,
  params,
});
export const remove = (uid: TypeUid, documentId: string, params?: WriteParams): AlsoWrite => ({ write: 'delete', uid, documentId, params });

/** In the data of an `update`: adds to the number as it is stored when the transaction runs, so
 *  that two writes at the same time both count. Null counts as 0. */
// biome-ignore lint/suspicious/noExplicitAny: it stands where a number does.
export const increment = (by: number): any => ({ $increment: by });

/** What the functions of `documents` throw when the Content API would refuse the request. */
export class DocumentError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor({ status, code, message, details }: { status: number; code: string; message: string; details: unknown }) {
    super(message);
    this.name = 'DocumentError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
