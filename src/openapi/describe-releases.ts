/** Releases: documents that are published together. */
import { type JsonSchema, jsonBody, jsonResponse, list, object, pathParameter, queryParameter } from './document-parts.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const tag = { name: 'Releases', description: 'Documents that are published and unpublished together.' };

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const nullableText: JsonSchema = { type: ['string', 'null'] };
const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
const who = object({ kind: text, id: { type: ['integer', 'null'] } });

const actions = { publish: { ...text, description: 'The uid of the type.' }, unpublish: { ...text, description: 'The uid of the type.' } };
const sentEntries = list({
  ...object({ ...actions, documentId: text, locale: text }, []),
  description: 'Exactly one of the keys `publish` and `unpublish`.',
});

const head = {
  id: integer,
  name: text,
  publishAt: time,
  state: { type: 'string', enum: ['open', 'waiting', 'done', 'failed'] },
  by: who,
  scheduledBy: { ...who, description: 'Who has set the time, and whose rights count then.' },
};
const headKeys = ['id', 'name', 'publishAt', 'state', 'by'];

const entrySchema = object(
  {
    id: integer,
    ...actions,
    documentId: { ...nullableText, description: 'Null for single types.' },
    locale: nullableText,
    status: { type: 'string', enum: ['draft', 'modified', 'published', 'missing'] },
  },
  ['id', 'documentId', 'locale', 'status'],
);

const releaseSchema = (): JsonSchema =>
  object({ ...head, problem: { ...text, description: 'Why it failed.' }, entries: list(entrySchema) }, [...headKeys, 'entries']);

const problem = object({ entry: integer, id: integer, status: integer, code: text, path: list(text), message: text, name: text });
const id = pathParameter('id', 'Of the release.', integer);

const oneRelease = (description: string, { components }: Toolbox) =>
  jsonResponse(description, object({ data: components.schema('Release', releaseSchema) }));

export const releaseDescriptions = {
  releases: (): DescribedOperation => ({
    operationId: 'listReleases',
    tag,
    summary: 'List the releases that you made, and those of which you may publish all entries',
    description: 'Not for visitors.',
    parameters: [
      queryParameter('state', 'Otherwise all.', head.state),
      queryParameter('pagination[page]', 'The page, from 1.', { type: 'integer', minimum: 1 }),
      queryParameter('pagination[pageSize]', 'Releases of a page.', { type: 'integer', minimum: 1, maximum: 100 }),
    ],
    success: {
      200: jsonResponse(
        'The newest first, without their entries.',
        object({
          data: list(object(head, headKeys)),
          meta: object({ pagination: object({ page: integer, pageSize: integer, pageCount: integer, total: integer }) }),
        }),
      ),
    },
    errors: 'Read',
  }),
  createRelease: (tools: Toolbox): DescribedOperation => ({
    operationId: 'createRelease',
    tag,
    summary: 'Make a release',
    description: 'Of documents that you may publish. With `publishAt`, it is published then, with the rights that you have then.',
    body: jsonBody(object({ name: text, publishAt: time, entries: sentEntries }, ['name'])),
    success: { 201: oneRelease('The release.', tools) },
    errors: 'Write',
  }),
  release: (tools: Toolbox): DescribedOperation => ({
    operationId: 'getRelease',
    tag,
    summary: 'Read a release with the entries that you may publish',
    description: 'Not for visitors.',
    parameters: [id],
    success: { 200: oneRelease('The release.', tools) },
    errors: 'Read',
  }),
  changeRelease: (tools: Toolbox): DescribedOperation => ({
    operationId: 'changeRelease',
    tag,
    summary: 'Change the name, the time and the entries of a release',
    description: 'Null as `publishAt` cancels the time. Not for visitors.',
    parameters: [id],
    body: jsonBody(
      object({ name: text, publishAt: time, add: sentEntries, remove: { ...list(integer), description: 'The ids of entries.' } }, []),
    ),
    success: { 200: oneRelease('The release as it is now.', tools) },
    errors: 'Write',
  }),
  deleteRelease: (): DescribedOperation => ({
    operationId: 'deleteRelease',
    tag,
    summary: 'Delete a release',
    description: 'Its documents stay as they are. Not for visitors.',
    parameters: [id],
    success: { 204: { description: 'Done.' } },
    errors: 'Write',
  }),
  publishRelease: (tools: Toolbox): DescribedOperation => ({
    operationId: 'publishRelease',
    tag,
    summary: 'Publish a release: all entries, or none',
    description: 'Not for visitors.',
    parameters: [id],
    body: jsonBody(
      object({ dryRun: { type: 'boolean', description: 'Whether nothing is written: the response has what would be refused.' } }, []),
      false,
    ),
    success: {
      200: jsonResponse('The release, or in a dry run what would be refused.', {
        anyOf: [
          object({ data: tools.components.schema('Release', releaseSchema) }),
          object({ data: object({ valid: { type: 'boolean' }, errors: list(problem), more: integer }, ['valid', 'errors']) }),
        ],
      }),
    },
    errors: 'Write',
  }),
};
