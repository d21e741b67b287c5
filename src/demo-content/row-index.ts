/** An index of written rows by the key of their document, for writing links. */
import type { ContentModel, Schema, Uid } from '../model/content-model.ts';
import { ContentError, type SeedData } from './content.ts';

/** `single` is the only row of a document of a type without drafts. */
export type RowStatus = 'draft' | 'published' | 'single';

type Rows = Partial<Record<RowStatus, number>>;

interface IndexedRow {
  readonly type: Uid;
  readonly key: string;
  readonly locale: string | null;
  readonly status: RowStatus;
  readonly id: number;
}

export class RowIndex {
  readonly #model: ContentModel;
  readonly #defaultLocale: string;
  readonly #rows = new Map<Uid, Map<string, Rows>>();

  constructor(model: ContentModel, defaultLocale: string) {
    this.#model = model;
    this.#defaultLocale = defaultLocale;
  }

  add({ type, key, locale, status, id }: IndexedRow): void {
    const ofType = this.#rows.get(type) ?? new Map<string, Rows>();
    this.#rows.set(type, ofType);
    const rows = ofType.get(rowKey(key, locale));
    if (rows === undefined) ofType.set(rowKey(key, locale), { [status]: id });
    else rows[status] = id;
  }

  has(type: Uid, key: string, locale: string | null): boolean {
    return this.#rows.get(type)?.has(rowKey(key, locale)) ?? false;
  }

  /** The rows that a row of this status and locale links to. Drafts link to drafts; published rows
   *  to published rows, if any. Rows of a type without drafts link to all rows of the target. If
   *  the target's type has no drafts, all link to its only row. */
  targets(type: Uid, key: string, source: { readonly status: RowStatus; readonly locale: string | null; readonly path: string }): number[] {
    const target = this.#model.contentTypes.get(type);
    if (target === undefined) throw new ContentError(source.path, `there is no type ${type}`);
    // A type without locales links to the default locale.
    const locale = target.localized ? (source.locale ?? this.#defaultLocale) : null;
    const rows = this.#rows.get(type)?.get(rowKey(key, locale));
    if (rows === undefined)
      throw new ContentError(source.path, `there is no ${type} with key "${key}"${locale === null ? '' : ` in locale "${locale}"`}`);
    const found = !target.draftAndPublish
      ? [rows.single]
      : source.status === 'single'
        ? [rows.draft, rows.published]
        : [rows[source.status]];
    return found.filter((id) => id !== undefined);
  }
}

const rowKey = (key: string, locale: string | null) => `${locale ?? ''} ${key}`;

/** A written row whose relations, media and components are not written yet. */
export interface Owner {
  readonly schema: Schema;
  readonly id: number;
  /** The status of the document; a component has that of its entry. */
  readonly status: RowStatus;
  readonly locale: string | null;
  readonly data: SeedData;
  /** `api::article.article a-key (fr)`, for messages; equal for the draft and the published row. */
  readonly path: string;
}
