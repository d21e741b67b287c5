/** Keeps attributes that are not localized equal in all locales: among published rows, among
 *  drafts, or among both, by the policy. */
import type { Attribute } from '../../../model/content-model.ts';
import { copiedFor, keepingRows, sameContent } from '../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, isShared } from '../../entry/entry.ts';
import { differenceOf } from './difference/difference.ts';
import { loadVersions, readOtherVersions } from './load/load-versions.ts';
import { linkSource, moment, type Version } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** The values that a new locale shares with the existing ones; undefined without other locales. */
export async function copyForLocale(
  existing: readonly DocumentRow[],
  locale: string | null,
  context: WriteContext,
): Promise<Entry | undefined> {
  const { type, targets } = context;
  const origin = existing.findLast(({ published }) => published) ?? existing.at(-1);
  if (origin === undefined) return undefined;
  const shared = (attribute: Attribute) => isShared(attribute, type);
  const entry = (await loadVersions([origin], shared, context)).get(origin.id);
  if (entry === undefined) return undefined;
  await readOtherVersions(entry, context);
  return copiedFor(entry, linkSource(type, locale, 'draft'), targets);
}

export interface WrittenLocale {
  /** The whole draft, or the whole entry of a type without drafts. */
  readonly draft: Entry;
  /** The published entry; undefined when there is none. */
  readonly published: Entry | undefined;
  readonly version: Version;
  /** Every row of the document that may be changed. */
  readonly existing: readonly DocumentRow[];
  readonly now: number;
}

/** Adds the changes that the written locale causes in the other locales. */
export async function keepLocalesInStep(written: WrittenLocale, context: WriteContext): Promise<void> {
  const { type, model, plan, changes, restrictions, turns } = context;
  if (!type.localized) return;
  const others = written.existing.filter(({ locale }) => locale !== written.version.locale);
  if (others.length === 0) return;
  const synced = others.filter((row) => isSynced(row, written, context));
  const shared = (attribute: Attribute) => isShared(attribute, type);
  // Without `syncDrafts`, a draft may have older shared values than its published row. A write that
  // does not change shared values must not copy them to other locales. As in Strapi, it does if the
  // result differs from the document's oldest row.
  const [oldest] = plan.rules.syncDrafts ? [] : written.existing;
  const entries = await loadVersions([...new Set([...synced, oldest])], shared, context);
  await readOtherVersions(written.draft, context);
  const differing = (row: DocumentRow) => {
    const current = entries.get(row.id);
    if (current === undefined) return undefined;
    const source = linkSource(type, row.locale, row.published ? 'published' : 'draft');
    const copy = copiedFor(written.draft, source, context.targets, shared);
    return sameContent(copy, current) ? undefined : { copy, current };
  };
  if (oldest !== undefined && differing(oldest) === undefined) return;
  const changed: { readonly row: DocumentRow; readonly wanted: Entry; readonly current: Entry }[] = [];
  for (const row of synced) {
    const found = differing(row);
    if (found !== undefined) changed.push({ row, wanted: keepingRows(found.copy, found.current), current: found.current });
    await turns.next();
  }
  await restrictions.refuseUnreachable(changed.map(({ row }) => row));
  for (const { row, wanted, current } of changed) {
    changes.push(differenceOf({ wanted, current, system: [moment('updated_at', written.now)] }, model));
    restrictions.wrote(wanted, row.published);
  }
}

function isSynced(row: DocumentRow, { published }: WrittenLocale, { type, plan }: WriteContext): boolean {
  if (!type.draftAndPublish) return true;
  if (published === undefined) return !row.published;
  return row.published || plan.rules.syncDrafts;
}
