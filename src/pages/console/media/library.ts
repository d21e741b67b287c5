/** The files that a view of the library shows, and those that are chosen in it. */
import { type Signal, signal } from '@preact/signals';
import { type Failure, request } from '../server/request.ts';
import { mayUpload, uploadPath } from './api.ts';
import type { Kind, MediaFile } from './media-file.ts';

export const sorts = ['createdAt:desc', 'createdAt:asc', 'name:asc', 'name:desc', 'size:desc', 'updatedAt:desc'] as const;
export type Sort = (typeof sorts)[number];

export interface View {
  /** Null is the top. */
  readonly folder: number | null;
  readonly kind: Kind | '';
  /** Searched for in all folders. */
  readonly text: string;
  readonly sort: Sort;
  /** From 1. */
  readonly page: number;
  readonly look: 'grid' | 'list';
}

export const firstView: View = { folder: null, kind: '', text: '', sort: 'createdAt:desc', page: 1, look: 'grid' };

/** Where a view is: in the location, or in a dialog. */
export interface ViewState {
  readonly value: View;
  change(changes: Partial<View>): void;
}

const pageSize = 48;

export class Library {
  /** Undefined until the first response. */
  readonly files: Signal<readonly MediaFile[] | undefined> = signal(undefined);
  readonly hasMore = signal(false);
  readonly failure: Signal<Failure | undefined> = signal(undefined);
  /** Chosen files, also of other pages. */
  readonly chosen: Signal<ReadonlyMap<number, MediaFile>> = signal(new Map());
  readonly #allowed: readonly Kind[];
  #request: AbortController | undefined;

  /** `allowed`: the only kinds to show; empty for all. */
  constructor(allowed: readonly Kind[] = []) {
    this.#allowed = allowed;
  }

  async load(view: View): Promise<void> {
    this.#request?.abort();
    this.#request = new AbortController();
    const { signal: aborted } = this.#request;
    try {
      const answer = await request<readonly MediaFile[]>('GET', uploadPath('/files'), {
        query: queryOf(view, this.#allowed),
        signal: aborted,
      });
      this.failure.value = answer.failure;
      if (answer.json === undefined) return;
      // One more than a page has: whether there is another page.
      this.files.value = answer.json.slice(0, pageSize);
      this.hasMore.value = answer.json.length > pageSize;
    } catch (error) {
      if (!aborted.aborted) throw error;
    }
  }

  choose(file: MediaFile, isChosen: boolean): void {
    const chosen = new Map(this.chosen.value);
    if (isChosen) chosen.set(file.id, file);
    else chosen.delete(file.id);
    this.chosen.value = chosen;
  }

  chooseNone(): void {
    this.chosen.value = new Map();
  }

  /** After a change of a file: what is shown of it. */
  changed(file: MediaFile): void {
    this.files.value = this.files.value?.map((each) => (each.id === file.id ? file : each));
    if (this.chosen.value.has(file.id)) this.choose(file, true);
  }
}

/** Parameters of `GET /api/upload/files`. */
function queryOf({ folder, kind, text, sort, page }: View, allowed: readonly Kind[]): string {
  const query = new URLSearchParams({
    sort: `${sort},id:desc`,
    'pagination[start]': String((page - 1) * pageSize),
    'pagination[limit]': String(pageSize + 1),
  });
  const wanted = text.trim();
  if (wanted === '' && mayUpload()) query.set('folder', folder === null ? 'root' : String(folder));
  for (const [index, name] of ['name', 'alternativeText', 'caption'].entries())
    if (wanted !== '') query.set(`filters[$and][0][$or][${index}][${name}][$containsi]`, wanted);
  const shown = kind !== '' ? [kind] : allowed;
  if (shown.length > 0) for (const [index, each] of shown.entries()) ofKind(each, `filters[$and][1][$or][${index}]`, query);
  return query.toString();
}

const prefixes = { images: 'image/', videos: 'video/', audios: 'audio/' } as const;

function ofKind(kind: Kind, path: string, query: URLSearchParams): void {
  if (kind !== 'files') query.set(`${path}[mime][$startsWith]`, prefixes[kind]);
  else
    for (const [index, prefix] of Object.values(prefixes).entries()) query.set(`${path}[$not][$or][${index}][mime][$startsWith]`, prefix);
}
