/** How bodies name documents and files. */

import type { Visible } from '../rights/visible.ts';
import type { Components } from './components.ts';
import { type JsonSchema, list, object, type Reference } from './document-parts.ts';

const key: JsonSchema = { type: ['string', 'integer'] };
const ids = { documentId: { type: 'string' }, id: { type: 'integer' }, locale: { type: ['string', 'null'] } };

export function linkSchemas(components: Components, visible: Visible) {
  const target = (): Reference =>
    components.schema('RelationTarget', () => ({
      description: 'A document: its documentId, or an object with the documentId. A number is the id of a row.',
      anyOf: [key, object(ids, [])],
    }));
  const connected = (): Reference =>
    components.schema('RelationConnection', () => ({
      description: 'A document to link, and where it goes among the linked ones; without a position it goes to the end.',
      anyOf: [key, object({ ...ids, position: components.schema('RelationPosition', () => position) }, [])],
    }));
  const file = (): Reference =>
    components.schema('FileReference', () => ({
      description: 'The id of a file, or an object with it.',
      anyOf: [key, object({ id: { type: 'integer' } })],
    }));
  return {
    /** A relation to one document. */
    target: (): Reference =>
      components.schema('RelationToOne', () => ({
        description: 'The document to link, or the changes of the link.',
        anyOf: [target(), { ...list(target()), maxItems: 1 }, operations(target(), connected())],
      })),
    /** A relation to many documents. */
    targets: (): Reference =>
      components.schema('RelationToMany', () => ({
        description: 'A list replaces all links. `connect` and `disconnect` change some, `set` replaces all.',
        anyOf: [list(target()), target(), operations(target(), connected())],
      })),
    /** A relation to documents of several types. */
    typedTargets: (): Reference =>
      components.schema('RelationToAnyType', () => {
        const types = { type: 'string', enum: visible.linkable().map(({ uid }) => uid) };
        const typed = components.schema('TypedRelationTarget', () => object({ __type: types, ...ids }, ['__type']));
        return { description: 'Each target names its type.', anyOf: [typed, list(typed), operations(typed, typed)] };
      }),
    file,
    files: (): Reference =>
      components.schema('FileReferences', () => ({
        description: 'Ids of files. A list replaces all.',
        anyOf: [list(file()), file(), operations(file(), file())],
      })),
  };
}

const oneOrMany = (item: JsonSchema): JsonSchema => ({ anyOf: [list(item), item] });

const operations = (target: JsonSchema, connected: JsonSchema): JsonSchema =>
  object({ connect: oneOrMany(connected), disconnect: oneOrMany(target), set: oneOrMany(target) }, []);

const position: JsonSchema = {
  ...object({ before: key, after: key, start: { const: true }, end: { const: true } }, []),
  description: 'One of the four. `before` and `after` name a document that is linked already, or by the same body.',
};
