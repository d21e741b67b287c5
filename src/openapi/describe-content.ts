/** The routes of content types. */
import type { ContentType } from '../model/content-model.ts';
import { linkingRelations } from '../model/linking-relations.ts';
import { lookupAttributes } from '../model/lookup-attributes.ts';
import type { WriteAction } from '../pipeline/call.ts';
import {
  headerParameter,
  type JsonSchema,
  jsonBody,
  jsonResponse,
  list,
  object,
  pathParameter,
  queryParameter,
  type Reference,
  type Response,
} from './document-parts.ts';
import { nameOf, pluralNameOf } from './names.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';

const tagOf = (type: ContentType) => ({
  name: nameOf(type),
  description: `${type.displayName}, a ${type.kind === 'singleType' ? 'single type' : 'collection type'}.`,
});

const documentId = pathParameter('documentId', 'Id of the document.');

const entityTag = {
  ETag: { description: 'Changes with the response. `If-None-Match` and `If-Match` take it.', schema: { type: 'string' } },
};

const ifNoneMatch = (components: Toolbox['components']): Reference =>
  components.parameter('IfNoneMatch', () =>
    headerParameter('If-None-Match', 'The `ETag` of an earlier response: 304 if it is still the same.'),
  );

const notModified: Response = { description: 'The response has not changed (`If-None-Match`).' };

export function describeRead(type: ContentType, target: 'list' | 'document' | 'single', tools: Toolbox): DescribedOperation {
  const { types, queries, components } = tools;
  const isList = target === 'list';
  const entry = types.shown(type);
  const schema = isList
    ? object({ data: list(entry), meta: object({ pagination: pagination(components) }) })
    : object({ data: entry, meta: { type: 'object' } });
  return {
    operationId: isList ? `list${pluralNameOf(type)}` : `get${nameOf(type)}`,
    tag: tagOf(type),
    summary: isList
      ? `List entries of ${type.displayName}`
      : `Read ${target === 'single' ? type.displayName : `an entry of ${type.displayName}`}`,
    parameters: [
      ...(target === 'document' ? [documentId] : []),
      ...(isList ? queries.ofList(type) : queries.ofRead(type)),
      ifNoneMatch(components),
    ],
    success: {
      200: { ...jsonResponse(isList ? 'A page of entries.' : 'The entry.', schema), headers: entityTag },
      304: notModified,
    },
    errors: 'Read',
  };
}

/** Undefined if the caller may see no relation to compare entries by. */
export function describeRelated(type: ContentType, tools: Toolbox): DescribedOperation | undefined {
  const seen = new Set(tools.visible.attributes(type));
  const names = linkingRelations(type).flatMap((attribute) => (seen.has(attribute) ? attribute.name : []));
  if (names.length === 0) return undefined;
  const read = describeRead(type, 'list', tools);
  const via = queryParameter('via', 'The relations whose shared links count.', list({ type: 'string', enum: names }), 'form');
  return {
    ...read,
    operationId: `listRelated${pluralNameOf(type)}`,
    summary: `List entries of ${type.displayName} that share links with this one, the most first`,
    parameters: [documentId, { ...via, required: true }, ...(read.parameters ?? [])],
  };
}

/** Undefined if the caller may see no attribute to look an entry up by. */
export function describeLookup(type: ContentType, tools: Toolbox): DescribedOperation | undefined {
  const fields = tools.rights.restriction(`${type.uid}.findOne`)?.fields;
  const names = lookupAttributes(type).flatMap(({ name }) => (fields?.has(name) === false ? [] : name));
  if (names.length === 0) return undefined;
  const read = describeRead(type, 'document', tools);
  return {
    ...read,
    operationId: `lookUp${nameOf(type)}`,
    summary: `Read the entry of ${type.displayName} with this unique value`,
    parameters: [
      pathParameter('attribute', 'A unique attribute.', { type: 'string', enum: names }),
      pathParameter('value', 'Its value.'),
      ...(read.parameters ?? []).filter((parameter) => parameter !== documentId),
    ],
  };
}

