/** How bodies name documents and files. */
import type { Components } from './components.ts';
import type { JsonSchema, Reference } from './document-types.ts';
import type { Visible } from './visible.ts';

const key: JsonSchema = { type: ['string', 'integer'] };

export function linkSchemas(components: Components, visible: Visible) {
  const target = (): Reference =>
    components.schema('RelationTarget', () => ({
      description: 'A document: its documentId, or an object with the documentId. A number is the id of a row.',
      anyOf: [
        key,
        {
          type: 'object',
          properties: { documentId: { type: 'string' }, id: { type: 'integer' }, locale: { type: ['string', 'null'] } },
        },
      ],
    }));
  const connected = (): Reference =>
    components.schema('RelationConnection', () => ({
      description: 'A document to link, and where it goes among the linked ones; without a position it goes to the end.',
      anyOf: [
        key,
        {
          type: 'object',
          properties: {
            documentId: { type: 'string' },
            id: { type: 'integer' },
            locale: { type: ['string', 'null'] },
            position: { $ref: components.schema('RelationPosition', position).$ref },
          },
        },
      ],
    }));
  return {
    /** A relation to one document. */
    target: (): Reference =>
      components.schema('RelationToOne', () => ({
        description: 'The document to link, or the changes of the link.',
        anyOf: [target(), { type: 'array', items: target(), maxItems: 1 }, operations(target(), connected())],
      })),
    /** A relation to many documents. */
    targets: (): Reference =>
      components.schema('RelationToMany', () => ({
        description: 'A list replaces all links. `connect` and `disconnect` change some, `set` replaces all.',
        anyOf: [{ type: 'array', items: target() }, target(), operations(target(), connected())],
      })),
    /** A relation to documents of several types. */
    typedTargets: (): Reference =>
      components.schema('RelationToAnyType', () => {
        const typed = components.schema('TypedRelationTarget', () => ({
          type: 'object',
          properties: {
            __type: { type: 'string', enum: visible.linkable().map(({ uid }) => uid) },
            documentId: { type: 'string' },
            id: { type: 'integer' },
            locale: { type: ['string', 'null'] },
          },
          required: ['__type'],
        }));
        return {
          description: 'Each target names its type.',
          anyOf: [typed, { type: 'array', items: typed }, operations(typed, typed)],
        };
      }),
    file: (): Reference =>
      components.schema('FileReference', () => ({
        description: 'The id of a file, or an object with it.',
        anyOf: [key, { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }],
      })),
    files: (): Reference =>
      components.schema('FileReferences', () => {
        const file = linkSchemas(components, visible).file();
        return {
          description: 'Ids of files. A list replaces all.',
          anyOf: [{ type: 'array', items: file }, file, operations(file, file)],
        };
      }),
  };
}

const list = (item: JsonSchema): JsonSchema => ({ anyOf: [{ type: 'array', items: item }, item] });

const operations = (target: JsonSchema, connected: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { connect: list(connected), disconnect: list(target), set: list(target) },
});

const position = (): JsonSchema => ({
  type: 'object',
  description: 'One of the four. `before` and `after` name a document that is linked already, or by the same body.',
  properties: { before: key, after: key, start: { const: true }, end: { const: true } },
});
