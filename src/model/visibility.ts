import { attributeTypes } from './attributes/attribute-types.ts';
import { fileUid, localeUid, roleUid, userUid } from './built-in-types.ts';
import type { Attribute, Schema, Uid } from './content-model.ts';

/** Whether callers of the Content API can see an attribute, whatever their rights. The loader makes
 *  every password private. */
export const isVisible = (attribute: Attribute): boolean => !attribute.private;

/** How `_q` searches an attribute. */
export const searchOf = (attribute: Attribute) =>
  attribute.kind === 'scalar' && attribute.searchable && isVisible(attribute) ? attributeTypes[attribute.type].search : 'no';

const servedBuiltIns: ReadonlySet<Uid> = new Set([fileUid, userUid, roleUid, localeUid]);

/** Whether the Content API has endpoints for a type. Relations to other types are not followed:
 *  their rows, such as API tokens, are not content. */
export const isServed = (schema: Schema | undefined): boolean =>
  schema !== undefined && schema.kind !== 'component' && (schema.routed || servedBuiltIns.has(schema.uid));

/** Whether it is the inverse of a user's `role`, which Strapi removes from every response. */
export const listsUsersOfRole = (attribute: Attribute): boolean =>
  attribute.kind === 'relation' && attribute.target === userUid && attribute.mappedBy === 'role';
