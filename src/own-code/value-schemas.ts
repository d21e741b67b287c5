/** Schemas of queries, bodies and responses: JSON Schema, or a library of Standard Schema. */
import type { ErrorObject } from 'ajv';
import type { Problem } from './protocol.ts';
import { refusal } from './refusal.ts';
import type { JsonSchema, StandardSchema, ValueSchema } from './types.ts';

const isStandard = (schema: ValueSchema): schema is StandardSchema => '~standard' in schema;

/** Returns the value as the schema has it. Throws a `Refusal` with all problems. `isQuery`: values
 *  are texts, from which JSON Schema makes numbers and booleans. */
export async function validated(value: unknown, schema: ValueSchema | undefined, isQuery: boolean): Promise<unknown> {
  if (schema === undefined) return isQuery ? value : undefined;
  if (!isStandard(schema)) return fitted(value, schema, isQuery);
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value;
  throw refusal(
    result.issues.map(({ message, path = [] }) => ({
      path: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
      message,
    })),
  );
}

type Validate = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null };

const compiled = new WeakMap<object, Promise<Validate>>();

async function fitted(value: unknown, schema: JsonSchema, isQuery: boolean): Promise<unknown> {
  const validate = await validatorOf(schema, isQuery);
  if (validate(value)) return value;
  throw refusal((validate.errors ?? []).slice(0, 100).map(problemOf));
}

/** What is wrong with a JSON Schema; undefined if nothing is, and for other schemas. */
export async function schemaProblem(schema: ValueSchema | undefined, isQuery: boolean): Promise<string | undefined> {
  if (schema === undefined || isStandard(schema)) return undefined;
  try {
    await validatorOf(schema, isQuery);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function validatorOf(schema: JsonSchema, isQuery: boolean): Promise<Validate> {
  const known = compiled.get(schema) ?? compile(schema, isQuery);
  compiled.set(schema, known);
  return known;
}

async function compile(schema: JsonSchema, isQuery: boolean): Promise<Validate> {
  const { Ajv } = await import('ajv');
  return new Ajv({ allErrors: true, strict: false, useDefaults: true, coerceTypes: isQuery ? 'array' : false }).compile(schema) as Validate;
}

function problemOf({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): Problem {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const { missingProperty, additionalProperty } = params as Record<string, string>;
  const name = keyword === 'required' ? missingProperty : keyword === 'additionalProperties' ? additionalProperty : undefined;
  if (name === undefined) return { path, message };
  return { path: path === '' ? name : `${path}.${name}`, message: keyword === 'required' ? 'is missing' : 'is unknown' };
}

/** The schema as JSON Schema, if its library converts it (Standard JSON Schema), or the project's
 *  zod does. */
export async function jsonSchemaOf(schema: ValueSchema | undefined, require: NodeJS.Require): Promise<JsonSchema | undefined> {
  if (schema === undefined) return undefined;
  if (!isStandard(schema)) return schema;
  const standard = schema['~standard'] as StandardSchema['~standard'] & { readonly jsonSchema?: { input(options: object): JsonSchema } };
  try {
    if (standard.jsonSchema !== undefined) return standard.jsonSchema.input({ target: 'draft-2020-12' });
    if (standard.vendor !== 'zod') return undefined;
    const { toJSONSchema } = require('zod') as { readonly toJSONSchema?: (schema: unknown, options: object) => JsonSchema };
    return toJSONSchema?.(schema, { io: 'input', unrepresentable: 'any' });
  } catch {
    return undefined;
  }
}
