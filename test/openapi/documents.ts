/** OpenAPI documents as tests look at them. */
import type { JsonSchema, OpenApiDocument, Operation } from '../../src/openapi/document-parts.ts';

export interface DescribedRoute {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

export const routesIn = ({ paths }: OpenApiDocument): readonly DescribedRoute[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

export const namesIn = (document: OpenApiDocument): readonly string[] => routesIn(document).map(({ method, path }) => `${method} ${path}`);

/** The schema of a component; throws if there is none. */
export function schemaIn({ components }: OpenApiDocument, name: string): JsonSchema {
  const schema = components.schemas[name];
  if (schema === undefined) throw new Error(`no schema ${name} among ${Object.keys(components.schemas).join(', ')}`);
  return schema;
}

export const propertiesIn = (document: OpenApiDocument, name: string): readonly string[] =>
  Object.keys(schemaIn(document, name).properties ?? {});
