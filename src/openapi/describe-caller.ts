/** Endpoints about the caller and its rights. */

import { schedulesSchema } from './describe-schedule.ts';
import { type JsonSchema, jsonBody, jsonResponse, list, object, pathParameter, queryParameter } from './document-parts.ts';
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
  counts: (): DescribedOperation => ({
    operationId: 'countDocuments',
    tag: caller,
    summary: 'Count the documents of the types that you may list',
    description: 'Not for visitors.',
    parameters: [
      queryParameter('locale', 'Of localized types, the locale; otherwise the default one.', text),
      queryParameter('types', 'Uids, separated by commas; otherwise all types. At most 100 are counted.', text),
    ],
    success: { 200: jsonResponse('By uid.', object({ data: { type: 'object', additionalProperties: countsSchema } })) },
    errors: 'Read',
  }),
  search: ({ config }: Toolbox): DescribedOperation => ({
    operationId: 'search',
    tag: { name: 'Search', description: 'Full-text search.' },
    summary: 'Search several types by words, the best entries first',
    description: `In ${Object.keys(config.search).join(', ')}, as far as you may find them.`,
    parameters: [
      queryParameter(
        'q',
        'Words, of which the last one may be the beginning of one, and phrases in double quotes. All of them have to be found.',
        text,
      ),
      queryParameter('types', 'Plural names or uids, separated by commas; otherwise all types.', text),
      queryParameter('locale', 'Of localized types, the locale, or `*` for all; otherwise the default one.', text),
      queryParameter('status', 'Which versions are searched.', { type: 'string', enum: ['draft', 'published'] }),
      queryParameter('pagination[page]', 'The page, from 1.', { type: 'integer', minimum: 1 }),
      queryParameter('pagination[pageSize]', 'Entries of a page.', { type: 'integer', minimum: 1, maximum: 100 }),
    ],
    success: { 200: jsonResponse('The entries by rank, and their number in each type.', searchSchema) },
    errors: 'Read',
  }),
  validate: (): DescribedOperation => ({
    operationId: 'validateDocument',
    tag: caller,
    summary: 'Find the problems of a body without writing it',
    description:
      'Needs the right that the write needs: to create, or with `documentId` to update. Not for visitors. Hooks of the project do not run.',
    parameters: [
      pathParameter('uid', 'The type, such as `api::article.article`.'),
      queryParameter('status', 'The version that the write would write.', { type: 'string', enum: ['draft', 'published'] }),
      queryParameter('locale', 'The locale that the write would write.', text),
    ],
    body: jsonBody(
      object({ data: { type: 'object' }, documentId: { ...text, description: 'Of the document that the body would change.' } }, ['data']),
    ),
    success: {
      200: jsonResponse(
        'The problems that the write would report.',
        object({
          data: object(
            {
              valid: flag,
              errors: list(object({ path: list(text), message: text, name: text })),
              more: { type: 'integer', description: 'The number of problems that are not listed.' },
            },
            ['valid', 'errors'],
          ),
        }),
      ),
    },
    errors: 'Write',
  }),
  batch: (): DescribedOperation => ({
    operationId: 'writeSeveral',
    tag: caller,
    summary: 'Make several writes in one transaction',
    description:
      'All operations are done, or none. Each needs the right that its own route needs. In relations and as `documentId`, `$0.documentId` is the document of the first operation. Not for visitors.',
    body: jsonBody(
      object(
        {
          operations: list(operationSchema),
          dryRun: {
            ...flag,
            description: 'Whether nothing is written: the response has what would be refused. Hooks of the project do not run.',
          },
        },
        ['operations'],
      ),
    ),
    success: {
      200: jsonResponse('For each operation its document, or in a dry run what would be refused.', {
        anyOf: [
          object({ data: list(object({ documentId: { ...nullableText, description: 'Null for single types.' } })), meta: object({}) }),
          object({ data: object({ valid: flag, errors: list(refusedOperation), more: { type: 'integer' } }, ['valid', 'errors']) }),
        ],
      }),
    },
    errors: 'Write',
  }),
  schedules: ({ components }: Toolbox): DescribedOperation => ({
    operationId: 'listSchedules',
    tag: caller,
    summary: 'List what is published and unpublished at a time, of the types that you may publish',
    description: 'Not for visitors, and without types of which you may publish only some documents.',
    parameters: [queryParameter('state', 'Otherwise `waiting`.', { type: 'string', enum: ['waiting', 'done', 'failed'] })],
    success: { 200: jsonResponse('At most 100.', components.schema('Schedules', schedulesSchema)) },
    errors: 'Read',
  }),
  beHere: (): DescribedOperation => ({
    operationId: 'editDocument',
    tag: caller,
    summary: 'Say that you edit a document, and read who else does',
    description: 'For users who may read and update the document; every 20 seconds. Who has not called for 45 seconds is gone.',
    parameters: editedDocument,
    body: jsonBody(object({ locale: nullableText, field: nullableText }, [])),
    success: { 200: jsonResponse('The others, the latest first.', object({ data: list(otherEditor) })) },
    errors: 'Write',
  }),
  leave: (): DescribedOperation => ({
    operationId: 'leaveDocument',
    tag: caller,
    summary: 'Say that you no longer edit a document',
    parameters: editedDocument,
    success: { 204: { description: 'Done.' } },
    errors: 'Write',
  }),
};

