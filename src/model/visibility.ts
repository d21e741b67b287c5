import { attributeTypes } from './attributes/attribute-types.ts';
import { fileUid, localeUid, roleUid, userUid } from './built-in-types.ts';
import type { Attribute, Schema, Uid } from './content-model.ts';

/** Whether an attribute exists for callers of the Content API, of whatever right. The loader makes every password private. */
export const isVisible = (attribute: Attribute): boolean => !attribute.private;

/** What `_q` looks into for an attribute. */
export const searchOf = (attribute: Attribute) =>
  attribute.kind === 'scalar' && attribute.searchable && isVisible(attribute) ? attributeTypes[attribute.type].search : 'no';

const servedBuiltIns: ReadonlySet<Uid> = new Set([fileUid, userUid, roleUid, localeUid]);

/** Whether the Content API has endpoints for a type. A relation of any type must lead to no other: rows of the rest, API tokens among them, are
 *  nobody's content. */
export const isServed = (schema: Schema | undefined): boolean =>
  schema !== undefined && schema.kind !== 'component' && (schema.routed || servedBuiltIns.has(schema.uid));

/** The other side of `role` of users. Strapi takes it out of every answer, whatever the rights. */
export const listsUsersOfRole = (attribute: Attribute): boolean =>
  attribute.kind === 'relation' && attribute.target === userUid && attribute.mappedBy === 'role';
