/** Deletes a locale with the entries in it. */

import { insertDeletions } from '../../../events/event-store.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import { forgetWaitingIn, waitingTables } from '../../../schedule/waiting-tables.ts';
import type { Rows } from '../../../sql/rows.ts';
import { sql } from '../../../sql/sql.ts';
import { tableExists } from '../../../sql/table-exists.ts';
import { awaitedLinksTable } from '../../../tables/system-tables.ts';
import { Turns } from '../../../turns.ts';
import { deleteRows } from './delete.ts';

interface Parts {
  readonly rows: Rows;
  readonly model: ContentModel;
}

export interface EntriesOfLocale {
  readonly type: ContentType;
  readonly documents: number;
}

/** Each row is loaded with its components. */
const rowsPerBatch = 100;

const localizedTypes = ({ contentTypes }: ContentModel) => [...contentTypes.values()].filter(({ localized }) => localized);

/** The types that have entries in the locale. */
export async function countEntries(code: string, { rows, model }: Parts): Promise<readonly EntriesOfLocale[]> {
  const found: EntriesOfLocale[] = [];
  for (const type of localizedTypes(model)) {
    const [[count] = []] = await rows.run(sql`SELECT count(DISTINCT document_id) FROM ${sql.id(type.table)} WHERE locale = ${code}`);
    if (Number(count) > 0) found.push({ type, documents: Number(count) });
  }
  return found;
}

/** Deletes all entries in the locale like DELETE: drafts, published versions, and all that they
 *  own. Needs a transaction. */
export async function deleteEntriesOf(
  code: string,
  { rows, model, keepsEvents }: Parts & { readonly keepsEvents: boolean },
): Promise<void> {
  const turns = new Turns();
  const hasAwaitedLinks = await tableExists(rows.connection, awaitedLinksTable);
  if (hasAwaitedLinks) rows.send(sql`DELETE FROM ${sql.id(awaitedLinksTable)} WHERE locale = ${code}`);
  forgetWaitingIn(code, await waitingTables(rows), rows);
  for (const type of localizedTypes(model)) {
    if (keepsEvents) insertDeletions(type, code, Date.now(), rows);
    for (let last = 0; ; ) {
      const batch = sql`locale = ${code} AND id > ${sql.value(last, 'id')} ORDER BY id LIMIT ${sql.integer(rowsPerBatch)}`;
      const ids = (await rows.run(sql`SELECT id FROM ${sql.id(type.table)} WHERE ${batch}`)).map(([id]) => Number(id));
      await deleteRows(
        ids.map((id) => ({ id })),
        { type, rows, model, turns, hasAwaitedLinks },
      );
      last = ids.at(-1) ?? last;
      if (ids.length < rowsPerBatch) break;
    }
  }
}
