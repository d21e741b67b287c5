/** Computes the position of a copied link in the list of the other side. A link between two others
 *  gets a number between theirs, so that no other row has to change. */

import { grouped } from '../../../../collections.ts';
import type { Schema } from '../../../../model/content-model.ts';
import { orderedJoin, type Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { numberOrNull } from '../load/target-rows.ts';

/** The lists in a link table: links with the same `ofColumn` are one list, sorted by `orderColumn`.
 *  Each leads to the row in `toColumn`. */
export interface LinkList {
  readonly table: string;
  readonly ofColumn: string;
  readonly orderColumn: string;
  readonly toColumn: string;
  /** The types of the rows in `ofColumn` and `toColumn`; both have drafts. */
  readonly of: Schema;
  readonly to: Schema;
}

/** Returns SQL for the position before which a copy of the link `original` belongs: the least
 *  position, in the list of the other version, of the links that follow `original` in its own list.
 *  So copies have the order of the original list. */
export function firstFollowing({ table, ofColumn, orderColumn, toColumn, of, to }: LinkList): Sql {
  const links = sql.id(table);
  const list = (alias: string) => sql.id(alias, ofColumn);
  const order = (alias: string) => sql.id(alias, orderColumn);
  const end = (alias: string) => sql.id(alias, toColumn);
  const joins = [
    sql`${sql.id(to.table)} AS end_row ON end_row.id = ${end('follower')}`,
    sql`${sql.id(to.table)} AS other_end ON ${otherVersion('other_end', 'end_row')}`,
    sql`${links} AS copy ON ${end('copy')} = other_end.id`,
    sql`${sql.id(of.table)} AS list_row ON list_row.id = ${list('original')}`,
    sql`${sql.id(of.table)} AS other_list ON other_list.id = ${list('copy')} AND ${otherVersion('other_list', 'list_row')}`,
  ].map((join) => sql` JOIN ${join}`);
  const follows = sql`${list('follower')} = ${list('original')} AND ${order('follower')} > ${order('original')}`;
  return sql`SELECT MIN(${order('copy')}) FROM ${links} AS follower${sql.join(joins, '')} WHERE ${follows}`;
}

/** Returns SQL for the greatest position below `position` in the list of the row `of`. */
export function lastBefore({ table, ofColumn, orderColumn }: LinkList, of: Sql, position: Sql): Sql {
  const order = sql.id('earlier', orderColumn);
  return sql`SELECT MAX(${order}) FROM ${sql.id(table)} AS earlier WHERE ${sql.id('earlier', ofColumn)} = ${of} AND ${order} < ${position}`;
}

/** Returns SQL that is true if two rows are the draft and the published row of one document in one
 *  locale. */
const otherVersion = (a: string, b: string): Sql =>
  sql.raw(
    `${a}.document_id = ${b}.document_id AND (${a}.locale = ${b}.locale OR (${a}.locale IS NULL AND ${b}.locale IS NULL)) ` +
      `AND (${a}.published_at IS NULL) <> (${b}.published_at IS NULL)`,
  );

/** A link that is copied, by its id and its position. */
export interface Copied {
  readonly original: number;
  readonly order: number;
}

/** The positions of copies, by the originals' ids, without copies at the end of their lists. */
export async function positionsOfCopies(copies: readonly Copied[], list: LinkList, rows: Rows): Promise<ReadonlyMap<number, number>> {
  const of = sql.id(list.of.table);
  const otherList = sql`SELECT b.id FROM ${of} AS a JOIN ${of} AS b ON ${otherVersion('b', 'a')} WHERE a.id = ${sql.id('original', list.ofColumn)}`;
  const originals = copies.map(({ original }) => original);
  const links = sql`${sql.ids(originals, 'wanted')} ${orderedJoin} ${sql.id(list.table)} AS original ON original.id = wanted.value`;
  const placed = sql`SELECT original.id, (${otherList}) AS list, (${firstFollowing(list)}) AS following FROM ${links}`;
  const found = await rows.run(
    sql`SELECT placed.id, placed.list, placed.following, (${lastBefore(list, sql`placed.list`, sql`placed.following`)}) FROM (${placed}) AS placed WHERE placed.following IS NOT NULL`,
  );
  const orders = new Map(copies.map(({ original, order }) => [original, order]));
  const gaps = grouped(found, ([, listId, following]) => `${listId} ${Number(following)}`);
  const positions = new Map<number, number>();
  for (const gap of gaps.values()) {
    const end = Number(gap[0]?.[2]);
    const start = numberOrNull(gap[0]?.[3]) ?? end - 1;
    const inOrder = gap.map(([id]) => Number(id)).sort((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0));
    for (const [index, id] of inOrder.entries()) positions.set(id, start + ((end - start) * (index + 1)) / (gap.length + 1));
  }
  return positions;
}
