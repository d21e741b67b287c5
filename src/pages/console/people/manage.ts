/** `/api/_manage`, as the user who has signed in. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { me } from '../server/me.ts';
import { type Answer, type Failure, type Method, request } from '../server/request.ts';
import type { RightsDocument } from './rights.ts';

export interface ManagedUser {
  readonly id: number;
  readonly username: string | null;
  readonly email: string | null;
  readonly provider?: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  /** Undefined while it is on its way. */
  readonly role?: { readonly id: number; readonly name: string } | null | undefined;
}

export interface ManagedRole {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly users: number;
  /** Whether files of the project rule it. */
  readonly declared: boolean;
  readonly rights: RightsDocument;
}

export interface ManagedToken {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly actions: readonly string[];
  readonly createdAt: string | null;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

export interface ManagedWebhook {
  readonly id: string;
  readonly name: string;
  readonly from: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly types: readonly string[] | null;
  readonly signed: boolean;
  readonly messages: { readonly waiting: number; readonly delivered: number; readonly failed: number };
}

export interface ManagedMessage {
  readonly id: number;
  readonly event: string;
  readonly uid: string;
  readonly documentId: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly status: number | null;
  readonly response: string | null;
  readonly updatedAt: string;
}

/** What rights can be given for. */
export interface Grantable {
  readonly types: readonly { readonly uid: string; readonly displayName: string; readonly actions: readonly string[] }[];
  readonly controllers: readonly { readonly key: string; readonly actions: readonly string[] }[];
}

export interface Sent<Data> {
  readonly data: Data;
  readonly meta?: { readonly pagination: { readonly page: number; readonly pageCount: number; readonly total: number } };
}

/** `path` is below `/api/_manage`. */
export const manage = <Data>(
  method: Method,
  path: string,
  { data, query = '' }: { readonly data?: unknown; readonly query?: string } = {},
): Promise<Answer<Sent<Data>>> =>
  request(method, `${me.value?.prefix}/_manage${path}`, { query, ...(data === undefined ? {} : { body: { data } }) });

export interface Loaded<Body> {
  /** What was loaded last, also while something else is on its way. */
  readonly body: Body | undefined;
  readonly failure: Failure | undefined;
  readonly reload: () => Promise<void>;
}

/** Loads again whenever `key` changes. */
export function useLoaded<Body>(key: string, load: () => Promise<Pick<Answer<Body>, 'json' | 'failure'>>): Loaded<Body> {
  const [state, setState] = useState<{ readonly key: string; readonly body: Body | undefined; readonly failure: Failure | undefined }>();
  const newest = useRef(0);
  const reload = async () => {
    newest.current += 1;
    const number = newest.current;
    const { json, failure } = await load();
    // A slow response must not replace that of a later request.
    if (number !== newest.current) return;
    // A page that could not be read again keeps what it shows.
    setState((before) => ({ key, body: json ?? (before?.key === key ? before.body : undefined), failure }));
  };
  useEffect(() => {
    void reload();
  }, [key]);
  return { body: state?.body, failure: state?.failure, reload };
}

/** Makes a link by which a user sets a password. A server that does not know its URL names the
 *  address that it listens on: people reach the console at the one of this page. */
export async function makePasswordLink(userId: number): Promise<{ readonly url: string } | { readonly failure: Failure | undefined }> {
  const { json, failure } = await manage<{ readonly url: string }>('POST', `/users/${userId}/password-link`);
  if (json === undefined) return { failure };
  const { pathname, hash } = new URL(json.data.url);
  return { url: pathname === '/console/set-password' ? location.origin + pathname + hash : json.data.url };
}
