/** Checks a write's restrictions: on its own rows, and on other documents with changed links. */
import { ApiError } from '../../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import type { DocumentRow, Entry } from '../../../entry/entry.ts';
import { changedOthers, type OtherRows } from './changed-others.ts';
import type { CheckedRow, RestrictionChecks } from './check-restrictions.ts';

type OwnRow = Pick<DocumentRow, 'id' | 'published'>;

export interface WrittenRowChecksParts {
  readonly checks: RestrictionChecks;
  readonly type: ContentType;
  readonly rows: Rows;
  readonly model: ContentModel;
}

export class WrittenRowChecks {
  readonly #parts: WrittenRowChecksParts;
  readonly #written: { readonly entry: Entry; readonly published: boolean }[] = [];
  readonly #others: OtherRows[] = [];

  constructor(parts: WrittenRowChecksParts) {
    this.#parts = parts;
  }

  mayReach(existing: readonly OwnRow[]): Promise<boolean> {
    return this.#parts.checks.allows(existing.map((row) => this.#checked(row)));
  }

  async refuseUnreachable(existing: readonly OwnRow[]): Promise<void> {
    if (!(await this.mayReach(existing))) throw ApiError.of('access.outside', undefined);
  }

  /** Throws before a deletion if published rows are among the deleted ones and the caller may only
   *  write drafts. */
  async refusePublished(existing: readonly OwnRow[]): Promise<void> {
    const isAllowed = await this.#parts.checks.allowsPublished(existing.map((row) => this.#checked(row)));
    if (!isAllowed) throw ApiError.of('access.drafts-only', undefined);
  }

  /** Throws before the write if a restriction excludes a document whose links change;
   *  `refuseOutside` checks it afterwards. */
  async refuseOthers(wanted: Entry, current: Entry | undefined, documentId: string): Promise<void> {
    const others = await changedOthers({ wanted, current, documentId }, this.#parts);
    await this.#refuseAmong(others);
    this.#others.push(...others);
  }

  /** Adds a row for `refuseOutside` to check. The row need not have its id yet. */
  wrote(entry: Entry, published: boolean): void {
    this.#written.push({ entry, published });
  }

  /** Throws after the write if a restriction excludes a written row, or one whose links changed. */
  async refuseOutside(): Promise<void> {
    const { checks } = this.#parts;
    const rows = this.#written.flatMap(({ entry: { id }, published }) => (id === undefined ? [] : [this.#checked({ id, published })]));
    const [isAllowed, isPublishable] = await allDone([checks.allows(rows), checks.allowsPublished(rows), this.#refuseAmong(this.#others)]);
    if (!isAllowed || !isPublishable) throw ApiError.of('access.outside', undefined);
  }

  async #refuseAmong(others: readonly OtherRows[]): Promise<void> {
    const allowed = await allDone(others.map(({ uid, rows }) => this.#parts.checks.allowsOthers(uid, rows)));
    if (allowed.includes(false)) throw ApiError.of('access.outside', undefined);
  }

  #checked({ id, published }: OwnRow): CheckedRow {
    return { id, published: published || !this.#parts.type.draftAndPublish };
  }
}
