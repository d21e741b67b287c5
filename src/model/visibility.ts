import { attributeTypes } from './attributes/attribute-types.ts';
import type { Attribute } from './content-model.ts';

/** Whether an attribute exists for callers of the Content API, of whatever right. The loader makes every password private. */
export const isVisible = (attribute: Attribute): boolean => !attribute.private;

/** What `_q` looks into for an attribute. */
export const searchOf = (attribute: Attribute) =>
  attribute.kind === 'scalar' && attribute.searchable && isVisible(attribute) ? attributeTypes[attribute.type].search : 'no';
