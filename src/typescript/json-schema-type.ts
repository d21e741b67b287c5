/** The TypeScript type of a JSON Schema. What types cannot express is `unknown`. */
import type { JsonSchema } from '../own-code/types.ts';
import { isObject } from '../text/json.ts';
import { keyOf, quoted } from './source-text.ts';

/** Deeper schemas, such as those that contain themselves, are `unknown`. */
const levels = 8;

export function typeOfJsonSchema(schema: unknown, left = levels): string {
  if (!isObject(schema) || left === 0) return 'unknown';
  const { type, anyOf, oneOf, items, const: only } = schema;
  const inner = (each: unknown) => typeOfJsonSchema(each, left - 1);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((each) => literal(each)));
  if (only !== undefined) return literal(only);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map(inner));
  if (Array.isArray(type)) return union(type.map((each) => typeOfJsonSchema({ ...schema, type: each }, left)));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `${bracketed(inner(items))}[]`;
    case 'object':
      return objectType(schema, inner);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required, additionalProperties }: JsonSchema, inner: (schema: unknown) => string): string {
  const names = isObject(properties) ? Object.entries(properties) : [];
  const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
  const members = names.map(([name, each]) => `${keyOf(name)}${isNeeded(name) ? '' : '?'}: ${inner(each)}`);
  if (isObject(additionalProperties) || names.length === 0)
    members.push(`[name: string]: ${names.length === 0 ? inner(additionalProperties) : 'unknown'}`);
  return `{ ${members.join('; ')} }`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : typeof value === 'object' && value !== null ? 'unknown' : String(value);
const union = (types: readonly string[]): string => (types.length === 0 ? 'never' : [...new Set(types)].join(' | '));
const bracketed = (type: string): string => (type.includes(' | ') ? `(${type})` : type);
