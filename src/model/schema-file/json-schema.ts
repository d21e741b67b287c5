/** JSON Schemas of schema files (draft-07, for editors), from the definitions of the loader. */
import { type JsonObject, objectAt } from '../../text/json.ts';
import { relationKinds } from '../scalar-types.ts';
import { attributeDefinitions, attributeTypeNames } from './attribute-keys.ts';
import type { Key, KeySet } from './key.ts';
import type { SchemaFileKind } from './schema-file-kinds.ts';
import { componentKeys, contentTypeKeys } from './schema-keys.ts';

const files = {
  'content-type': {
    title: 'A content type',
    keys: contentTypeKeys,
    required: ['info', 'attributes'],
  },
  component: { title: 'A component', keys: componentKeys, required: ['collectionName', 'attributes'] },
} as const satisfies Record<SchemaFileKind, unknown>;

export function jsonSchemaOf(kind: SchemaFileKind): JsonObject {
  const { title, keys, required } = files[kind];
  const properties = { ...propertiesOf(keys), attributes: attributes(keys.attributes) };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    type: 'object',
    required,
    properties,
    additionalProperties: false,
    definitions: {
      attribute: attribute(),
      ...Object.fromEntries(attributeTypeNames.map((type) => [type, attributeOf(type)])),
    },
  };
}

/** As entries, since objects with a property `then` look like promises. */
function when(condition: JsonObject, schema: JsonObject): JsonObject {
  return Object.fromEntries([
    ['if', condition],
    ['then', schema],
  ]);
}

const attributes = ({ description }: Key): JsonObject => ({
  description,
  type: 'object',
  additionalProperties: { $ref: '#/definitions/attribute' },
});

/** An attribute of any type. Editors complete the keys of the branch that `type` chooses. */
const attribute = (): JsonObject => ({
  type: 'object',
  required: ['type'],
  properties: {
    type: {
      description: 'The type of the attribute.',
      enum: attributeTypeNames,
      enumDescriptions: Object.values(attributeDefinitions).map(({ description }) => description),
    },
  },
  allOf: attributeTypeNames.map((type) =>
    when({ required: ['type'], properties: { type: { const: type } } }, { $ref: `#/definitions/${type}` }),
  ),
});

function attributeOf(type: string): JsonObject {
  const { description, keys, required } = attributeDefinitions[type as keyof typeof attributeDefinitions];
  return {
    description,
    required,
    properties: { ...propertiesOf(keys), type: { const: type } },
    // A custom field has the keys of its base type as well, which the file does not name.
    additionalProperties: type === 'customField',
    ...(type === 'relation' ? targetOfRelation : {}),
  };
}

const withoutTarget = Object.keys(relationKinds).filter((kind) => kind.startsWith('morphTo'));
const targetOfRelation = when(
  { required: ['relation'], properties: { relation: { not: { enum: withoutTarget } } } },
  { required: ['target'] },
);

const propertiesOf = (keys: KeySet['keys']): JsonObject =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, propertyOf(key)]));

const innerOf = ({ keys, open }: KeySet): JsonObject => ({ properties: propertiesOf(keys), additionalProperties: open });

function propertyOf({ description, jsonSchema, inner, isList, strapiOnly }: Key): JsonObject {
  return {
    ...(description === '' ? {} : { description }),
    ...jsonSchema,
    ...(inner === undefined ? {} : isList ? { items: { ...objectAt(jsonSchema, 'items'), ...innerOf(inner) } } : innerOf(inner)),
    // A keyword of VS Code.
    ...(strapiOnly ? { doNotSuggest: true } : {}),
  };
}
