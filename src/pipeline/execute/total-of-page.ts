import type { Bindings } from '../compile/types.ts';

/** Returns the total of a list whose page has so many rows. Undefined if it neither follows from the
 *  page, because more rows may come or the page is behind the end, nor is known, or if no total was
 *  requested. A known total may be older than the page. */
export function totalOfPage(rows: number, pagination: Bindings['pagination'], known: number | undefined): number | undefined {
  if (pagination.kind === 'none' || !pagination.withCount) return undefined;
  const { limit, offset } = pagination;
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows;
  return known === undefined || rows === 0 ? known : Math.max(known, offset + rows);
}
