import { type DescribedType, pathNameOf } from '../server/me.ts';
import { hrefOf, place } from '../shell/location.ts';
import { keptViews } from './kept.ts';

/** From a form back to the list that it was opened from: with the filters, the order and the page. */
export function listHref(type: DescribedType): string {
  const { list } = place.value;
  const path = ['content', pathNameOf(type)];
  // Without a query, the list would show the view that it is opened with.
  const isWhole = list === '' && keptViews(type.uid).some(({ isDefault }) => isDefault);
  return hrefOf(path, isWhole ? { page: '1' } : new URLSearchParams(list));
}
