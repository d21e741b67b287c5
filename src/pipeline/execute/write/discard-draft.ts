/** POST …/actions/discard-draft: the draft becomes a copy of the published row. */
import { copiedFor, keepingRows } from '../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, isContent } from '../../entry/entry.ts';
import { differenceOf } from './difference/difference.ts';
import { writeChanges } from './difference/write-changes.ts';
import { loadContent, readOtherVersions } from './load/load-versions.ts';
import { identityCells, linkSource, moment } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** Returns the id of the first draft. */
export async function discardDrafts(existing: readonly DocumentRow[], context: WriteContext): Promise<number | undefined> {
  const { plan, type, model, targets, changes, restrictions } = context;
  const { versions, entries } = await loadContent('published', existing, context);
  let shown: Entry | undefined;
  for (const { draft, published, locale } of versions) {
    const origin = entries.get(published?.id ?? 0);
    if (origin === undefined || published === undefined) continue;
    await readOtherVersions(origin, context);
    const copy = copiedFor(origin, linkSource(type, locale, 'draft'), targets, isContent);
    const current = draft === undefined ? undefined : entries.get(draft.id);
    const wanted = current === undefined ? copy : keepingRows(copy, current);
    const times = [moment('updated_at', published.updatedAt ?? plan.now)];
    const system =
      draft === undefined ? [...identityCells(published.documentId, locale, published.createdAt ?? plan.now), ...times] : times;
    changes.push(differenceOf({ wanted, current, system }, model));
    restrictions.wrote(wanted, false);
    shown ??= wanted;
  }
  await writeChanges(changes.flat(), context);
  await restrictions.refuseOutside();
  return shown?.id;
}
