/** Computes the position of a copied link in the list of the other side. A link between two others gets a number between theirs, so that no other
 *  row has to change. */
import type { Dialect } from '../../../../dialects/dialect.ts';
import type { Schema } from '../../../../model/content-model.ts';
import type { Rows } from '../../../../sql/rows.ts';

/** The lists in a link table: links with the same value of `ofColumn` are one list, sorted by `orderColumn`. Each leads to the row in `toColumn`. */
export interface LinkList {
  readonly table: string;
  readonly ofColumn: string;
  readonly orderColumn: string;
  readonly toColumn: string;
  /** The types of the rows in `ofColumn` and `toColumn`; both have drafts. */
  readonly of: Schema;
  readonly to: Schema;
}

/** Returns SQL for the position before which a copy of the link `original` belongs: the least position, in the list of the other version, of the links
 *  that follow `original` in its own list. So copies have the order of the original list. */
export function firstFollowing({ table, ofColumn, orderColumn, toColumn, of, to }: LinkList, { quote }: Dialect): string {
  const links = quote(table);
  const [list, order, end] = [quote(ofColumn), quote(orderColumn), quote(toColumn)];
  return (
    `SELECT MIN(copy.${order}) FROM ${links} AS follower ` +
    `JOIN ${quote(to.table)} AS end_row ON end_row.id = follower.${end} ` +
    `JOIN ${quote(to.table)} AS other_end ON ${otherVersion('other_end', 'end_row')} ` +
    `JOIN ${links} AS copy ON copy.${end} = other_end.id ` +
    `JOIN ${quote(of.table)} AS list_row ON list_row.id = original.${list} ` +
    `JOIN ${quote(of.table)} AS other_list ON other_list.id = copy.${list} AND ${otherVersion('other_list', 'list_row')} ` +
    `WHERE follower.${list} = original.${list} AND follower.${order} > original.${order}`
  );
}

/** Returns SQL for the greatest position below `position` in the list of the row `of`. */
export const lastBefore = ({ table, ofColumn, orderColumn }: LinkList, { quote }: Dialect, of: string, position: string): string =>
  `SELECT MAX(earlier.${quote(orderColumn)}) FROM ${quote(table)} AS earlier WHERE earlier.${quote(ofColumn)} = ${of} AND earlier.${quote(orderColumn)} < ${position}`;

/** Returns SQL that is true if two rows are the draft and the published row of one document in one locale. */
const otherVersion = (a: string, b: string): string =>
  `${a}.document_id = ${b}.document_id AND (${a}.locale = ${b}.locale OR (${a}.locale IS NULL AND ${b}.locale IS NULL)) ` +
  `AND (${a}.published_at IS NULL) <> (${b}.published_at IS NULL)`;

/** A link that is copied, by its id and its position. */
export interface Copied {
  readonly original: number;
  readonly order: number;
}

/** Returns the positions of copies, by the ids of the originals. Copies that come at the end of their lists are left out. */
export async function positionsOfCopies(copies: readonly Copied[], list: LinkList, rows: Rows): Promise<ReadonlyMap<number, number>> {
  const { dialect } = rows;
  const { quote } = dialect;
  const wanted = dialect.idList(dialect.placeholder(1), 'wanted');
  const of = quote(list.of.table);
  const otherList = `SELECT b.id FROM ${of} AS a JOIN ${of} AS b ON ${otherVersion('b', 'a')} WHERE a.id = original.${quote(list.ofColumn)}`;
  const found = await rows.query(
    `SELECT placed.id, placed.list, placed.following, (${lastBefore(list, dialect, 'placed.list', 'placed.following')}) FROM (` +
      `SELECT original.id, (${otherList}) AS list, (${firstFollowing(list, dialect)}) AS following ` +
      `FROM ${wanted} ${dialect.orderedJoin} ${quote(list.table)} AS original ON original.id = wanted.value) AS placed WHERE placed.following IS NOT NULL`,
    [dialect.bindIds(copies.map(({ original }) => original))],
  );
  const orders = new Map(copies.map(({ original, order }) => [original, order]));
  const gaps = new Map<string, { readonly start: number; readonly end: number; readonly originals: number[] }>();
  for (const [id, listId, following, before] of found) {
    const end = Number(following);
    const start = before === null || before === undefined ? end - 1 : Number(before);
    const key = `${listId} ${end}`;
    const gap = gaps.get(key) ?? { start, end, originals: [] };
    gap.originals.push(Number(id));
    gaps.set(key, gap);
  }
  const positions = new Map<number, number>();
  for (const { start, end, originals } of gaps.values()) {
    originals.sort((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0));
    for (const [index, id] of originals.entries()) positions.set(id, start + ((end - start) * (index + 1)) / (originals.length + 1));
  }
  return positions;
}
