/** The rows of a list, as they arrive: a page of them at once, then what they link to, and their
 *  status. A request that is overtaken by the next one is aborted. */
import { batch, signal } from '@preact/signals';
import { type DescribedAttribute, type DescribedType, typeOf } from '../server/me.ts';
import { type Failure, request } from '../server/request.ts';
import { type Column, isPopulated } from './columns.ts';
import { type RowStatus, statusName } from './conditions.ts';
import { linksQuery, namedLinks, namedLinksQuery, type RowsQuery, rowsQuery, stateQuery, totalQuery } from './list-query.ts';
import type { ListView } from './view-url.ts';

export type Row = Readonly<Record<string, unknown>> & { readonly documentId: string };

interface Page {
  readonly data: readonly Row[];
  readonly meta?: { readonly pagination?: { readonly total?: number; readonly pageSize?: number } };
}

/** What a list asks for. `version` counts the changes that the user has made to the documents. */
export interface Wanted {
  readonly view: ListView;
  readonly columns: readonly Column[];
  readonly version: number;
}

/** How many documents are asked for without `pagination`: `api.defaultLimit`, unless it was changed. */
const populatedAtOnce = 25;
/** How long a page that was read ahead is good for. */
const aheadFor = 15_000;
/** Others write as well. */
const countedFor = 60_000;

export class Rows {
  readonly type: DescribedType;
  /** Undefined until the first page is there. */
  readonly list = signal<readonly Row[] | undefined>(undefined);
  /** Of all pages; undefined until it is counted. */
  readonly total = signal<number | undefined>(undefined);
  /** Rows of a page: what was asked for, or the most that the server sends (`api.maxLimit`). */
  readonly size = signal(0);
  readonly isLoading = signal(false);
  readonly failure = signal<Failure | undefined>(undefined);
  readonly statuses = signal<ReadonlyMap<string, RowStatus>>(new Map());
  /** By documentId, the values of the columns that are populated. */
  readonly links = signal<ReadonlyMap<string, Readonly<Record<string, unknown>>>>(new Map());
  #running: AbortController | undefined;
  #ahead: { readonly query: string; readonly until: number; readonly page: Promise<Page | undefined> } | undefined;
  #counted: { readonly query: string; readonly until: number } | undefined;
  #locale: string | undefined;

  constructor(type: DescribedType) {
    this.type = type;
  }

