/** Checks whether a right's restriction includes a row, in a write outside of the pipeline. */
import type { ContentType } from '../../model/content-model.ts';
import { Rows } from '../../sql/rows.ts';
import { sql } from '../../sql/sql.ts';
import type { IsRowAllowed } from '../call.ts';
import { compileRestriction } from '../compile/compile-restriction.ts';
import { documentLock } from '../execute/write/versions.ts';
import { plannedScope } from '../plan/plan-read.ts';
import type { Condition } from '../plan/types.ts';
import { restrictionFilters } from './restriction-filters.ts';
import type { WriteRestrictionsParts } from './write-restrictions.ts';

export function createIsRowAllowed({ config: { policies }, model, dialect }: WriteRestrictionsParts): IsRowAllowed {
  const filterOf = restrictionFilters(model);
  return async (connection, { type, id }, { own, publishing }) => {
    const rows = new Rows(connection, dialect);
    const [row] = await rows.select(type.table, { key: 'id', ids: [id], columns: [sql.id('r', 'document_id')], order: sql.id('r', 'id') });
    if (row === undefined) return false;
    // Writes of the document take this lock: no other one changes the row after the check.
    rows.lock([documentLock(type, String(row[0]))]);
    const written = filterOf(own, type);
    const published = filterOf(publishing, type);
    const conditions: Condition[] = [
      ...(written === undefined ? [] : [plannedScope(written, type, undefined, policies)]),
      ...(published === undefined ? [] : [ofPublished(plannedScope(published, type, 'published', policies), type)]),
    ];
    const { text, parameters } = compileRestriction({ kind: 'and', operands: conditions }, type, dialect);
    const values = parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : dialect.bindIds([id])));
    return (await rows.query(text, values)).length > 0;
  };
}

const ofPublished = (condition: Condition, { draftAndPublish }: ContentType): Condition =>
  draftAndPublish ? { kind: 'or', operands: [{ kind: 'status', status: 'draft' }, condition] } : condition;
