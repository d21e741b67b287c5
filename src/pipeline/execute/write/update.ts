/** PUT and PATCH: applies the body to the stored draft, or to the only row. */
import type { Attribute } from '../../../model/content-model.ts';
import { noBody, requireEveryField } from '../../body/apply-body.ts';
import { fillDefaults, requiredWithDefault } from '../../body/fill-defaults.ts';
import { withOwnValues } from '../../body/with-own-values.ts';
import { copiedFor, merged } from '../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, isContent } from '../../entry/entry.ts';
import type { BodyEntry } from '../../parse/body/types.ts';
import { applyToEntry, bodyContextOf, isPublishing, refuseProblems } from './apply-to-entry.ts';
import { addAwaited } from './difference/awaited-links.ts';
import { fillUids } from './fill-uids.ts';
import { copyForLocale } from './keep-locales-in-step.ts';
import { loadVersions, readOtherVersions } from './load/load-versions.ts';
import { restoreLostLinks } from './lost-links.ts';
import { saveVersion } from './save-version.ts';
import { linkSource, type Version, versionIn, writtenLocale } from './versions.ts';
import { withIncrements } from './with-increments.ts';
import type { WriteContext } from './write-context.ts';

/** Returns the id of the row to be shown. */
export async function updateDocument(
  documentId: string,
  existing: readonly DocumentRow[],
  sent: BodyEntry = noBody,
  context: WriteContext,
): Promise<number | undefined> {
  const { plan, type, turns } = context;
  const version = versionIn(existing, writtenLocale(context), type);
  const isNewLocale = version.draft === undefined && version.published === undefined;
  const filled = isNewLocale ? withOwnValues(sent, plan.own) : sent;
  const fills = isPublishing(context) || !type.draftAndPublish;
  const { current, published } = await loadForUpdate(filled, version, context);
  if (current !== undefined) await restoreLostLinks(current, published, version, context);
  if (!plan.partial) requireEveryField(filled, plan.writable, bodyContextOf(context));
  const copied = isNewLocale ? await copyForLocale(existing, version.locale, context) : undefined;
  // A row that a script wrote may have no draft: it begins as a copy of the published row, to keep
  // fields that the body omits.
  const restored = version.draft === undefined && published !== undefined ? await draftOf(published, version, context) : undefined;
  const before = current ?? restored;
  const body = withIncrements(filled, before ?? copied, context);
  await turns.next();
  const applied = applyToEntry(body, before, copied, context);
  if (fills) fillDefaults(applied, body, before);
  await turns.next();
  refuseProblems(applied, before, context);
  if (before === undefined) await fillUids(applied, body, documentId, context);
  const changed = restored === undefined ? applied : merged(restored, applied);
  // A new locale starts with the others' shared values and leaves theirs unchanged. Without
  // `syncDrafts`, its first draft replaces them, as in Strapi.
  const replaces = type.draftAndPublish && !isPublishing(context) && !plan.rules.syncDrafts;
  const named =
    isNewLocale && !replaces
      ? namesOf(body.scalars, body.relations, body.components)
      : namesOf(applied.values, applied.links, applied.components);
  return saveVersion({ documentId, version, changed, named, current, published, existing }, context);
}

/** Loads the draft and the published row with the attributes that the update needs. */
async function loadForUpdate(body: BodyEntry, version: Version, context: WriteContext) {
  const { type } = context;
  const named = ({ name }: Attribute) =>
    body.scalars.has(name) || body.relations.has(name) || body.components.has(name) || context.plan.increments.has(name);
  const lacksDraft = version.draft === undefined && version.published !== undefined;
  const loadsAll = isPublishing(context) || lacksDraft;
  const fills = isPublishing(context) || !type.draftAndPublish;
  const wanted = (attribute: Attribute) => loadsAll || named(attribute) || (fills && requiredWithDefault(attribute));
  const entries = await loadVersions([version.draft, loadsAll ? version.published : undefined], wanted, context);
  const entryOf = (row: DocumentRow | undefined) => (row === undefined ? undefined : entries.get(row.id));
  return { current: entryOf(version.draft), published: entryOf(version.published) };
}

const namesOf = (...maps: readonly ReadonlyMap<string, unknown>[]): ReadonlySet<string> => new Set(maps.flatMap((map) => [...map.keys()]));

async function draftOf(published: Entry, { locale }: Version, context: WriteContext): Promise<Entry> {
  addAwaited(published);
  await readOtherVersions(published, context);
  return copiedFor(published, linkSource(context.type, locale, 'draft'), context.targets, isContent);
}