  #query(view: ListView, columns: readonly Column[]): RowsQuery {
    return { type: this.type, view, columns, typeOf, now: new Date() };
  }

  /** Never rejects. */
  async load({ view, columns, version }: Wanted): Promise<void> {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    this.isLoading.value = true;
    try {
      const { signal } = running;
      const query = this.#query(view, columns);
      const { page, failure } = await this.#page(rowsQuery(query), signal);
      if (signal.aborted) return;
      const counted = `${version} ${totalQuery(query)}`;
      this.#take(page, failure, view, counted);
      if (page === undefined) return;
      const total = this.total.value === undefined ? this.#readTotal(totalQuery(query), counted, signal) : undefined;
      await Promise.all([total, this.#complete(page.data, view, columns, signal)]);
    } catch (error) {
      if (!running.signal.aborted) throw error;
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Reads the next page before it is asked for. */
  readAhead(view: ListView, columns: readonly Column[]): void {
    const query = rowsQuery(this.#query(view, columns));
    if (this.#ahead?.query === query && this.#ahead.until > Date.now()) return;
    const page = request<Page>('GET', this.type.path, { query }).then(({ json }) => json);
    this.#ahead = { query, until: Date.now() + aheadFor, page };
  }

  async #page(query: string, signal: AbortSignal): Promise<{ readonly page: Page | undefined; readonly failure: Failure | undefined }> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead?.query === query && ahead.until > Date.now()) {
      const page = await ahead.page;
      if (page !== undefined) return { page, failure: undefined };
    }
    const { json, failure } = await request<Page>('GET', this.type.path, { query, signal });
    return { page: json, failure };
  }

  #take(page: Page | undefined, failure: Failure | undefined, view: ListView, counted: string): void {
    const rows = page?.data ?? [];
    batch(() => {
      this.isLoading.value = false;
      this.failure.value = failure;
      if (page === undefined) return;
      this.list.value = rows;
      // The last page says how many there are; another page of the same list has the same total.
      const size = page.meta?.pagination?.pageSize ?? view.size;
      this.size.value = size;
      const isLast = rows.length < size && (rows.length > 0 || view.page === 1);
      const isCounted = this.#counted?.query === counted && this.#counted.until > Date.now();
      if (isLast) this.#count((view.page - 1) * size + rows.length, counted);
      else if (!isCounted) this.total.value = undefined;
      // What is known of documents that are shown again stays, so that nothing flickers.
      const isSameLocale = this.#locale === view.locale;
      const still = new Set(isSameLocale ? rows.map(({ documentId }) => documentId) : []);
      this.links.value = new Map([...this.links.value].filter(([id]) => still.has(id)));
      this.statuses.value = new Map([...this.statuses.value].filter(([id]) => still.has(id)));
      this.#locale = view.locale;
    });
  }

  async #readTotal(query: string, counted: string, signal: AbortSignal): Promise<void> {
    const { json } = await request<Page>('GET', this.type.path, { query, signal });
    if (signal.aborted || json === undefined) return;
    this.#count(json.meta?.pagination?.total, counted);
  }

  #count(total: number | undefined, query: string): void {
    this.total.value = total;
    this.#counted = { query, until: Date.now() + countedFor };
  }

  async #complete(rows: readonly Row[], view: ListView, columns: readonly Column[], signal: AbortSignal): Promise<void> {
    const ids = rows.map(({ documentId }) => documentId);
    if (ids.length === 0) return;
    const populated = columns.flatMap(({ attribute }) => (attribute !== undefined && isPopulated(attribute) ? [attribute] : []));
    const hasStatus = columns.some(({ attribute }) => attribute === undefined);
    await Promise.all([
      hasStatus ? this.#readStatuses(ids, view, signal) : undefined,
      populated.length === 0 ? undefined : this.#readLinks(ids, view.locale, populated, signal),
    ]);
  }

  async #readStatuses(ids: readonly string[], { locale, conditions }: ListView, signal: AbortSignal): Promise<void> {
    // All rows have the status that was asked for.
    const asked = conditions.find(({ attribute }) => attribute === statusName)?.values[0] as RowStatus | undefined;
    if (asked !== undefined) {
      this.statuses.value = new Map(ids.map((id) => [id, asked]));
      return;
    }
    const having = async (state: 'draft' | 'modified') => {
      const { json } = await request<Page>('GET', this.type.path, { query: stateQuery(this.type, locale, ids, state), signal });
      return json?.data.map(({ documentId }) => documentId);
    };
    const [drafts, modified] = await Promise.all([having('draft'), having('modified')]);
    if (signal.aborted || drafts === undefined || modified === undefined) return;
    const found = new Map<string, RowStatus>(ids.map((id) => [id, 'published']));
    for (const id of drafts) found.set(id, 'draft');
    for (const id of modified) found.set(id, 'modified');
    this.statuses.value = found;
  }

  async #readLinks(
    ids: readonly string[],
    locale: string | undefined,
    attributes: readonly DescribedAttribute[],
    signal: AbortSignal,
  ): Promise<void> {
    const { type } = this;
    await inParts(ids, async (part) => {
      const first = await this.#readAll(part, (left) => linksQuery(type, locale, left, attributes, typeOf), signal);
      const lists = attributes.filter(({ isMany }) => isMany === true);
      await Promise.all(
        lists.map(async (attribute) => {
          const few = first.filter((row) => isFew(row[attribute.name])).map(({ documentId }) => documentId);
          if (few.length > 0) await this.#readAll(few, (left) => namedLinksQuery(type, locale, left, attribute, typeOf), signal);
        }),
      );
    });
  }

  /** Asks again for what a server with a smaller `api.defaultLimit` left out. */
  async #readAll(ids: readonly string[], queryOf: (ids: readonly string[]) => string, signal: AbortSignal): Promise<readonly Row[]> {
    const found: Row[] = [];
    for (let left = ids; left.length > 0; ) {
      const { json } = await request<Page>('GET', this.type.path, { query: queryOf(left), signal });
      const rows = json?.data ?? [];
      if (rows.length === 0) break;
      found.push(...rows);
      this.#put(rows);
      const got = new Set(rows.map(({ documentId }) => documentId));
      left = left.filter((id) => !got.has(id));
    }
    return found;
  }

  #put(rows: readonly Row[]): void {
    const links = new Map(this.links.value);
    for (const { id: _, documentId, ...values } of rows) links.set(documentId, { ...links.get(documentId), ...values });
    this.links.value = links;
  }
}

async function inParts(ids: readonly string[], read: (part: readonly string[]) => Promise<void>): Promise<void> {
  const parts = Array.from({ length: Math.ceil(ids.length / populatedAtOnce) }, (_, index) =>
    ids.slice(index * populatedAtOnce, (index + 1) * populatedAtOnce),
  );
  await Promise.all(parts.map(read));
}

/** `{ count: 3 }`: what the server sends for links that are only counted. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof (value as { count?: unknown }).count === 'number'
    ? (value as { readonly count: number }).count
    : undefined;

function isFew(value: unknown): boolean {
  const count = countOf(value);
  return count !== undefined && count > 0 && count <= namedLinks;
}
