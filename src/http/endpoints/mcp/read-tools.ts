/** Tools that read: they answer as the routes of the API do. */
import qs from 'qs';
import { z } from 'zod';
import { ApiError } from '../../../errors/api-error.ts';
import type { ReadTarget } from '../../../pipeline/call.ts';
import type { Rights } from '../../../rights/rights.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import { jsonResponse } from '../../send-response.ts';
import { describeOne, listTypes } from '../me/describe-rights.ts';
import { describeLocales } from '../me/me-endpoint.ts';
import { common, type Tool, type ToolCall, type ToolParts, type ToolResponse, tool } from './tool.ts';

type Target = Extract<Route['serves'], { kind: 'content' }>['target'];

const reads = (rights: Rights, { routes }: ToolParts, targets: readonly Target[]): boolean =>
  routes.some(
    (route) =>
      route.serves.kind === 'content' &&
      targets.includes(route.serves.target) &&
      handlingOf(route) === 'served' &&
      rights.allows(route.action),
  );

const listType = z.strictObject({
  type: common.type,
  fields: common.fields,
  populate: common.populate,
  status: common.read,
  locale: common.locale,
  page: common.page,
  pageSize: common.pageSize,
});

const sort = z
  .union([z.string(), z.array(z.string())])
  .describe('Attributes to sort by: "title", "publishedAt:desc", or a list of these')
  .optional();

export const readTools: readonly Tool[] = [
  tool({
    name: 'list_types',
    title: 'List content types',
    description:
      'Lists the content types that you may use, with their labels and descriptions, what you may do with each of them (actions), and the locales of localized types. Call it first.',
    writes: false,
    input: z.strictObject({}),
    isOpen: () => true,
    async run(_, { actor }, parts) {
      const types = listTypes(parts, actor.rights);
      return jsonResponse({ types, locales: types.some(({ localized }) => localized) ? await describeLocales(parts.database) : [] });
    },
  }),
  tool({
    name: 'describe_type',
    title: 'Describe a content type',
    description:
      'Describes the attributes of a content type that you may read or write: their types, labels, descriptions and rules, and the components that they contain.',
    writes: false,
    input: z.strictObject({ type: common.type }),
    isOpen: () => true,
    run({ type }, { actor }, parts) {
      const described = describeOne(parts, actor.rights, type);
      if (described === undefined) throw ApiError.of('access.forbidden');
      return jsonResponse(described);
    },
  }),
  tool({
    name: 'find',
    title: 'Find documents',
    description:
      'Lists documents of a collection type, one page at a time; meta.pagination has the total. filters has operators such as {"title": {"$containsi": "bread"}} or {"$or": [{…}, {…}]}, also through relations: {"author": {"name": {"$eq": "Ida"}}}.',
    writes: false,
    input: listType.extend({
      filters: z.record(z.string(), z.unknown()).describe('Conditions, joined by and').optional(),
      sort,
    }),
    isOpen: (rights, parts) => reads(rights, parts, ['list']),
    run: ({ type, ...query }, call, parts) => read(type, 'list', query, call, parts),
  }),
  tool({
    name: 'find_one',
    title: 'Read one document',
    description: 'Reads one document by its documentId, or the document of a single type.',
    writes: false,
    input: z.strictObject({
      type: common.type,
      documentId: common.documentId,
      fields: common.fields,
      populate: common.populate,
      status: common.read,
      locale: common.locale,
    }),
    isOpen: (rights, parts) => reads(rights, parts, ['document', 'single']),
    run({ type, documentId, ...query }, call, parts) {
      const isSingle = parts.model.contentTypes.get(type)?.kind === 'singleType';
      return read(type, isSingle ? 'single' : 'document', query, call, parts, documentId);
    },
  }),
  tool({
    name: 'search',
    title: 'Search documents',
    description: 'Lists documents of a collection type that have a text in one of their text attributes, one page at a time.',
    writes: false,
    input: listType.extend({ query: z.string().min(1).describe('The text to look for') }),
    isOpen: (rights, parts) => reads(rights, parts, ['list']),
    run: ({ type, query: _q, ...query }, call, parts) => read(type, 'list', { ...query, _q }, call, parts),
  }),
];

interface Query extends Readonly<Record<string, unknown>> {
  readonly page?: number;
  readonly pageSize?: number;
}

function read(
  uid: string,
  target: Target,
  { page, pageSize, ...query }: Query,
  { actor, caller, dataVersion }: ToolCall,
  { routes, answer }: ToolParts,
  documentId?: string,
): Promise<ToolResponse> {
  const { rights } = actor;
  const right = `${uid}.${target === 'document' ? 'findOne' : 'find'}`;
  // An unknown type is a type without rights.
  if (!rights.allows(right)) throw ApiError.of('access.forbidden');
  const route = routes.find(({ serves }) => serves.kind === 'content' && serves.target === target && serves.type.uid === uid);
  if (route?.serves.kind !== 'content' || handlingOf(route) !== 'served') throw ApiError.of('document.not-found');
  const parameters = page === undefined ? query : { ...query, pagination: { page, pageSize } };
  return answer(
    {
      type: route.serves.type,
      target: targetOf(target, documentId),
      query: queryText(parameters),
      actor,
      restriction: rights.restriction(right),
      envelope: 'flat',
      dataVersion,
    },
    caller,
  );
}

function targetOf(target: Target, documentId: string | undefined): ReadTarget {
  if (target !== 'document') {
    if (documentId !== undefined) throw wrong('A single type has one document: leave out documentId');
    return { kind: target };
  }
  if (documentId === undefined) throw wrong('documentId is missing');
  if (documentId.includes('\0')) throw ApiError.of('path.malicious');
  return { kind: 'one', by: 'documentId', key: documentId };
}

function queryText(parameters: Readonly<Record<string, unknown>>): string {
  refuseUnwritable(parameters, []);
  return qs.stringify(parameters);
}

/** A query has no null and no empty list. Left out, an empty `$in` would match everything. */
function refuseUnwritable(value: unknown, path: readonly string[]): void {
  if (value === null) throw wrong(`${path.join('.')}: a query has no null; {"$null": true} finds empty attributes`);
  if (Array.isArray(value) && value.length === 0) throw wrong(`${path.join('.')}: the list is empty`);
  if (typeof value !== 'object') return;
  for (const [key, each] of Object.entries(value)) refuseUnwritable(each, [...path, key]);
}

const wrong = (problem: string) => ApiError.of('mcp.arguments', { problem });
