/** The restrictions of one write: of its own rows before and after, and of the rows of other documents that its links change. */
import { ApiError } from '../../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../../model/content-model.ts';
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

  /** Before anything is written: other documents whose links change must be within the restrictions on them, as they must be afterwards. */
  async refuseOthers(wanted: Entry, current: Entry | undefined, documentId: string): Promise<void> {
    const { checks, type, rows, model } = this.#parts;
    const others = await changedOthers({ wanted, current, documentId }, type, checks, rows, model);
    await this.#refuseAmong(others);
    this.#others.push(...others);
  }

  /** A row that `refuseOutside` looks at; it need not have its id yet. */
  wrote(entry: Entry, published: boolean): void {
    this.#written.push({ entry, published });
  }

  /** Afterwards. */
  async refuseOutside(): Promise<void> {
    const { checks } = this.#parts;
    await this.#refuseAmong(this.#others);
    const rows = this.#written.flatMap(({ entry: { id }, published }) => (id === undefined ? [] : [this.#checked({ id, published })]));
    const isWithin = (await checks.allows(rows)) && (await checks.allowsPublished(rows));
    if (!isWithin) throw ApiError.of('access.outside', undefined);
  }

  async #refuseAmong(others: readonly OtherRows[]): Promise<void> {
    for (const { uid, rows } of others) {
      if (!(await this.#parts.checks.allowsOthers(uid, rows))) throw ApiError.of('access.outside', undefined);
    }
  }

  #checked({ id, published }: OwnRow): CheckedRow {
    return { id, published: published || !this.#parts.type.draftAndPublish };
  }
}