const number: JsonSchema = { type: ['integer', 'null'] };
const countsSchema: JsonSchema = object(
  {
    total: { ...number, description: 'Null if the database took too long.' },
    drafts: { ...number, description: 'Never published; only with the right to read drafts.' },
    modified: { ...number, description: 'Published, and changed since; only with the right to read drafts.' },
  },
  ['total'],
);

const operationSchema: JsonSchema = {
  ...object(
    {
      ...Object.fromEntries(
        ['create', 'update', 'connect', 'publish', 'unpublish', 'delete'].map((name) => [
          name,
          { ...text, description: 'The uid of the type.' },
        ]),
      ),
      documentId: text,
      data: { type: 'object' },
      status: { type: 'string', enum: ['draft', 'published'] },
      locale: text,
      ifMatch: { ...text, description: 'The entity tag that the document must have.' },
    },
    [],
  ),
  description: 'Exactly one of the keys `create`, `update`, `connect`, `publish`, `unpublish` and `delete`.',
};

const refusedOperation = object({
  operation: { type: 'integer' },
  status: { type: 'integer' },
  code: text,
  path: list(text),
  message: text,
  name: text,
});

const searchSchema: JsonSchema = object({
  data: list(
    object(
      {
        type: { ...text, description: 'The uid.' },
        documentId: text,
        locale: nullableText,
        title: nullableText,
        rank: { type: 'integer' },
        highlights: {
          type: 'object',
          description: 'By attribute, excerpts as HTML, in which `<mark>` surrounds what was searched.',
          additionalProperties: list(text),
        },
      },
      ['type', 'documentId', 'locale', 'rank', 'highlights'],
    ),
  ),
  meta: object({
    pagination: object({
      page: { type: 'integer' },
      pageSize: { type: 'integer' },
      pageCount: { type: 'integer' },
      total: { type: 'integer' },
    }),
    types: { type: 'object', description: 'The number of entries by uid.', additionalProperties: { type: 'integer' } },
  }),
});

const editedDocument = [pathParameter('uid', 'The type, such as `api::article.article`.'), pathParameter('documentId', 'Of the document.')];

const otherEditor = object({
  user: object({ id: { type: 'integer' }, username: text }),
  locale: nullableText,
  field: nullableText,
  seenAt: { type: 'string', format: 'date-time' },
});

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
    Object.fromEntries(
      ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish', 'aggregate'].map((name) => [name, action]),
    ),
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
    hasHistory: flag,
    hasSchedule: flag,
    hasSearch: flag,
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
