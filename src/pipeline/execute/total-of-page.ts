import type { Bindings } from '../compile/types.ts';

/** Returns the total of a list whose page has so many rows. Undefined if no total was requested, or
 *  if it is not known and does not follow from the page, as more rows may come or the page is
 *  behind the end. A known total may be older than the page. */
export function totalOfPage(rows: number, pagination: Bindings['pagination'], known: number | undefined): number | undefined {
  if (pagination.kind === 'none' || !pagination.withCount) return undefined;
  const { limit, offset } = pagination;
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows;
  return known === undefined || rows === 0 ? known : Math.max(known, offset + rows);
}
