/** Keeps attributes that are not localized (shared attributes) equal in all locales: among
 *  published rows, among drafts, or among both, by the policy. */
import type { Attribute, ContentType } from '../../../model/content-model.ts';
import { copiedFor, differingAttributes, keepingRows, sameContent } from '../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, emptyEntry, isShared } from '../../entry/entry.ts';
import { addAwaited, awaitedChanges } from './difference/awaited-links.ts';
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
  addAwaited(entry);
  await readOtherVersions(entry, context);
  return copiedFor(entry, linkSource(type, locale, 'draft'), targets);
}

export interface WrittenLocale {
  /** The whole draft, or the whole entry of a type without drafts. */
  readonly draft: Entry;
  /** The attributes that the write names. */
  readonly named: ReadonlySet<string>;
  /** The published entry; undefined when there is none. */
  readonly published: Entry | undefined;
  /** The published entry before this write. */
  readonly formerlyPublished: Entry | undefined;
  readonly version: Version;
  /** Every row of the document that may be changed. */
  readonly existing: readonly DocumentRow[];
  readonly now: number;
}

/** Adds the changes that the written locale causes in the other locales: they get the shared values
 *  that the write names, and those that it publishes. */
export async function keepLocalesInStep(written: WrittenLocale, context: WriteContext): Promise<void> {
  const { draft, named, version, now } = written;
  const others = written.existing.filter(({ locale }) => locale !== version.locale);
  if (others.length === 0) return;
  const published = new Set(await newlyPublished(written, others, context));
  const attributes = sharedAttributes(context.type).filter((attribute) => named.has(attribute.name) || published.has(attribute));
  const rows = others.filter((row) => isSynced(row, written, context));
  await copyToLocales({ origin: draft, attributes, rows, now }, context);
}

/** The shared attributes whose published values this write changes. Compared with those of other
 *  locales where the written one was not published before. */
async function newlyPublished(
  written: WrittenLocale,
  others: readonly DocumentRow[],
  context: WriteContext,
): Promise<readonly Attribute[]> {
  const { published, formerlyPublished, version } = written;
  if (published === undefined || (await equalsFirst(written, published, context))) return [];
  const { type, targets } = context;
  const shared = sharedAttributes(type);
  if (formerlyPublished !== undefined) return differingAttributes(published, formerlyPublished, shared);
  const entries = await loadVersions(
    others.filter((row) => row.published),
    (attribute) => isShared(attribute, type),
    context,
  );
  const differing = new Set<Attribute>();
  for (const entry of entries.values()) {
    await readOtherVersions(entry, context);
    // The other locale's entry is copied to the written locale first: a link without a target there
    // is no difference.
    const copy = copiedFor(entry, linkSource(type, version.locale, 'published'), targets);
    for (const attribute of differingAttributes(copy, published, shared)) differing.add(attribute);
  }
  return [...differing];
}

/** Without `syncDrafts`, publishing a draft may publish outdated shared values. As in Strapi, these
 *  are not copied to other locales if the document's first row has the same values, and links to
 *  the same rows: the row that its index by locale and publication lists first. */
async function equalsFirst({ existing }: WrittenLocale, published: Entry, context: WriteContext): Promise<boolean> {
  const { type, plan } = context;
  const [first] = [...existing].sort((a, b) => byCode(a.locale, b.locale) || Number(a.published) - Number(b.published));
  if (plan.rules.syncDrafts || first === undefined) return false;
  const shared = sharedAttributes(type);
  const entry = (await loadVersions([first], (attribute) => shared.includes(attribute), context)).get(first.id);
  return entry !== undefined && differingAttributes(published, entry, shared).length === 0;
}

const byCode = (a: string | null, b: string | null): number => (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1);

export interface CopiedAttributes {
  readonly origin: Entry;
  readonly attributes: readonly Attribute[];
  /** Rows of other locales. */
  readonly rows: readonly DocumentRow[];
  readonly now: number;
}

/** Adds the changes that copy attributes of an entry to rows of other locales. */
export async function copyToLocales({ origin, attributes, rows, now }: CopiedAttributes, context: WriteContext): Promise<void> {
  if (attributes.length === 0 || rows.length === 0) return;
  const { type, model, targets, changes, restrictions, turns, events, hasAwaitedLinks } = context;
  const names = new Set(attributes.map(({ name }) => name));
  const isCopied = ({ name }: Attribute) => names.has(name);
  const entries = await loadVersions(rows, isCopied, context);
  await readOtherVersions(origin, context);
  const changed: { readonly row: DocumentRow; readonly wanted: Entry; readonly current: Entry }[] = [];
  for (const row of rows) {
    const current = entries.get(row.id);
    if (current === undefined) continue;
    const copy = copiedFor(origin, linkSource(type, row.locale, row.published ? 'published' : 'draft'), targets, isCopied);
    if (!sameContent(copy, current)) changed.push({ row, wanted: keepingRows(copy, current), current });
    await turns.next();
  }
  await restrictions.refuseUnreachable(changed.map(({ row }) => row));
  for (const { row, wanted, current } of changed) {
    // A draft that is ahead of its published row stays so.
    const published = row.published ? undefined : rows.find((each) => each.published && each.locale === row.locale);
    const isAhead = published !== undefined && published.updatedAt !== row.updatedAt;
    changes.push(differenceOf({ wanted, current, system: [moment('updated_at', isAhead ? now + 1 : now)] }, model));
    // Only components: relations of the document's own are not shared.
    const components = ({ components }: Entry): Entry => ({ ...emptyEntry(type), components });
    if (hasAwaitedLinks && row.published) changes.push(awaitedChanges(components(wanted), components(current), model));
    restrictions.wrote(wanted, row.published);
    const [status, event] = row.published ? (['published', 'publish'] as const) : (['draft', 'update'] as const);
    events.add(row.locale, { type: type.draftAndPublish ? event : 'update', status, isNew: false }, { wanted, current });
  }
}

export const sharedAttributes = (type: ContentType): readonly Attribute[] =>
  [...type.attributes.values()].filter((attribute) => isShared(attribute, type));

function isSynced(row: DocumentRow, { published }: WrittenLocale, { type, plan }: WriteContext): boolean {
  if (!type.draftAndPublish) return true;
  if (published === undefined) return !row.published;
  return row.published || plan.rules.syncDrafts;
}
