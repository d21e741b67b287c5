/** Values of bodies and what is read from them, for the unit tests of attribute types. */
import { expect } from 'vitest';
import type { BodyValue, StoredValue, ValueProblem } from '../../src/model/attributes/attribute-type.ts';
import { attributeTypes } from '../../src/model/attributes/attribute-types.ts';
import type { ScalarAttribute, ScalarType } from '../../src/model/content-model.ts';

export interface Schema {
  readonly type: ScalarType;
  readonly required?: boolean;
  readonly enum?: readonly string[];
  readonly [option: string]: unknown;
}

export const attributeOf = ({ type, required = false, enum: enumValues, ...options }: Schema): ScalarAttribute => ({
  kind: 'scalar',
  name: 'value',
  description: undefined,
  lectern: undefined,
  private: false,
  localized: false,
  required,
  writable: true,
  type,
  column: 'value',
  customField: undefined,
  system: false,
  searchable: true,
  unique: false,
  enumValues,
  options,
});

/** How a strict read of the value ends. */
export const read = (schema: Schema, value: unknown, strict = true): BodyValue =>
  attributeTypes[schema.type].readBody(value, attributeOf(schema), { strict, exact: false });

/** The value that was read, or its only problem as Strapi reports it. */
export function outcome(schema: Schema, value: unknown, strict?: boolean): StoredValue | ValueProblem {
  const result = read(schema, value, strict);
  if (result.ok) return result.value;
  expect(result.problems).toHaveLength(1);
  const { help: _, ...problem } = result.problems[0] as ValueProblem;
  return problem;
}

export const located = (message: string, value?: unknown): ValueProblem =>
  value === undefined ? { path: [], message } : { path: [], message, value };
export const unlocated = (message: string): ValueProblem => ({ path: [], message, unlocated: true });

/** The attributes of the recordings' plainbook and book. */
export const recordedAttributes = {
  name: { type: 'string', required: true, minLength: 2, maxLength: 40 },
  title: { type: 'string', required: true, minLength: 2, maxLength: 80 },
  summary: { type: 'text', maxLength: 50 },
  notes: { type: 'richtext' },
  code: { type: 'string', regex: '^[A-Z]{2}[0-9]+$' },
  isbn: { type: 'string', regex: '^[0-9-]{5,20}$' },
  hidden: { type: 'string' },
  pin: { type: 'password', minLength: 6 },
  contact: { type: 'email' },
  slug: { type: 'uid' },
  kind: { type: 'enumeration', enum: ['novel', 'essay', 'poetry'] },
  count: { type: 'integer', min: 1, max: 5000 },
  price: { type: 'decimal', min: 0 },
  weight: { type: 'float' },
  sold: { type: 'biginteger' },
  available: { type: 'boolean' },
  releasedOn: { type: 'date' },
  opensAt: { type: 'time' },
  event: { type: 'datetime' },
  data: { type: 'json' },
  text: { type: 'blocks' },
} satisfies Readonly<Record<string, Schema>>;

export const notText = (printed: string, value: unknown) =>
  located(`{path} must be a \`string\` type, but the final value was: \`${printed}\`.`, value);
export const notNumber = (printed: string) =>
  located(`{path} must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${printed}\`).`, null);
export const notListed = (value: unknown) => located('{path} must be one of the following values: novel, essay, poetry, ', value);
export const notDate = unlocated('Invalid format, expected yyyy-MM-dd');
export const notTime = unlocated('Invalid time format, expected HH:mm:ss.SSS');
export const notInstant = unlocated('Invalid format, expected a timestamp or an ISO date');

export interface Case {
  readonly of: Schema;
  readonly value: unknown;
  readonly becomes: StoredValue | ValueProblem;
  /** The value is in a draft, so validation is not strict. */
  readonly draft?: true;
}

export const bigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
export const described = (cases: readonly Case[]) =>
  cases.map((each) => ({
    ...each,
    it: `${each.draft ? 'draft ' : ''}${each.of.type} ${JSON.stringify(each.value, bigints)?.slice(0, 60)}`,
  }));
export const textNode = { type: 'text', text: 'x' };
export const paragraph = { type: 'paragraph', children: [textNode] };
