/** The endpoints of a project. */
import type { EndpointManifest } from '../own-code/protocol.ts';
import type { JsonSchema } from '../own-code/types.ts';
import { jsonBody, jsonResponse, type Parameter, pathParameter } from './document-parts.ts';
import type { DescribedOperation } from './operations.ts';

const tag = { name: 'Endpoints', description: 'Endpoints of this project.' };

export function describeCode({ method, path, description, query, body, response }: EndpointManifest): DescribedOperation {
  const named = path.split('/').filter((part) => part !== '');
  const names = named.flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
  return {
    operationId: operationId(method, named),
    tag,
    summary: description ?? `${method} ${path}`,
    parameters: [...names.map((name) => pathParameter(name, '')), ...queryParameters(query)],
    ...(body === undefined ? {} : { body: jsonBody(body) }),
    success: { 200: jsonResponse('The response.', response ?? {}) },
    errors: body === undefined ? 'Read' : 'Write',
  };
}

const operationId = (method: string, parts: readonly string[]): string =>
  [method.toLowerCase(), ...parts.map((part) => part.replace(/^:/, 'By-'))]
    .join('-')
    .replaceAll(/[^a-z0-9]+(\w?)/gi, (_, letter: string) => letter.toUpperCase());

/** One parameter for each property of the schema. */
function queryParameters(schema: JsonSchema | undefined): Parameter[] {
  const { properties, required } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: required?.includes(name) === true,
    schema: value,
  })) as Parameter[];
}
