/** What functions of hooks and endpoints get. */
import { isDeepStrictEqual } from 'node:util';
import { encodeQuery } from '../../client/src/query.ts';
import type { DefinedEndpoint } from './define.ts';
import { textOf } from './failure.ts';
import type { Ask, BeforeWork, CommittedWork, DocumentOperation, EndpointWork, FromThread, LogLevel } from './protocol.ts';
import type { ServerLink } from './server-link.ts';
import type { BeforeContext, CommittedContext, Documents, EndpointContext, Log, Mail, ReadDocuments } from './types.ts';

/** How a call asks the server. */
export interface Asking {
  readonly server: ServerLink;
  readonly call: number;
  readonly signal: AbortSignal;
  readonly log: Log;
}

// biome-ignore lint/suspicious/noExplicitAny: the types of a project are not known here.
type Loose = any;
type Data = Record<string, unknown>;

export function beforeContext({ context }: BeforeWork, data: Data, asking: Asking & { readonly asSystem: boolean }): BeforeContext<Loose> {
  const { document: text, uid, documentId, locale, status, caller, isSystem } = context;
  const document: Data | undefined = text === undefined ? undefined : JSON.parse(text);
  const changed = Object.keys(data).filter((name) => !isDeepStrictEqual(data[name], document?.[name]));
  const read = (of: string) => reading(documentsOf(of, asking));
  return {
    uid,
    data,
    document: document as Loose,
    documentId,
    changed,
    locale,
    status,
    caller,
    isSystem,
    read: read as Loose,
    ...logAndSignal(asking),
  };
}

export function committedContext({ detail, document }: CommittedWork, asking: Asking): CommittedContext<Loose> {
  return {
    event: JSON.parse(detail),
    document: document === undefined ? undefined : JSON.parse(document),
    documents: ((uid: string) => documentsOf(uid, { ...asking, asSystem: true })) as Loose,
    ...outside(asking),
  };
}

export function endpointContext(
  { method }: DefinedEndpoint,
  { params, headers, url, caller }: EndpointWork,
  { query, body }: { readonly query: unknown; readonly body: unknown },
  asking: Asking,
): EndpointContext<unknown, unknown> {
  const documents = (asSystem: boolean) => ((uid: string) => documentsOf(uid, { ...asking, asSystem })) as Loose;
  return {
    ...{ params, query, body, headers, method, url, caller },
    documents: documents(false),
    asSystem: { documents: documents(true) },
    ...outside(asking),
  };
}

const logAndSignal = ({ log, signal }: Asking) => ({ log, signal });

/** Mails and requests, which end with the call. */
function outside(asking: Asking) {
  const { server, call, signal } = asking;
  return {
    async mail(mail: Mail) {
      await server.ask({ kind: 'mail', mail }, call);
    },
    fetch: ((input, init) => fetch(input, { signal, ...init })) as typeof fetch,
    ...logAndSignal(asking),
  };
}

const reading = ({ find, findOne, count }: Documents<Loose>): ReadDocuments<Loose> => ({ find, findOne, count });

function documentsOf(uid: string, { server, call, asSystem }: Asking & { readonly asSystem: boolean }): Documents<Loose> {
  async function ask(operation: DocumentOperation, documentId: string | undefined, data: unknown, params: object = {}): Promise<Loose> {
    const question: Ask = {
      kind: 'documents',
      ...{ operation, uid, documentId, asSystem },
      data: data === undefined ? undefined : JSON.stringify(data),
      query: encodeQuery(params, mostQueryBytes).slice(1),
    };
    const body = await server.ask(question, call);
    return body === null ? undefined : JSON.parse(body);
  }
  const one = async (operation: DocumentOperation, documentId: string | undefined, data: unknown, params?: object) =>
    (await ask(operation, documentId, data, params))?.data;
  return {
    find: (params?: object) => ask('find', undefined, undefined, params),
    findOne: (documentId: string | undefined, params?: object) => one('findOne', documentId, undefined, params),
    async count(params: object = {}) {
      const page = { pagination: { page: 1, pageSize: 1, withCount: true }, fields: ['documentId'] };
      const { meta } = await ask('find', undefined, undefined, { ...params, ...page });
      return meta.pagination.total;
    },
    create: (data: unknown, params?: object) => one('create', undefined, data, params),
    update: (documentId: string | undefined, data: unknown, params?: object) => one('update', documentId, data, params),
    publish: (documentId: string | undefined, params?: object) => one('publish', documentId, undefined, params),
    unpublish: async (documentId: string | undefined, params?: object) => void (await ask('unpublish', documentId, undefined, params)),
    discardDraft: (documentId: string | undefined, params?: object) => one('discardDraft', documentId, undefined, params),
    delete: async (documentId: string | undefined, params?: object) => void (await ask('delete', documentId, undefined, params)),
  } as Documents<Loose>;
}

/** The server has a limit of its own. */
const mostQueryBytes = 1_000_000;

export function loggerOf(file: string, post: (message: FromThread) => void): Log {
  const logs = (level: LogLevel) => (message: string, details?: object) =>
    post({ kind: 'log', level, file, message: String(message), details: details === undefined ? undefined : detailsOf(details) });
  return { debug: logs('debug'), info: logs('info'), warn: logs('warn'), error: logs('error') };
}

function detailsOf(details: unknown): string {
  if (details instanceof Error) return textOf(details);
  try {
    return JSON.stringify(details).slice(0, 10_000);
  } catch {
    return textOf(details);
  }
}
