import { ApiError } from '../../errors/api-error.ts';
import type { ContentType } from '../../model/content-model.ts';
import { cursorKey, readCursor } from '../cursor-token.ts';
import type { ParseContext } from './context.ts';
import { isQueryObject, type QueryValue } from './query-string.ts';
import type { Cursor, SortTerm } from './types.ts';

/** Reads `pagination[after]` for a list in this order. `pagination`: values may be marked. */
export function parseCursor(
  pagination: QueryValue | undefined,
  sort: readonly SortTerm[],
  type: ContentType,
  context: ParseContext,
): Cursor {
  for (const term of sort) refuseUnordered(term);
  const key = cursorKey(context.config, [type.uid, ...sort.map((term) => `${pathOf(term)}:${term.direction}`)]);
  const marked = isQueryObject(pagination) ? pagination.after : undefined;
  if (marked === undefined) return { key, after: undefined };
  const place = typeof marked === 'string' ? readCursor(key, context.text(marked)) : undefined;
  if (place === undefined || typeof marked !== 'string') throw ApiError.of('cursor.value');
  const { values, id } = place;
  // A null is compared in another way.
  const placeLike = (text: string) => {
    const other = readCursor(key, text);
    return other?.values.every((value, at) => (value === null) === (values[at] === null)) ? other : undefined;
  };
  return {
    key,
    after: {
      id: context.parameterize(marked, id, { read: (text) => placeLike(text)?.id }),
      values: values.map((value, at) => {
        if (value === null) return null;
        // Each value is one more reading of the text.
        context.text(marked);
        return context.parameterize<string | number>(marked, value, { read: (text) => placeLike(text)?.values[at] ?? undefined });
      }),
    },
  };
}

/** An order for which no condition says what comes after a row, or only at the cost of all rows. */
function refuseUnordered(term: SortTerm): void {
  if (term.kind === 'rank') throw ApiError.of('cursor.sort', { path: pathOf(term) });
  const isJson = term.attribute.type === 'json' || term.attribute.type === 'blocks';
  if (isJson || term.hops.slice(1).some(({ attribute }) => attribute.cardinality === 'many'))
    throw ApiError.of('cursor.sort', { path: pathOf(term) });
}

const pathOf = (term: SortTerm): string =>
  term.kind === 'rank' ? '$rank' : [...term.hops.map((hop) => hop.attribute.name), term.attribute.name].join('.');
