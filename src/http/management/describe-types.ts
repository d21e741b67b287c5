/** The types and actions that rights can be granted for, so that a console can offer them. */
import type { Attribute, ContentModel, ContentType } from '../../model/content-model.ts';
import { grantableTypesOf } from '../../rights/grantable-actions.ts';

export function describeTypes(model: ContentModel) {
  const grantableTypes = [...grantableTypesOf(model).values()];
  return {
    types: grantableTypes.flatMap(({ type, actions }) => (type === undefined ? [] : [{ ...describeType(type), actions }])),
    controllers: grantableTypes.flatMap(({ key, type, actions }) => (type === undefined ? [{ key, actions }] : [])),
  };
}

const describeType = ({ uid, kind, singularName, pluralName, displayName, draftAndPublish, localized, attributes }: ContentType) => ({
  uid,
  kind,
  singularName,
  pluralName,
  displayName,
  draftAndPublish,
  localized,
  attributes: [...attributes.values()].map(describeAttribute),
});

function describeAttribute(attribute: Attribute) {
  const { name, required, private: isPrivate, writable, localized } = attribute;
  return { name, ...typeOf(attribute), required, private: isPrivate, writable, localized };
}

function typeOf(attribute: Attribute) {
  switch (attribute.kind) {
    case 'scalar':
      return { type: attribute.type, ...(attribute.enumValues === undefined ? {} : { enum: attribute.enumValues }) };
    case 'relation':
      return { type: 'relation', relation: attribute.relation, ...(attribute.target === undefined ? {} : { target: attribute.target }) };
    case 'media':
      return { type: 'media', multiple: attribute.cardinality === 'many' };
    case 'component':
      return { type: 'component', component: attribute.component, repeatable: attribute.cardinality === 'many' };
    case 'dynamiczone':
      return { type: 'dynamiczone', components: attribute.components };
    default:
      return attribute satisfies never;
  }
}
