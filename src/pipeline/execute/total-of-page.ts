import type { Bindings } from '../compile/types.ts';

/** Returns the total of a list whose page has so many rows. Undefined if it does not
 *  follow from the page, because more rows may come or the page is behind the end, or
 *  if no total was requested. */
export function totalOfPage(rows: number, pagination: Bindings['pagination']): number | undefined {
  if (pagination.kind === 'none' || !pagination.withCount) return undefined;
  const { limit, offset } = pagination;
  return rows < limit && (rows > 0 || offset === 0) ? offset + rows : undefined;
}
