/** Documents of collection and single types. */
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
  readonly pagination?: { readonly pageSize?: number };
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
  const writeOptions = ({ ifMatch, ...options }: WriteOptions = {}) => withHeader('if-match', ifMatch, options);

  async function create(path: string, data: unknown, params: object | undefined, { idempotencyKey, ...options }: CreateOptions = {}) {
    const request = { method: 'POST', path, params, json: { data } };
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

  /** What a single type has, and a document of a collection. */
  const document = (path: () => string) => {
    const act =
      (action: string) =>
      (params?: object, options: WriteOptions = {}) =>
        // Published twice is published.
        begin(() => {
          const { ifMatch } = options;
          const request = { method: 'POST', path: `${path()}/actions/${action}`, params };
          return send({ ...request, ...writeOptions(options), repeatable: ifMatch === undefined });
        });
    return {
      find: (params?: object, options?: CallOptions) => begin(() => send({ method: 'GET', path: path(), params, ...options })),
      update: (data: unknown, params?: object, options?: WriteOptions) =>
        begin(() => send({ method: 'PATCH', path: path(), params, json: { data }, ...writeOptions(options) })),
      delete: (params?: object, options?: WriteOptions) =>
        begin(() => send({ method: 'DELETE', path: path(), params, ...writeOptions(options) })),
      publish: act('publish'),
      unpublish: act('unpublish'),
      discardDraft: act('discard-draft'),
    };
  };

  /** Without `sort`, each page is that of the entries after the last one: by number, pages would shift when entries are added or deleted. */
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
    let after: number | undefined;
    let before = new Set<number>();
    for (let page = 1; ; page++) {
      const number = isById || page === 1 ? undefined : page;
      const request = {
        filters: after === undefined ? filters : nextTo({ id: { $gt: after } }, filters),
        pagination: pageSize === undefined && number === undefined ? undefined : { page: number, pageSize, withCount: false },
      };
      const ask = () => list(isPopulatedLater ? { ...request, fields: ['documentId'], populate: undefined } : request);
      const { data, meta } = await ask().catch((error) => {
        if (isPopulatedLater || (error as LecternError).code !== 'populate.with-pagination') throw error;
        isPopulatedLater = true;
        return ask();
      });
      // A new entry moves the last ones of a page to the next.
      const unseen = data.filter(({ id }) => !before.has(id));
      const entries = isPopulatedLater ? await populated(unseen.map(({ documentId }) => documentId)) : unseen;
      if (entries.length > 0) yield entries;
      const size = meta?.pagination?.pageSize;
      if (data.length === 0 || (size !== undefined && data.length < size)) return;
      // The next page has to begin where this one ends.
      if (!isById) pageSize ??= size;
      before = new Set(data.map(({ id }) => id));
      if (isById) after = data.at(-1)?.id;
    }
  }

  return {
    collection(name: string) {
      const path = () => segment(name);
      const one = (documentId: string) => document(() => path() + segment(documentId));
      type Of = ReturnType<typeof one>;
      const forward =
        <K extends keyof Of>(method: K) =>
        (documentId: string, ...rest: unknown[]) =>
          (one(documentId)[method] as (...given: unknown[]) => unknown)(...rest);
      const all = document(path);
      const listPages = (params?: ListQuery, options?: CallOptions) => pages(path(), params, options);
      return {
        find: all.find,
        findOne: forward('find'),
        create: (data: unknown, params?: object, options?: CreateOptions) => begin(() => create(path(), data, params, options)),
        update: forward('update'),
        delete: forward('delete'),
        publish: forward('publish'),
        unpublish: forward('unpublish'),
        discardDraft: forward('discardDraft'),
        pages: listPages,
        async *all(params?: ListQuery, options?: CallOptions) {
          for await (const page of listPages(params, options)) yield* page;
        },
      };
    },
    single: (name: string) => document(() => segment(name)),
  };
}

const nextTo = (own: object, given: object | undefined) => (given === undefined ? own : { $and: [given, own] });

/** `crypto.randomUUID` is missing in pages that were not loaded by https. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
