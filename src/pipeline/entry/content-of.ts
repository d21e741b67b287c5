/** The content of an entry as a body has it: what a write of it would store again. */
import { parse } from 'lossless-json';
import { jsonOf } from '../../model/attributes/attribute-types.ts';
import type { JsonObject } from '../../text/json.ts';
import { type Entry, isComponentsAttribute, isContent, isLinkAttribute, type Link } from './entry.ts';

/** Without passwords. Links have the documentId of their target, or the id where it has none:
 *  `{"title": "Fog", "tags": [{"documentId": "c1x…", "locale": "en"}], "seo": {"metaTitle": …}}` */
export function contentOf({ schema, values, links, components }: Entry): JsonObject {
  const content: [string, unknown][] = [];
  for (const attribute of schema.attributes.values()) {
    const { name } = attribute;
    if (!isContent(attribute)) continue;
    if (attribute.kind === 'scalar') {
      const value = values.get(name);
      if (value === undefined || attribute.type === 'password') continue;
      // JSON keeps the digits of its numbers.
      const read = attribute.type === 'json' ? parse : JSON.parse;
      content.push([name, value === null ? null : read(jsonOf(value, attribute.type))]);
    } else if (isLinkAttribute(attribute)) {
      content.push([name, (links.get(name) ?? []).map(targetOf)]);
    } else if (isComponentsAttribute(attribute)) {
      const owned = (components.get(name) ?? []).map(({ entry }) =>
        attribute.kind === 'dynamiczone' ? { __component: entry.schema.uid, ...contentOf(entry) } : contentOf(entry),
      );
      content.push([name, attribute.kind === 'component' && attribute.cardinality === 'one' ? (owned[0] ?? null) : owned]);
    }
  }
  return Object.fromEntries(content);
}

const targetOf = ({ row: { uid, id, documentId, locale } }: Link): JsonObject => ({
  uid,
  id,
  documentId,
  ...(locale === null ? {} : { locale }),
});
