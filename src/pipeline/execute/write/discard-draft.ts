/** POST …/actions/discard-draft: the draft becomes a copy of the published row. Shared values are
 *  discarded in the drafts of the other locales as well. */
import { copiedFor, differingAttributes, keepingRows } from '../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, isContent } from '../../entry/entry.ts';
import { addAwaited } from './difference/awaited-links.ts';
import { differenceOf } from './difference/difference.ts';
import { followDraft } from './difference/follow-published.ts';
import { writeChanges } from './difference/write-changes.ts';
import { copyToLocales, sharedAttributes } from './keep-locales-in-step.ts';
import { loadContent, readOtherVersions } from './load/load-versions.ts';
import { identityCells, linkSource, moment, momentOf } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** Returns the id of the first draft. */
export async function discardDrafts(existing: readonly DocumentRow[], context: WriteContext): Promise<number | undefined> {
  const { plan, type, model, targets, changes, restrictions, events } = context;
  const { versions, entries } = await loadContent('published', existing, context);
  const others = existing.filter(({ locale, published }) => !published && !versions.some((version) => version.locale === locale));
  const made: { readonly locale: string | null; readonly published: DocumentRow; readonly wanted: Entry }[] = [];
  let shown: Entry | undefined;
  for (const { draft, published, locale } of versions) {
    const origin = entries.get(published?.id ?? 0);
    if (origin === undefined || published === undefined) continue;
    addAwaited(origin);
    await readOtherVersions(origin, context);
    const copy = copiedFor(origin, linkSource(type, locale, 'draft'), targets, isContent);
    const current = draft === undefined ? undefined : entries.get(draft.id);
    const wanted = current === undefined ? copy : keepingRows(copy, current);
    const times = [moment('updated_at', published.updatedAt ?? plan.now)];
    const system =
      draft === undefined ? [...identityCells(published.documentId, locale, published.createdAt ?? plan.now), ...times] : times;
    changes.push(differenceOf({ wanted, current, system }, model));
    restrictions.wrote(wanted, false);
    events.add(locale, { type: 'discard', status: 'draft', isNew: false }, { wanted, current });
    shown ??= wanted;
    if (draft === undefined) made.push({ locale, published, wanted });
    if (current === undefined || others.length === 0) continue;
    const attributes = differingAttributes(wanted, current, sharedAttributes(type));
    await copyToLocales({ origin, attributes, rows: others, now: momentOf(existing, plan) }, context);
  }
  await writeChanges(changes.flat(), context);
  for (const { locale, published, wanted } of made) {
    if (wanted.id !== undefined)
      followDraft({ type, documentId: published.documentId, locale, draftId: wanted.id, publishedId: published.id }, context);
  }
  await restrictions.refuseOutside();
  return shown?.id;
}
