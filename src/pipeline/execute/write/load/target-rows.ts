/** Reads the rows that links lead to. */
import type { ContentModel, Uid } from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import type { TargetRow } from '../../../entry/entry.ts';

/** The columns that identify the document, locale and status of a row of a content type. */
export const versionColumns = (alias: 'r' | 't'): Sql =>
  sql.raw(`${alias}.document_id, ${alias}.locale, CASE WHEN ${alias}.published_at IS NULL THEN 0 ELSE 1 END`);

export const targetRow = (uid: Uid, id: unknown, [documentId, locale, published]: readonly unknown[]): TargetRow => ({
  uid,
  id: Number(id),
  documentId: textOrNull(documentId),
  locale: textOrNull(locale),
  published: Number(published) === 1,
});

const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
export const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

export interface Tables {
  readonly rows: Rows;
  readonly model: ContentModel;
}

/** Returns the rows by id. Ids that do not exist are left out. */
export async function readTargetRows(uid: Uid, ids: readonly number[], { rows, model }: Tables): Promise<Map<number, TargetRow>> {
  const type = model.contentTypes.get(uid);
  if (type === undefined) return new Map();
  const found = await rows.select(type.table, {
    key: 'id',
    ids: [...new Set(ids)],
    columns: ['r.id', versionColumns('r')],
    order: 'r.id',
  });
  return new Map(found.map(([id, ...version]) => [Number(id), targetRow(uid, id, version)]));
}
