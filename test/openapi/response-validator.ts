/** Compares responses of a server with its OpenAPI document: they match the schemas, and have nothing that the schemas do not name. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema, OpenApiDocument, Response } from '../../src/openapi/document-parts.ts';
import type { HttpResponse } from '../support/http.ts';
import { routesIn } from './documents.ts';

/** The problems of a response; undefined if the document does not describe the request's path. */
export type ResponseProblems = (method: string, path: string, response: HttpResponse) => readonly string[] | undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const escaped = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

export function responseValidator(document: OpenApiDocument): ResponseProblems {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    formats: { date: /^\d{4}-\d\d-\d\d$/, 'date-time': /^[\d+-]+T[\d:.]+Z$/, binary: true, password: true },
  });
  ajv.addSchema(document, 'document');
  const resolve = <T>(part: T | { readonly $ref: string }): { readonly part: T; readonly pointer: string | undefined } => {
    if (!isObject(part) || typeof part.$ref !== 'string') return { part: part as T, pointer: undefined };
    const found = part.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
    return { part: found as T, pointer: part.$ref };
  };
  const routes = routesIn(document).map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
  }));
  // `/users/me` before `/users/{id}`.
  routes.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

  return (method, path, response) => {
    const route = routes.find((each) => each.method === method && each.pattern.test(path.split('?')[0] ?? ''));
    if (route === undefined) return undefined;
    const described = route.operation.responses[String(response.status)];
    if (described === undefined) return [`status ${response.status} is not described`];
    const { part, pointer } = resolve<Response>(described);
    const schema = part.content?.['application/json']?.schema;
    if (schema === undefined) return response.text === '' ? [] : [`a body is not described: ${response.text.slice(0, 100)}`];
    const own = `#/paths/${escaped(route.path)}/${method.toLowerCase()}/responses/${response.status}`;
    const $ref = `document${encodeURI(pointer ?? own)}/content/application~1json/schema`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    const value = response.json();
    const wrong = validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: '' })];
    return [...wrong, ...(response.status < 300 ? undescribed(schema, value, '') : [])];
  };

  /** The paths of keys that no schema names. */
  function undescribed(schema: JsonSchema, value: unknown, path: string): readonly string[] {
    const branches = fitting(schema, value);
    if (Array.isArray(value)) {
      const items = branches.find((each) => each.items !== undefined)?.items;
      return items === undefined ? [] : value.flatMap((item, index) => undescribed(items, item, `${path}/${index}`));
    }
    const objects = branches.filter((each) => each.properties !== undefined);
    if (!isObject(value) || objects.length === 0) return [];
    return Object.entries(value).flatMap(([key, inner]) => {
      const property = objects.map(({ properties }) => properties?.[key]).find((each) => each !== undefined);
      return property === undefined ? [`${path}/${key} is not described`] : undescribed(property, inner, `${path}/${key}`);
    });
  }

  /** The schemas that apply to a value. */
  function fitting(schema: JsonSchema, value: unknown): readonly JsonSchema[] {
    const { part } = resolve<JsonSchema>(schema as JsonSchema | { $ref: string });
    const choices = part.oneOf ?? part.anyOf ?? [];
    const name = isObject(value) ? (value.__component ?? value.__type) : undefined;
    const chosen = part.discriminator?.mapping[String(name)];
    const picked = chosen !== undefined ? [{ $ref: chosen }] : choices;
    return [part, ...(part.allOf ?? []).flatMap((each) => fitting(each, value)), ...picked.flatMap((each) => fitting(each, value))];
  }
}
