/** Documents of collection and single types. */
import type { BatchOptions } from './batch.ts';
import type { LecternError } from './errors.ts';
import type { CallOptions, CreateOptions, WriteOptions } from './options.ts';
import { begin } from './outcome.ts';
import { segment } from './query.ts';
import type { Outgoing, Transport } from './transport.ts';

interface ListQuery {
  readonly filters?: object;
  readonly sort?: unknown;
  readonly populate?: unknown;
  readonly pagination?: { readonly pageSize?: number };
}

interface Entry {
  readonly id: number;
  readonly documentId: string;
}
interface Meta {
  readonly pagination?: { readonly pageSize?: number; readonly limit?: number; readonly next?: string | null };
}

/** The methods of `Collection` and `Single` in `client.ts`, which has their types. `path` gives the path of a document. */
export function createContent({ call }: Transport) {
  // A database that Strapi made may lack the table for keys.
  let hasKeys = true;

  const send = async (request: Outgoing) => {
    const { body, headers } = await call(request);
    const etag = headers.get('etag');
    // The endpoints of users respond without an envelope.
    return { ...('data' in Object(body) ? body : { data: body }), ...(etag !== null && { etag }) };
  };

  /** The body of a request with `ifMatch` and headers. */
  const withHeader = (name: string, value: string | undefined, { headers, ...options }: CallOptions = {}): CallOptions => {
    const all = new Headers(headers);
    if (value !== undefined) all.set(name, value);
    return { ...options, headers: all };
  };

  /** Sends what must not be done twice, with a key. */
  async function post(path: string, json: unknown, params: object | undefined, { idempotencyKey, ...options }: CreateOptions = {}) {
    const request = { method: 'POST', path, params, json };
    const key = idempotencyKey ?? (hasKeys ? randomKey() : undefined);
    try {
      const isRepeatable = key !== undefined;
      return await send({ ...request, ...withHeader('idempotency-key', key, options), repeatable: isRepeatable });
    } catch (error) {
      if (idempotencyKey !== undefined || (error as LecternError).code !== 'idempotency.no-table') throw error;
      hasKeys = false;
      return send({ ...request, ...options });
    }
  }

  const ask = (method: string, path: () => string, params?: object, options?: WriteOptions, more?: Partial<Outgoing>) =>
    begin(() =>
      send({
        method,
        path: path(),
        params,
        ...more,
        ...(options?.ifMatch === undefined ? options : withHeader('if-match', options.ifMatch, options)),
      }),
    );

  /** What a single type has, and a document of a collection. */
  const document = (path: () => string) => {
    const below = (rest: string) => () => path() + rest;
    const schedule = below('/schedule');
    // A number leads to no other path.
    const history = (version: number, rest = '') => below(`/history/${+version}${rest}`);
    const act = (action: string) => (params?: object, options?: WriteOptions) =>
      // Published twice is published.
      ask('POST', below(`/actions/${action}`), params, options, { repeatable: options?.ifMatch === undefined });
    return {
      find: (params?: object, options?: CallOptions) => ask('GET', path, params, options),
      update: (data: unknown, params?: object, options?: WriteOptions) => ask('PATCH', path, params, options, { json: { data } }),
      delete: (params?: object, options?: WriteOptions) => ask('DELETE', path, params, options),
      publish: act('publish'),
      unpublish: act('unpublish'),
      discardDraft: act('discard-draft'),
      history: (params?: object, options?: CallOptions) => ask('GET', below('/history'), params, options),
      formerVersion: (version: number, options?: CallOptions) => ask('GET', history(version), undefined, options),
      restore: (version: number, options?: WriteOptions) => ask('POST', history(version, '/restore'), undefined, options),
      scheduled: (options?: CallOptions) => ask('GET', schedule, undefined, options),
      // Set twice, the times are the same.
      schedule: (data: object, options?: CallOptions) => ask('POST', schedule, undefined, options, { json: { data }, repeatable: true }),
      unschedule: (params?: object, options?: CallOptions) => ask('DELETE', schedule, params, options),
    };
  };

  /** Each page is that of the entries after the last one, by id or by a cursor: by number, pages would shift when entries are added or deleted. */
  async function* pages(path: string, params: ListQuery = {}, options?: CallOptions) {
    const { sort = 'id', filters, populate, pagination } = params;
    const isById = params.sort === undefined;
    const list = async (more: object): Promise<{ readonly data: Entry[]; readonly meta?: Meta }> =>
      send({ method: 'GET', path, ...options, params: { ...params, sort, ...more } });
    // In profile `specification`, a list that is populated has no pages, but a default size.
    let pageSize = pagination?.pageSize ?? (populate === undefined ? 100 : undefined);
    let isPopulatedLater = false;
    let defaultSize = 25;
    /** These documents as the caller wants them, in the order of the list. */
    const populated = async (documentIds: readonly string[]) => {
      const found: Entry[] = [];
      let left = documentIds;
      while (left.length > 0) {
        const asked = left.slice(0, defaultSize);
        const { data, meta } = await list({ filters: nextTo({ documentId: { $in: asked } }, filters), pagination: undefined });
        found.push(...data);
        defaultSize = meta?.pagination?.pageSize ?? defaultSize;
        // Beyond the default size the list was cut.
        const done = new Set(asked.length > defaultSize ? data.map(({ documentId }) => documentId) : asked);
        left = left.filter((each) => !done.has(each));
      }
      return found;
    };
    /** The id of the last entry. */
    let after: number | undefined;
    /** A sorted list goes by cursors, or by number where its order has none. */
    let hasCursors = !isById;
    let next: string | undefined;
    let before: readonly number[] = [];
    for (let page = 1; ; page++) {
      const place = () => {
        if (hasCursors) return { cursor: true, after: next, limit: pageSize };
        const number = isById || page === 1 ? undefined : page;
        return (pageSize ?? number) === undefined ? undefined : { page: number, pageSize, withCount: false };
      };
      const askPage = (): ReturnType<typeof list> =>
        list({
          filters: after === undefined ? filters : nextTo({ id: { $gt: after } }, filters),
          pagination: place(),
          ...(isPopulatedLater && { fields: ['documentId'], populate: undefined }),
        }).catch((error) => {
          const { code } = error as LecternError;
          // Such as `$rank`.
          if (code === 'cursor.sort' && hasCursors) hasCursors = false;
          else if (code === 'populate.with-pagination' && !isPopulatedLater) isPopulatedLater = true;
          else throw error;
          return askPage();
        });
      const { data, meta } = await askPage();
      // A new entry moves the last ones of a page to the next.
      const unseen = data.filter(({ id }) => !before.includes(id));
      const entries = isPopulatedLater ? await populated(unseen.map(({ documentId }) => documentId)) : unseen;
      if (entries.length > 0) yield entries;
      const found = meta?.pagination;
      const size = found?.pageSize ?? found?.limit;
      if (data.length === 0 || found?.next === null || (size !== undefined && data.length < size)) return;
      next = found?.next;
      hasCursors = next !== undefined;
      // The next page has to begin where this one ends.
      if (!isById) pageSize ??= size;
      before = data.map(({ id }) => id);
      if (isById) after = data.at(-1)?.id;
    }
  }

  return {
    collection(name: string) {
      const path = () => segment(name);
      const all = document(path);
      type Method = (...given: unknown[]) => unknown;
      /** The same methods, with the documentId before their own parameters. */
      const ofOne = Object.fromEntries(
        Object.keys(all).map((name) => [
          name,
          (documentId: string, ...rest: unknown[]) =>
            (document(() => path() + segment(documentId)) as unknown as Record<string, Method>)[name]?.(...rest),
        ]),
      );
      const listPages = (params?: ListQuery, options?: CallOptions) => pages(path(), params, options);
      return {
        ...ofOne,
        find: all.find,
        findOne: ofOne.find,
        create: (data: unknown, params?: object, options?: CreateOptions) => begin(() => post(path(), { data }, params, options)),
        // A list becomes names with commas between them.
        related: (documentId: string, params: { readonly via: string | readonly string[] }, options?: CallOptions) =>
          ask('GET', () => `${path()}${segment(documentId)}/related`, { ...params, via: String(params.via) }, options),
        aggregate: (params?: object, options?: CallOptions) => ask('GET', () => `${path()}/_aggregate`, params, options),
        pages: listPages,
        async *all(params?: ListQuery, options?: CallOptions) {
          for await (const page of listPages(params, options)) yield* page;
        },
      };
    },
    single: (name: string) => document(() => segment(name)),
    search: (params: { readonly types?: string | readonly string[] }, options?: CallOptions) =>
      ask('GET', () => '/_search', { ...params, types: params.types?.toString() }, options),
    batch: (operations: readonly unknown[], { dryRun, ...options }: BatchOptions<boolean> = {}) =>
      begin(() => post('/_batch', { operations, dryRun }, undefined, options)),
    schedules: (params?: object, options?: CallOptions) => ask('GET', () => '/_schedule', params, options),
  };
}

const nextTo = (own: object, given: object | undefined) => (given === undefined ? own : { $and: [given, own] });

/** `crypto.randomUUID` is missing in pages that were not loaded by https. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
