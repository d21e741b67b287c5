/** Error responses, with the codes of the catalogue. */
import type { Policies } from '../config/config.ts';
import { type ErrorCode, errorCatalogue, errorGroups } from '../errors/catalogue/catalogue.ts';
import type { Components } from './components.ts';
import { type JsonSchema, jsonResponse, list, object, type Reference, type Response } from './document-parts.ts';

type Group = keyof typeof errorGroups;

/** What can go wrong, by kind of operation: headings of `docs/errors.md`. */
const groupsOf = {
  Read: ['Queries', 'Limits'],
  Write: ['Request bodies', 'Queries', 'Writing documents', 'Limits'],
  Account: ['Request bodies', 'Queries', 'Accounts', 'Signing in and sessions', 'Limits'],
  Role: ['Request bodies', 'Roles and management', 'Limits'],
  File: ['Request bodies', 'Queries', 'Files and uploads', 'Images and variants', 'Limits'],
} as const satisfies Record<string, readonly Group[]>;

export type ErrorKind = keyof typeof groupsOf;

const everywhere: readonly Group[] = ['Requests and routes', 'Access', 'Load, outages and full disks'];

/** Errors of routes that the document lacks, of forwarded requests, and of the management API. */
const elsewhere = /^(?:route|endpoint|management|variant|api-token|upstream)\.|^path\.ambiguous$|^file\.(?:range|changed)$/;

/** 404 is for what a path names. */
const missing: Readonly<Record<ErrorKind, readonly ErrorCode[]>> = {
  Read: ['document.not-found'],
  Write: ['document.not-found'],
  Account: ['user.not-found', 'session.not-found'],
  Role: ['role.not-found'],
  File: ['file.not-found', 'upload.unknown-file'],
};

export type ErrorResponses = ReturnType<typeof errorResponses>;

/** Returns the responses of a kind of operation by status. `withId`: whether the path names
 *  something that may be missing. */
export function errorResponses(components: Components, { errorCodeInBody }: Pick<Policies, 'errorCodeInBody'>) {
  const error = (): Reference => components.schema('Error', () => errorSchema(errorCodeInBody));

  function response(status: number, codes: readonly ErrorCode[]): Response {
    const names = [...new Set(codes.map((code) => errorCatalogue[code].name))];
    const code: JsonSchema = { type: 'string', enum: codes };
    const waits = codes.some((each) => 'retryAfter' in errorCatalogue[each]) || status === 429;
    const headers = {
      ...(errorCodeInBody ? {} : { 'X-Error-Code': { description: 'The stable code of the error.', schema: code } }),
      ...(waits ? { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } : {}),
    };
    const properties = { status: { const: status }, name: { type: 'string', enum: names }, ...(errorCodeInBody ? { code } : {}) };
    return {
      ...jsonResponse(names.join(', '), { allOf: [error(), object({ error: object(properties, []) }, [])] }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
  }

  return (kind: ErrorKind, withId: boolean): Readonly<Record<string, Reference>> => {
    const codes = [...everywhere, ...groupsOf[kind]].flatMap((group) => Object.keys(errorGroups[group]) as ErrorCode[]);
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of new Set(codes)) {
      const { status } = errorCatalogue[code];
      if (elsewhere.test(code) || status === 404) continue;
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    if (withId) byStatus.set(404, [...missing[kind]]);
    const listed = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(
      listed.map(([status, found]) => [String(status), components.response(`${kind}${status}`, () => response(status, found))]),
    );
  };
}

const text: JsonSchema = { type: 'string' };

function errorSchema(withCode: boolean): JsonSchema {
  const problem = object({ path: list(text), message: text, name: text });
  const details: JsonSchema = {
    ...object({ errors: { ...list(problem), description: 'Every problem of a body.' } }, []),
    description: 'What is wrong, where there is more to say.',
  };
  const code = withCode ? { code: { ...text, description: 'Stable; docs/errors.md lists all.' } } : {};
  const required = { status: { type: 'integer' }, name: text, ...code, message: text };
  return object({ data: { type: 'null' }, error: object({ ...required, details }, Object.keys(required)) });
}
