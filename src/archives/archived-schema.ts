/** Schemas in archives. */
import type { Attribute, Schema } from '../model/content-model.ts';

/** The line of a schema: the keys that Strapi compares, with attributes as in a schema file. */
export function archivedSchema(schema: Schema): object {
  const attributes = Object.fromEntries(
    [...schema.attributes.values()]
      .filter(({ name }) => name !== 'id' && name !== 'documentId')
      .map((attribute) => [attribute.name, describeAttribute(attribute)]),
  );
  const common = { collectionName: schema.table, uid: schema.uid, attributes };
  if (schema.kind === 'component') {
    return {
      ...common,
      info: { displayName: schema.displayName },
      options: {},
      modelType: 'component',
      modelName: schema.uid.split('.').at(-1),
    };
  }
  return {
    ...common,
    kind: schema.kind,
    info: { singularName: schema.singularName, pluralName: schema.pluralName, displayName: schema.displayName },
    options: { draftAndPublish: schema.draftAndPublish },
    pluginOptions: schema.localized ? { i18n: { localized: true } } : {},
    modelType: 'contentType',
    modelName: schema.singularName,
  };
}

export function describeAttribute(attribute: Attribute): object {
  switch (attribute.kind) {
    case 'scalar':
      return {
        ...attribute.options,
        type: attribute.type,
        ...(attribute.enumValues === undefined ? {} : { enum: attribute.enumValues }),
        ...(attribute.required ? { required: true } : {}),
        ...(attribute.private ? { private: true } : {}),
      };
    case 'relation': {
      const { relation, target, inversedBy, mappedBy } = attribute;
      return { type: 'relation', relation, target, inversedBy, mappedBy };
    }
    case 'media':
      return { type: 'media', multiple: attribute.cardinality === 'many', allowedTypes: attribute.allowedTypes };
    case 'component':
      return { type: 'component', component: attribute.component, repeatable: attribute.cardinality === 'many' };
    case 'dynamiczone':
      return { type: 'dynamiczone', components: attribute.components };
  }
}
