import { type ErrorDefinition, validation } from './error-definition.ts';

export const limitsErrors = {
  'limit.query-bytes': validation((a: { limit: number }) => `The query string is longer than ${a.limit} bytes (limits.queryBytes)`),
  'limit.parameters': validation((a: { limit: number }) => `The query string has more than ${a.limit} parameters (limits.parameters)`),
  'limit.passwords': validation((a: { limit: number }) => `A body may set at most ${a.limit} passwords (limits.passwords)`),
  'limit.depth': validation(
    (a: { parameter: string; limit: number }) => `${a.parameter} is nested deeper than ${a.limit} levels (limits.depth)`,
  ),
  'limit.list': validation(
    (a: { parameter: string; limit: number }) => `${a.parameter} has more than ${a.limit} values (limits.listValues)`,
  ),
  'limit.budget': validation(
    (a: { budget: string; parameter: string; limit: number }) => `${a.parameter} exceeds the limit of ${a.limit} (limits.${a.budget})`,
  ),
  'limit.pattern': validation((a: { path: string; limit: number }) => `${a.path} is longer than ${a.limit} bytes (limits.patternBytes)`),
  'limit.body-depth': validation((a: { limit: number }) => `The body is nested deeper than ${a.limit} levels (limits.bodyDepth)`),
  'limit.components': validation((a: { what: string; limit: number }) => `${a.what} more than ${a.limit} components (limits.components)`),
  'limit.links': validation((a: { limit: number }) => `The body names more than ${a.limit} relation targets and files (limits.links)`),
  'limit.form-parameters': validation(
    (a: { limit: number }) => `The form has more than ${a.limit} parameters, or a list with more values (limits.parameters)`,
  ),
  'limit.rows': validation(
    (a: { limit: number }) =>
      `The response would take more than ${a.limit} rows (limits.rows); request fewer populated paths or a smaller page`,
  ),
  'limit.response-bytes': validation(
    (a: { limit: number }) =>
      `The response would be longer than ${a.limit} bytes (limits.responseBytes); request fewer fields, populated paths or rows`,
  ),
  'limit.source-maps': validation(
    (a: { limit: number }) =>
      `With Strapi-Encode-Source-Maps, the response would be longer than ${a.limit} bytes; request fewer fields, populated paths or rows`,
  ),
} as const satisfies Record<string, ErrorDefinition>;
