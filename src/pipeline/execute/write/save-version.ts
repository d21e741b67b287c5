/** The last step of creating and updating: writes the draft (or the only row), publishes it on
 *  request, and updates the other locales. */
import { allDone } from '../../../sql/all-done.ts';
import { merged } from '../../entry/copy-entry.ts';
import type { DocumentRow, Entry } from '../../entry/entry.ts';
import { isPublishing } from './apply-to-entry.ts';
import { refuseTaken } from './check/check-unique-values.ts';
import { differenceOf } from './difference/difference.ts';
import { followDraft, readWaitingRows } from './difference/follow-published.ts';
import { writeChanges } from './difference/write-changes.ts';
import { keepLocalesInStep } from './keep-locales-in-step.ts';
import { refuseMoreComponents } from './load/count-components.ts';
import { followFirstPublication, publishVersion } from './publish.ts';
import { identityCells, moment, momentOf, type Version } from './versions.ts';
import type { WriteContext } from './write-context.ts';

export interface ChangedVersion {
  readonly documentId: string;
  /** The written locale with its stored rows. */
  readonly version: Version;
  readonly changed: Entry;
  /** The attributes that the body names, and those whose default values it is completed with. */
  readonly named: ReadonlySet<string>;
  /** The stored draft, or the only row. */
  readonly current: Entry | undefined;
  readonly published: Entry | undefined;
  /** Every row of the document. */
  readonly existing: readonly DocumentRow[];
}

/** Returns the id of the row to be shown. */
export async function saveVersion(saved: ChangedVersion, context: WriteContext): Promise<number | undefined> {
  const { version, changed, named, current, published, existing } = saved;
  const { type, plan, changes, restrictions, turns, events } = context;
  const now = momentOf(existing, plan);
  const entry = current === undefined ? changed : merged(current, changed);
  await refuseMoreComponents({ entry, current, type, limit: plan.rules.components }, context.rows, context.model);
  await turns.next();
  if (!type.draftAndPublish) await refuseTaken(changed, version.locale, version.draft?.id, context);
  await restrictions.refuseOthers(changed, current, saved.documentId);
  changes.push(differenceOf({ wanted: changed, current, system: systemCells(saved, now, context) }, context.model));
  await turns.next();
  restrictions.wrote(changed, !type.draftAndPublish);
  const publication = isPublishing(context) ? await publishSaved(saved, entry, now, context) : undefined;
  if (publication === undefined) {
    const isNew = version.draft === undefined && version.published === undefined;
    const status = type.draftAndPublish ? 'draft' : 'published';
    events.add(version.locale, { type: isNew ? 'create' : 'update', status, isNew }, { wanted: changed, current });
  }
  const written = { draft: entry, named, published: publication, formerlyPublished: published, version, existing, now };
  await keepLocalesInStep(written, context);
  // No document links to a draft that did not exist before.
  const isFollowed = publication !== undefined && version.draft !== undefined && version.published === undefined;
  const located = { type, documentId: saved.documentId, locale: version.locale };
  const [waiting] = await allDone([isFollowed ? readWaitingRows(located, context) : [], writeChanges(changes.flat(), context)]);
  if (isFollowed) followFirstPublication({ ...located, draft: changed, published: publication }, waiting, context);
  if (version.published !== undefined && version.draft === undefined && changed.id !== undefined)
    followDraft({ ...located, draftId: changed.id, publishedId: version.published.id }, context);
  await restrictions.refuseOutside();
  return (publication ?? changed).id;
}

function systemCells({ documentId, version }: ChangedVersion, now: number, { type }: WriteContext) {
  const times = type.draftAndPublish ? [moment('updated_at', now)] : [moment('updated_at', now), moment('published_at', now)];
  return version.draft === undefined ? [...identityCells(documentId, version.locale, now), ...times] : times;
}

const publishSaved = ({ documentId, version, published }: ChangedVersion, entry: Entry, now: number, context: WriteContext) =>
  publishVersion({ documentId, version, createdAt: version.draft?.createdAt ?? now, draft: entry, current: published, now }, context);
