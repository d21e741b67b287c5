/** The OpenAPI document of a project: the routes that a caller may use. */
import type { Config } from '../config/config.ts';
import { type EndpointName, handlingOf, type Route } from '../http/routes/routes.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Rights } from '../rights/rights.ts';
import { unusedName } from './components.ts';
import { accountDescriptions } from './describe-accounts.ts';
import { describeBulk } from './describe-bulk.ts';
import { callerDescriptions } from './describe-caller.ts';
import { describeCode } from './describe-code.ts';
import {
  describeAggregate,
  describeLookup,
  describeRead,
  describeReferences,
  describeRelated,
  describeVersions,
  describeWrite,
} from './describe-content.ts';
import { fileDescriptions } from './describe-files.ts';
import { describeHistory } from './describe-history.ts';
import { releaseDescriptions } from './describe-releases.ts';
import { describeSchedule } from './describe-schedule.ts';
import type { OpenApiDocument, Operation, SecurityRequirement, Tag } from './document-parts.ts';
import { createToolbox, type DescribedOperation, type Toolbox } from './operations.ts';

export interface DocumentParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly rights: Rights;
  /** Whether the caller has no credentials, so that its rights need none. */
  readonly isPublic: boolean;
}

type DescribeEndpoint = (tools: Toolbox) => DescribedOperation | undefined;

/** A record, so that an endpoint that nobody describes does not compile. */
const endpoints: Readonly<Record<EndpointName, DescribeEndpoint>> = {
  ...accountDescriptions,
  ...fileDescriptions,
  ...callerDescriptions,
  ...releaseDescriptions,
  // This document.
  openapi: () => undefined,
  // Another protocol, which describes itself.
  mcp: () => undefined,
};

/** Endpoints that respond with 404 unless tokens are refreshed. */
const ofSessions: ReadonlySet<EndpointName> = new Set<EndpointName>(['refresh', 'logout', 'getSessions', 'revokeSession']);
/** Endpoints that need a configured provider. */
const ofProviders: ReadonlySet<EndpointName> = new Set<EndpointName>(['connect', 'connected', 'exchangeCode']);

const credentials: SecurityRequirement = { bearer: [] };
const none: SecurityRequirement = {};

export function openApiDocument(parts: DocumentParts): OpenApiDocument {
  const tools = createToolbox(parts.config, parts.model, parts.rights);
  const tags = new Map<string, Tag>();
  const operationIds = new Set<string>();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of parts.routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    // Who may not list the type cannot say which entries it means.
    if (route.serves.kind === 'bulk' && paths[path]?.get === undefined) continue;
    const described = describe(route, tools);
    if (described === undefined) continue;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(described, route, tools, operationIds);
    tags.set(described.tag.name, described.tag);
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Content API', version: '1', description: introduction(parts) },
    servers: [{ url: parts.config.url ?? '/', description: 'This server.' }],
    security: parts.isPublic ? [none, credentials] : [credentials],
    tags: [...tags.values()],
    paths,
    components: {
      ...tools.components.finished(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the `jwt` of a signed-in user.' },
      },
    },
  };
}

function describe(route: Route, tools: Toolbox): DescribedOperation | undefined {
  const { serves, action } = route;
  // Routes with code of the project respond with 501, or with what that code makes of them.
  if (handlingOf(route) !== 'served' || !(route.isUnrestricted === true || tools.rights.allows(action))) return undefined;
  switch (serves.kind) {
    case 'content':
      return describeRead(serves.type, serves.target, tools);
    case 'aggregate':
      return describeAggregate(serves.type, tools);
    case 'bulk':
      return describeBulk(serves.type, tools);
    case 'lookup':
      return describeLookup(serves.type, tools);
    case 'related':
      return describeRelated(serves.type, tools);
    case 'versions':
      return describeVersions(serves.type, tools);
    case 'history':
    case 'formerVersion':
    case 'restore':
      return describeHistory(serves.kind, serves.type, tools);
    case 'schedule':
    case 'scheduled':
    case 'unschedule':
      return describeSchedule(serves.kind, serves.type, tools);
    case 'references':
      return describeReferences(serves.type, tools);
    case 'write':
      return describeWrite({ ...serves, right: action }, tools);
    case 'endpoint':
      return isServed(serves.endpoint, tools) ? endpoints[serves.endpoint](tools) : undefined;
    case 'code':
      return describeCode(serves.endpoint);
    case 'own':
      return undefined;
  }
}

function isServed(endpoint: EndpointName, { config: { auth, search } }: Toolbox): boolean {
  if (endpoint === 'search') return Object.keys(search).length > 0;
  if (endpoint === 'updateMe') return auth.ownFields.length > 0;
  if (ofSessions.has(endpoint)) return auth.jwtManagement === 'refresh';
  return !ofProviders.has(endpoint) || Object.keys(auth.providers).length > 0;
}

function operation(described: DescribedOperation, { path }: Route, { errors }: Toolbox, operationIds: Set<string>): Operation {
  const { operationId, tag, summary, description, parameters = [], body, success, errors: kind, open } = described;
  return {
    operationId: unusedName(operationId, operationIds),
    tags: [tag.name],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(open ? { security: [none] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...success, ...errors(kind, path.includes('/:') || !described.operationId.startsWith('list')) },
  };
}

function introduction({ config, isPublic }: DocumentParts): string {
  return [
    `The content of this server. This document has what you may use${isPublic ? ' without credentials' : ''}, and nothing else.`,
    '',
    'Parameters nest by brackets: `filters[title][$contains]=bread`, `populate[author][fields][0]=name`. Where such a parameter is of the style `deepObject`, OpenAPI describes its first level; its schema has the rest. A client needs a serialiser that writes all levels, such as the package qs.',
    '',
    `Lists and entries are in an envelope, \`{"data": …, "meta": …}\`. Errors are \`{"data": null, "error": {"status", "name", ${config.policies.errorCodeInBody ? '"code", ' : ''}"message", "details"}}\`${config.policies.errorCodeInBody ? '' : ', with a stable code in the header `X-Error-Code`'}. With the header \`Strapi-Response-Format: v4\` responses have the format of Strapi 4, which this document does not describe.`,
  ].join('\n');
}