/** Undefined if the caller may not list the type. */
export function describeAggregate(type: ContentType, { queries, rights, components }: Toolbox): DescribedOperation | undefined {
  if (!rights.allows(`${type.uid}.find`)) return undefined;
  return {
    operationId: `aggregate${pluralNameOf(type)}`,
    tag: tagOf(type),
    summary: `Count the entries of ${type.displayName} in groups`,
    description: 'Of the entries that a list with the same conditions has.',
    parameters: queries.ofGroups(type),
    success: { 200: jsonResponse('The groups.', components.schema('Groups', groupsSchema)) },
    errors: 'Read',
  };
}

function groupsSchema(): JsonSchema {
  const values: JsonSchema = { type: 'object', description: 'By attribute; null without values.' };
  const key: JsonSchema = {
    type: 'object',
    description:
      'By attribute, of which a date may end in `:year`, `:month` or `:day`: a value, or the `documentId` and the title of a related entry; null without one that the caller may see.',
  };
  const group = object({ key, count: { type: 'integer' }, avg: values, sum: values, min: values, max: values }, ['key']);
  const meta = object({ limit: { type: 'integer' }, more: { type: 'boolean', description: 'Whether there are more groups.' } });
  return object({ data: list(group), meta });
}

const moment = { type: 'string', format: 'date-time' };
const text = { type: 'string' };

export const describeVersions = (type: ContentType, { components }: Toolbox): DescribedOperation =>
  aboutDocument(type, {
    operationId: `get${nameOf(type)}VersionsOfLocales`,
    summary: `Read in which locales an entry of ${type.displayName} is, and whether it is published there`,
    success: { 200: jsonResponse('The locales.', components.schema('VersionsOfLocales', versionsSchema)) },
  });

function versionsSchema(): JsonSchema {
  const times = object({ createdAt: moment, updatedAt: moment, publishedAt: moment }, []);
  const version = (description: string) => ({ anyOf: [times, { type: 'null' }], description });
  const inLocale = object({
    locale: { type: ['string', 'null'] },
    draft: version('Null without one, or without the right to read drafts.'),
    published: version('Null unless it is published.'),
    isModified: { type: ['boolean', 'null'], description: 'Whether the draft has changed since. Null without the right to read drafts.' },
  });
  return object({ data: list(inLocale) });
}

export const describeReferences = (type: ContentType, { components }: Toolbox): DescribedOperation =>
  aboutDocument(type, {
    operationId: `get${nameOf(type)}References`,
    summary: `Count the entries that link an entry of ${type.displayName}`,
    description: 'Not for visitors.',
    success: { 200: referencesResponse(components) },
  });

export const aboutDocument = (
  type: ContentType,
  rest: Pick<DescribedOperation, 'operationId' | 'summary' | 'description' | 'success'>,
): DescribedOperation => ({
  tag: tagOf(type),
  ...(type.kind === 'singleType' ? {} : { parameters: [documentId] }),
  errors: 'Read',
  ...rest,
});

export const referencesResponse = (components: Toolbox['components']): Response =>
  jsonResponse('The attributes with links.', components.schema('References', referencesSchema));

function referencesSchema(): JsonSchema {
  const path = { ...text, description: 'With the components on the way: `seo.image`.' };
  const reference = object({
    uid: text,
    attribute: path,
    count: { type: 'integer', description: 'Entries; each locale counts.' },
    status: { type: ['string', 'null'], enum: ['draft', 'published', null], description: 'The versions that were counted.' },
  });
  return object({ data: list(reference), meta: object({ notCounted: list(object({ uid: text, attribute: path })) }) });
}

