/** Publishing copies the draft's content to the published row; links to that row remain. */
import { allDone } from '../../../sql/all-done.ts';
import { checkPublished } from '../../body/check-published.ts';
import { copiedFor, keepingRows } from '../../entry/copy-entry.ts';
import { type DocumentRow, type Entry, isContent, type TargetRow } from '../../entry/entry.ts';
import { refuseTaken, withoutSame } from './check/check-unique-values.ts';
import { awaitedChanges, withComponents } from './difference/awaited-links.ts';
import { differenceOf } from './difference/difference.ts';
import { followPublished, readWaitingRows, type WaitingRows } from './difference/follow-published.ts';
import { writeChanges } from './difference/write-changes.ts';
import { keepLocalesInStep } from './keep-locales-in-step.ts';
import { loadContent, readOtherVersions } from './load/load-versions.ts';
import { restoreLostLinks } from './lost-links.ts';
import { documentLock, identityCells, linkSource, moment, momentOf, type Version } from './versions.ts';
import type { WriteContext } from './write-context.ts';

const nothing: ReadonlySet<string> = new Set();

/** POST …/actions/publish, in the request's locales. Returns the first published row's id. */
export async function publishDrafts(existing: readonly DocumentRow[], context: WriteContext): Promise<number | undefined> {
  const { plan, model, changes, restrictions } = context;
  const { versions, entries } = await loadContent('draft', existing, context);
  const now = momentOf(existing, plan);
  // Locales published together take their own drafts' content: only others are kept in step.
  const others = existing.filter(({ locale }) => !versions.some((version) => version.locale === locale));
  const firsts: FirstPublication[] = [];
  let shown: Entry | undefined;
  for (const version of versions) {
    const { draft: row } = version;
    const draft = entries.get(row?.id ?? 0);
    if (draft?.id === undefined || row === undefined) continue;
    const current = version.published === undefined ? undefined : entries.get(version.published.id);
    await restoreLostLinks(draft, current, version, context);
    const published = await publishVersion(
      { documentId: row.documentId, version, createdAt: row.createdAt ?? now, draft, current, now },
      context,
    );
    // Draft and published row get the same time, which means that the draft has no later change.
    const touched = { ...draft, values: new Map(), links: new Map(), components: new Map() };
    changes.push(differenceOf({ wanted: touched, current: draft, system: [moment('updated_at', now)] }, model));
    const written = { draft, named: nothing, published, formerlyPublished: current, version, existing: others, now };
    await keepLocalesInStep(written, context);
    if (version.published === undefined) firsts.push({ documentId: row.documentId, locale: version.locale, draft, published });
    shown ??= published;
  }
  const [waiting] = await allDone([
    allDone(firsts.map(({ documentId, locale }) => readWaitingRows({ type: context.type, documentId, locale }, context))),
    writeChanges(changes.flat(), context),
  ]);
  for (const [index, first] of firsts.entries()) followFirstPublication(first, waiting[index] ?? [], context);
  await restrictions.refuseOutside();
  return shown?.id;
}

export interface Publication {
  readonly documentId: string;
  readonly version: Version;
  /** `createdAt` of a row that is published for the first time. */
  readonly createdAt: number;
  readonly draft: Entry;
  /** The published entry before this write; undefined when there is none. */
  readonly current: Entry | undefined;
  readonly now: number;
}

/** Adds the changes of publishing one locale. Returns the published entry; a new one gets its id
 *  when the changes are written. Throws for a draft that does not fulfil the schema. */
export async function publishVersion(publication: Publication, context: WriteContext): Promise<Entry> {
  const { documentId, version, createdAt, draft, current, now } = publication;
  const { type, model, plan, targets, problems, changes, restrictions, turns, events, hasAwaitedLinks } = context;
  const { locale, published: row } = version;
  await readOtherVersions(draft, context);
  const own: TargetRow = { uid: type.uid, id: row?.id ?? 0, documentId, locale, published: true };
  // A document may link to itself: its published row exists when links are written.
  if (row === undefined && targets.knows(own.uid, documentId)) targets.add(own);
  const copy = await copyForPublication(draft, locale, context);
  await turns.next();
  checkPublished(copy, { rules: plan.rules, problems });
  await turns.next();
  await refuseTaken(withoutSame(copy, current), locale, row?.id, context);
  const wanted = current === undefined ? copy : keepingRows(copy, current);
  await turns.next();
  const times = [moment('updated_at', now), moment('published_at', now)];
  const system = row === undefined ? [...identityCells(documentId, locale, createdAt), ...times] : times;
  await restrictions.refuseOthers(wanted, current, documentId);
  changes.push(differenceOf({ wanted, current, system, asTarget: own }, model));
  if (hasAwaitedLinks) changes.push(awaitedChanges(wanted, current, model));
  await turns.next();
  restrictions.wrote(wanted, true);
  const isNew = row === undefined && version.draft === undefined;
  events.add(locale, { type: 'publish', status: 'published', isNew }, { wanted, current });
  return wanted;
}

/** An entry that awaits more links does not wait for those that publish their targets. */
const maxLocked = 100;

async function copyForPublication(draft: Entry, locale: string | null, context: WriteContext): Promise<Entry> {
  const { type, model, rows, targets, hasAwaitedLinks } = context;
  const copied = () => copiedFor(draft, linkSource(type, locale, 'published'), targets, isContent);
  const copy = copied();
  const awaited = hasAwaitedLinks ? withComponents(copy).flatMap((entry) => entry.awaited ?? []) : [];
  // PostgreSQL has a table of locks, which must not become full.
  if (awaited.length === 0 || awaited.length > maxLocked || rows.dialect.writesOneByOne) return copy;
  // Another transaction that publishes a target does not see these links yet: wait for it, then
  // look the target up again.
  rows.lock(
    awaited.flatMap(({ uid, documentId }) => {
      const target = model.contentTypes.get(uid);
      return target === undefined ? [] : documentLock(target, documentId);
    }),
  );
  for (const { uid, documentId } of awaited) targets.forget(uid, documentId);
  await readOtherVersions(draft, context);
  return copied();
}

/** Makes other documents' links to a published row, after it is written. */
export function followFirstPublication(first: FirstPublication, waiting: readonly WaitingRows[], context: WriteContext): void {
  const { documentId, locale, draft, published } = first;
  if (draft.id === undefined || published.id === undefined) return;
  followPublished({ type: context.type, documentId, locale, draftId: draft.id, publishedId: published.id }, waiting, context);
}

export interface FirstPublication {
  readonly documentId: string;
  readonly locale: string | null;
  readonly draft: Entry;
  readonly published: Entry;
}
