/** The endpoint of each route. */
import { ApiError } from '../../errors/api-error.ts';
import { fileUid, userUid } from '../../model/built-in-types.ts';
import type { HttpParts } from '../http-parts.ts';
import type { CountFurther } from '../rate-limits/request-rate-limit.ts';
import type { EndpointName, Route } from '../routes/routes.ts';
import type { Endpoint } from '../send-response.ts';
import type { WritePositions } from '../write-position.ts';
import { accountEndpoints } from './accounts/account-endpoints.ts';
import type { Accounts } from './accounts/accounts.ts';
import { userEndpoints } from './accounts/user-endpoints.ts';
import { codeEndpoint } from './code-endpoint.ts';
import { aggregateEndpoint } from './content/aggregate-endpoint.ts';
import { batchEndpoint } from './content/batch-endpoint.ts';
import { bulkEndpoint } from './content/bulk-endpoint.ts';
import { cacheHeaders } from './content/cache-headers.ts';
import { countsEndpoint } from './content/counts-endpoint.ts';
import { localesEndpoint } from './content/locales-endpoint.ts';
import { lookupEndpoint } from './content/lookup-endpoint.ts';
import { presenceEndpoints } from './content/presence-endpoints.ts';
import { readEndpoint } from './content/read-endpoint.ts';
import { fileReferencesEndpoint, referencesEndpoint } from './content/references-endpoint.ts';
import { relatedEndpoint } from './content/related-endpoint.ts';
import { scheduleEndpoint, schedulesEndpoint } from './content/schedule-endpoints.ts';
import { searchEndpoint } from './content/search-endpoint.ts';
import { validateEndpoint } from './content/validate-endpoint.ts';
import { versionsEndpoint } from './content/versions-endpoint.ts';
import { writeEndpoint } from './content/write-endpoint.ts';
import type { UploadParts } from './files/add-upload.ts';
import { fileChecks } from './files/file-checks.ts';
import { fileEndpoints } from './files/file-endpoints.ts';
import { folderEndpoints } from './files/folder-endpoints.ts';
import { uploadEndpoints } from './files/upload-endpoints.ts';
import { historyEndpoint } from './history/history-endpoints.ts';
import { mcpEndpoint } from './mcp/mcp-endpoint.ts';
import { meEndpoint } from './me/me-endpoint.ts';
import { openApiEndpoint } from './openapi-endpoint.ts';
import { releaseEndpoints } from './releases/release-endpoints.ts';

type Endpoints = Partial<Record<EndpointName, Endpoint>>;

/** The endpoints that a route names. */
export function createEndpoints(parts: HttpParts & { readonly countFurther: CountFurther }, accounts: Accounts | undefined): Endpoints {
  const { model, database, answer } = parts;
  const userType = model.contentTypes.get(userUid);
  const fileType = model.contentTypes.get(fileUid);
  const uploads = fileType && { ...parts, fileType, checks: fileChecks(fileType, parts.reachRow) };
  return {
    ...(userType === undefined ? {} : userEndpoints(userType, answer)),
    ...(accounts === undefined ? {} : accountEndpoints(accounts)),
    ...(uploads === undefined ? {} : mediaEndpoints(uploads)),
    locales: localesEndpoint(database),
    me: meEndpoint(parts),
    counts: countsEndpoint(parts),
    batch: batchEndpoint(parts),
    schedules: schedulesEndpoint(parts),
    ...releaseEndpoints(parts),
    ...searching(parts),
    validate: validateEndpoint(parts),
    ...presenceEndpoints(parts),
    openapi: openApiEndpoint(parts),
    mcp: mcpEndpoint({ ...parts, uploads }),
    contentTypeBuilder: () => {
      throw ApiError.of('endpoint.not-served', { instead: 'the schema files below src/api and src/components say the same' });
    },
  };
}

function searching(parts: HttpParts): Endpoints {
  const search = searchEndpoint(parts);
  return search === undefined ? {} : { search };
}

function mediaEndpoints(parts: HttpParts & UploadParts): Endpoints {
  const { fileType } = parts;
  return {
    ...fileEndpoints(fileType, parts.answer, parts.config.policies),
    ...uploadEndpoints(parts),
    ...folderEndpoints(parts),
    fileReferences: fileReferencesEndpoint(fileType, parts),
  };
}

/** Undefined for a route that this server does not serve. */
export function endpointOf(
  { action, serves, findings }: Route,
  endpoints: Endpoints,
  parts: HttpParts & { readonly positions: WritePositions | undefined; readonly countFurther: CountFurther },
): Endpoint | undefined {
  const { config, answer, answerWrite, positions } = parts;
  if (findings !== undefined) {
    return () => {
      throw ApiError.of('route.has-custom-code', { action });
    };
  }
  switch (serves.kind) {
    case 'content':
      return readEndpoint({
        ...serves,
        answer,
        addCacheHeaders: cacheHeaders(serves.type, config.cache.types[serves.type.uid]),
        positions,
      });
    case 'aggregate':
      return aggregateEndpoint(serves.type, answer, positions);
    case 'bulk':
      return bulkEndpoint(serves.type, parts);
    case 'lookup':
      return lookupEndpoint({
        ...serves,
        answer,
        addCacheHeaders: cacheHeaders(serves.type, config.cache.types[serves.type.uid]),
        positions,
      });
    case 'related':
      return relatedEndpoint({
        ...serves,
        answer,
        addCacheHeaders: cacheHeaders(serves.type, config.cache.types[serves.type.uid]),
        positions,
      });
    case 'versions':
      return versionsEndpoint({ ...serves, answer, config });
    case 'history':
    case 'formerVersion':
    case 'restore':
      return historyEndpoint(serves.kind, serves.type, parts);
    case 'schedule':
    case 'scheduled':
    case 'unschedule':
      return scheduleEndpoint(serves.kind, serves.type, parts);
    case 'references':
      return referencesEndpoint(serves.type, parts);
    case 'write':
      return writeEndpoint(serves, answerWrite, config.api.prefix);
    case 'endpoint':
      return endpoints[serves.endpoint];
    case 'code':
      return parts.code === undefined
        ? undefined
        : codeEndpoint(serves.endpoint, { code: parts.code, answerFor: parts.answerFor, prefix: config.api.prefix });
    case 'own':
      return undefined;
  }
}
