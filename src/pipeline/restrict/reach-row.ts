/** Checks whether a right's restriction includes a row, in a write outside of the pipeline. */
import { readLocales } from '../../locales/locales-store.ts';
import type { ContentType } from '../../model/content-model.ts';
import { Rows } from '../../sql/rows.ts';
import { sql } from '../../sql/sql.ts';
import type { NamedVersion, ReachRow } from '../call.ts';
import { compileRestriction } from '../compile/compile-restriction.ts';
import { documentRows } from '../execute/write/load/find-document.ts';
import { documentLock, versionIn } from '../execute/write/versions.ts';
import { plannedScope } from '../plan/plan-read.ts';
import type { Condition } from '../plan/types.ts';
import { restrictionFilters } from './restriction-filters.ts';
import type { WriteRestrictionsParts } from './write-restrictions.ts';

export function createReachRow({ config: { policies }, model, dialect }: WriteRestrictionsParts): ReachRow {
  const filterOf = restrictionFilters(model);
  return async (connection, type, row, { own, publishing }) => {
    const rows = new Rows(connection, dialect);
    // Writes of the document take its lock: no other one changes the row after the check.
    const id = typeof row === 'number' ? await lockedRow(rows, type, row) : await lockedVersion(rows, type, row);
    if (id === undefined) return undefined;
    const written = filterOf(own, type);
    const published = filterOf(publishing, type);
    const conditions: Condition[] = [
      ...(written === undefined ? [] : [plannedScope(written, type, undefined, policies)]),
      ...(published === undefined ? [] : [ofPublished(plannedScope(published, type, 'published', policies), type)]),
    ];
    const { text, parameters } = compileRestriction({ kind: 'and', operands: conditions }, type, dialect);
    const values = parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : dialect.bindIds([id])));
    return (await rows.query(text, values)).length > 0 ? id : undefined;
  };
}

async function lockedRow(rows: Rows, type: ContentType, id: number): Promise<number | undefined> {
  const [row] = await rows.select(type.table, { key: 'id', ids: [id], columns: [sql.id('r', 'document_id')], order: sql.id('r', 'id') });
  if (row === undefined) return undefined;
  rows.lock([documentLock(type, String(row[0]))]);
  return id;
}

async function lockedVersion(rows: Rows, type: ContentType, { documentId, locale, status }: NamedVersion): Promise<number | undefined> {
  rows.lock([documentLock(type, documentId)]);
  const code = type.localized ? (locale ?? (await readLocales(rows.connection)).byDefault) : null;
  const { draft, published } = versionIn(await documentRows(documentId, { rows, type }), code, type);
  return (type.draftAndPublish && status === 'published' ? published : draft)?.id;
}

const ofPublished = (condition: Condition, { draftAndPublish }: ContentType): Condition =>
  draftAndPublish ? { kind: 'or', operands: [{ kind: 'status', status: 'draft' }, condition] } : condition;
