/** Finds rows of other documents that own an entry's changed links, or lose a target to it. */
import type { ContentModel, ContentType, LinkTable, Uid } from '../../../../model/content-model.ts';
import { ownedByTarget, takesOver } from '../../../../model/relation-sides.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { sql } from '../../../../sql/sql.ts';
import type { Entry, Link } from '../../../entry/entry.ts';
import type { CheckedRow, RestrictionChecks } from './check-restrictions.ts';

export interface OtherRows {
  readonly uid: Uid;
  readonly rows: readonly CheckedRow[];
}

export interface Written {
  readonly wanted: Entry;
  readonly current: Entry | undefined;
  readonly documentId: string;
}

interface OthersParts {
  readonly type: ContentType;
  readonly checks: RestrictionChecks;
  readonly rows: Rows;
  readonly model: ContentModel;
}

/** Leaves out rows of types without a restriction. */
export async function changedOthers(
  { wanted, current, documentId }: Written,
  { type, checks, rows, model }: OthersParts,
): Promise<OtherRows[]> {
  const changed: OtherRows[] = [];
  for (const [name, links] of wanted.links) {
    const attribute = type.attributes.get(name);
    if (attribute?.kind !== 'relation') continue;
    const { target, storage } = attribute;
    const { added, removed } = difference(links, current?.links.get(name) ?? []);
    if (target !== undefined && ownedByTarget(attribute, model) !== undefined) {
      const touched = [...added, ...removed].filter(({ row }) => row.id > 0);
      if (checks.restrictsOthers(target))
        changed.push({ uid: target, rows: touched.map(({ row }) => checked(row, model.contentTypes.get(target))) });
    } else if (takesOver(attribute) && storage.kind === 'linkTable' && checks.restrictsOthers(type.uid)) {
      const targets = added.map(({ row }) => row.id);
      changed.push({ uid: type.uid, rows: await holdersOf(targets, { documentId, type, link: storage }, rows) });
    }
  }
  return changed;
}

function difference(links: readonly Link[], before: readonly Link[]) {
  const among = (list: readonly Link[]) => new Set(list.map(({ row }) => row.id));
  const [wanted, had] = [among(links), among(before)];
  return { added: links.filter(({ row }) => !had.has(row.id)), removed: before.filter(({ row }) => !wanted.has(row.id)) };
}

const checked = ({ id, published }: { readonly id: number; readonly published: boolean }, type: ContentType | undefined): CheckedRow => ({
  id,
  published: published || type?.draftAndPublish !== true,
});

/** Returns the rows of other documents that link to any of the targets. */
async function holdersOf(
  targets: readonly number[],
  { documentId, type, link }: { readonly documentId: string; readonly type: ContentType; readonly link: LinkTable },
  rows: Rows,
): Promise<CheckedRow[]> {
  if (targets.length === 0) return [];
  const isTaken = sql.isOneOf(sql.id('l', link.targetColumn), targets, 'taken');
  const links = sql`${sql.id(link.table)} AS l ON ${sql.id('l', link.sourceColumn)} = s.id`;
  const found = await rows.run(
    sql`SELECT s.id, s.document_id, CASE WHEN s.published_at IS NULL THEN 0 ELSE 1 END FROM ${sql.id(type.table)} AS s JOIN ${links} WHERE ${isTaken}`,
  );
  return found
    .filter(([, holder]) => holder !== documentId)
    .map(([id, , published]) => checked({ id: Number(id), published: Number(published) === 1 }, type));
}