export const pagination = (components: Toolbox['components']): Reference =>
  components.schema('Pagination', () => {
    const count = { type: 'integer', description: 'Left out with `pagination[withCount]=false`.' };
    const isEstimate = { type: 'boolean', description: 'True if `total` is an estimate.' };
    return {
      description: 'By page, by start and limit, or by cursor, as the request says.',
      anyOf: [
        object({ page: { type: 'number' }, pageSize: { type: 'integer' }, pageCount: count, total: count, isEstimate }, [
          'page',
          'pageSize',
        ]),
        object({ start: { type: 'number' }, limit: { type: 'integer' }, total: count, isEstimate }, ['start', 'limit']),
        object({
          limit: { type: 'integer' },
          next: { type: ['string', 'null'], description: 'For `pagination[after]`; null on the last page.' },
        }),
      ],
    };
  });

interface Wording {
  readonly verb: string;
  readonly summary: (name: string) => string;
}

const wording: Readonly<Record<WriteAction, Wording>> = {
  create: { verb: 'create', summary: (name) => `Create an entry of ${name}` },
  update: { verb: 'update', summary: (name) => `Replace an entry of ${name}` },
  delete: { verb: 'delete', summary: (name) => `Delete an entry of ${name} with all its versions` },
  publish: { verb: 'publish', summary: (name) => `Publish the draft of an entry of ${name}` },
  unpublish: { verb: 'unpublish', summary: (name) => `Remove the published version of an entry of ${name}` },
  discardDraft: { verb: 'discardDraftOf', summary: (name) => `Make the draft of an entry of ${name} equal to its published version` },
};

interface DescribedWrite {
  readonly type: ContentType;
  readonly action: WriteAction;
  readonly partial: boolean;
  /** The right that the route needs. */
  readonly right: string;
}

export function describeWrite({ type, action, partial, right }: DescribedWrite, tools: Toolbox): DescribedOperation {
  const { types, queries, config } = tools;
  const { policies } = config;
  const hasId = type.kind !== 'singleType' && action !== 'create';
  const isReplacement = action === 'update' && !partial && !policies.partialPut;
  const kind = action === 'create' ? 'Create' : isReplacement ? 'Replace' : 'Update';
  const hasBody = action === 'create' || action === 'update';
  const changesSome = action === 'update' && !isReplacement;
  const { verb, summary } = wording[action];
  const entry = jsonResponse('The entry.', object({ data: types.shown(type), meta: { type: 'object' } }));
  return {
    operationId: `${partial ? 'patch' : verb}${nameOf(type)}`,
    tag: tagOf(type),
    summary: changesSome ? `Change an entry of ${type.displayName}` : summary(type.displayName),
    ...(hasBody ? { description: bodyNote(type, isReplacement) } : {}),
    parameters: [
      ...(hasId ? [documentId] : []),
      ...(action === 'delete' ? queries.ofDocument(type).filter(isLocale) : queries.ofDocument(type)),
      headerOf(action, tools),
    ],
    ...(hasBody ? { body: jsonBody(object({ data: types.sent({ type, action: right, kind, withLocale: policies.localeInBody }) })) } : {}),
    success:
      action === 'delete'
        ? { 204: { description: 'The entry is deleted.' } }
        : { [action === 'create' ? 201 : 200]: { ...entry, headers: entityTag } },
    errors: 'Write',
  };
}

const isLocale = ({ $ref }: Reference) => $ref.endsWith('/Locale');

function bodyNote(type: ContentType, isReplacement: boolean): string {
  const notes = [
    isReplacement ? 'The body names every value (policies.partialPut); relations, media and components that it leaves out stay.' : '',
    type.draftAndPublish ? 'With `status=draft` only the draft is written; otherwise it is published as well.' : '',
  ];
  return notes.filter((note) => note !== '').join(' ') || 'The response is read like that of a GET.';
}

function headerOf(action: WriteAction, { components }: Toolbox): Reference {
  if (action !== 'create') {
    const condition = 'The `ETag` of an earlier response: 412 if the entry has changed since.';
    return components.parameter('IfMatch', () => headerParameter('If-Match', condition));
  }
  const key = 'A text of your own: a repeated request with it gets the first response again, and creates nothing.';
  const schema = { type: 'string', minLength: 1, maxLength: 255 };
  return components.parameter('IdempotencyKey', () => headerParameter('Idempotency-Key', key, schema));
}
