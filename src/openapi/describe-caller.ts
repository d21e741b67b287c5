/** Endpoints about the caller and its rights. */
import { type JsonSchema, jsonResponse, list, object } from './document-parts.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const caller = { name: 'Caller', description: 'Who calls, and what that caller may do.' };

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const nullableText: JsonSchema = { type: ['string', 'null'] };

export const callerDescriptions = {
  me: ({ components }: Toolbox): DescribedOperation => ({
    operationId: 'getOwnRights',
    tag: caller,
    summary: 'Read who you are, and what you may do',
    description: 'Every caller may ask. Types, attributes and components are those that the caller may read or write.',
    success: {
      200: jsonResponse(
        'The caller, with the rights.',
        components.schema('Me', () => meSchema()),
      ),
    },
    errors: 'Read',
  }),
};

function meSchema(): JsonSchema {
  const group = object({ name: text, label: text });
  const attribute: JsonSchema = {
    ...object({
      name: text,
      type: text,
      label: text,
      canRead: flag,
      canCreate: flag,
      canUpdate: flag,
      required: flag,
      unique: flag,
      localized: flag,
      hasColumn: flag,
      isSystem: flag,
    }),
    description: 'With the rules of the schema file that its type has, such as `maxLength`, `enum`, `target`, `component`.',
  };
  const schema = { uid: text, label: text, attributes: list(attribute), groups: list(group) };
  const optional = { description: text, title: { ...text, description: 'The attribute that stands for a document.' } };
  const action = object({ isRestricted: { ...flag, description: 'Whether only to some documents.' } });
  const actions = object(
    Object.fromEntries(['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'].map((name) => [name, action])),
    [],
  );
  const type = {
    ...schema,
    kind: { type: 'string', enum: ['collectionType', 'singleType'] },
    path: text,
    singularName: text,
    pluralName: text,
    draftAndPublish: flag,
    localized: flag,
    actions,
  };
  const required = {
    kind: { type: 'string', enum: ['public', 'user', 'api-token'] },
    prefix: text,
    types: list(object({ ...type, ...optional }, Object.keys(type))),
    components: { type: 'object', additionalProperties: object({ ...schema, ...optional }, Object.keys(schema)) },
    locales: list(object({ code: text, name: text, isDefault: flag })),
    actions: list(text),
  };
  const user = object({ id: { type: 'integer' }, documentId: text, username: nullableText, email: nullableText });
  const role = object({ id: { type: 'integer' }, name: text, type: text });
  return object({ ...required, user, role }, Object.keys(required));
}
