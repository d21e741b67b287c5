/** `via` of `GET /api/articles/:documentId/related`: the relations whose shared links count. */
import { ApiError } from '../../errors/api-error.ts';
import { type ContentType, targetOf } from '../../model/content-model.ts';
import { linkingRelations } from '../../model/linking-relations.ts';
import type { ParseContext } from './context.ts';
import type { QueryValue } from './query-string.ts';
import type { Hop } from './types.ts';

/** `via=tags,category` gives both hops. There is no default: a relation that is added to the type
 *  must not change what is related. */
export function parseRelated(value: QueryValue | undefined, type: ContentType, context: ParseContext): readonly Hop[] {
  const known = new Set(context.known?.readable(type));
  const relations = linkingRelations(type).filter((attribute) => known.has(attribute));
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  const names = [...new Set(texts.flatMap((text) => (typeof text === 'string' ? text.split(',') : [''])).map((name) => name.trim()))];
  const hops = names.map((name): Hop | undefined => {
    const attribute = relations.find((each) => each.name === name);
    const target = attribute && targetOf(attribute, context.model);
    if (attribute === undefined || target === undefined) return undefined;
    context.spend('hops', 'via');
    return { attribute, target, path: name };
  });
  const found = hops.filter((hop) => hop !== undefined);
  if (found.length > 0 && found.length === hops.length) return found;
  throw ApiError.of('related.via', { expected: relations.map(({ name }) => name) });
}
