import type { Bindings } from '../compile/types.ts';

/** Returns the total of a list that ends with a page of so many rows; undefined if there may be more rows, if the page is behind the
 *  end, or if no total was asked for. */
export function totalOfPage(rows: number, pagination: Bindings['pagination']): number | undefined {
  if (pagination.kind === 'none' || !pagination.withCount) return undefined;
  const { limit, offset } = pagination;
  return rows < limit && (rows > 0 || offset === 0) ? offset + rows : undefined;
}
