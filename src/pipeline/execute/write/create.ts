/** POST, and PUT or PATCH of a single type that has no document yet. */

import { noBody } from '../../body/apply-body.ts';
import type { BodyEntry } from '../../parse/body/types.ts';
import { applyToEntry, refuseProblems } from './apply-to-entry.ts';
import { fillUids } from './fill-uids.ts';
import { saveVersion } from './save-version.ts';
import { writtenLocale } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** Returns the id of the row to show. The body's targets have been looked up before. */
export async function createDocument(body: BodyEntry | undefined, context: WriteContext): Promise<number | undefined> {
  const draft = applyToEntry(body ?? noBody, undefined, undefined, context);
  await context.turns.next();
  refuseProblems(draft, undefined, context);
  await fillUids(draft, body ?? noBody, context.plan.newDocumentId, context);
  return saveVersion(
    {
      documentId: context.plan.newDocumentId,
      version: { locale: writtenLocale(context), draft: undefined, published: undefined },
      changed: draft,
      named: new Set(),
      current: undefined,
      published: undefined,
      existing: [],
    },
    context,
  );
}
