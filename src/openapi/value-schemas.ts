/** Values of scalar attributes, in responses and in bodies. */
import type { ScalarAttribute, ScalarType } from '../model/content-model.ts';
import type { JsonSchema } from './document-parts.ts';

const text: JsonSchema = { type: 'string' };
const instant: JsonSchema = { type: 'string', format: 'date-time', examples: ['2026-01-31T08:00:00.000Z'] };

const values: Readonly<Record<ScalarType, JsonSchema>> = {
  string: text,
  text,
  richtext: { ...text, contentMediaType: 'text/markdown' },
  blocks: { type: 'array', description: 'Nodes of the editor for rich text.', items: { type: 'object' } },
  // No format: Lectern accepts addresses with letters of every script.
  email: { ...text, description: 'E-mail address.' },
  password: text,
  uid: text,
  enumeration: text,
  integer: { type: 'integer' },
  biginteger: { ...text, description: 'Whole number of up to 64 bits, as text.', examples: ['9007199254740993'] },
  float: { type: 'number' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { ...text, format: 'date' },
  time: { ...text, description: 'Time of day, HH:mm:ss.SSS.', examples: ['08:00:00.000'] },
  datetime: instant,
  timestamp: { ...text, description: 'Milliseconds since 1970, as text.', examples: ['1769846400000'] },
  json: { description: 'Any JSON value.' },
};

/** The value, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return Object.keys(schema).includes('$ref') ? { anyOf: [schema, { type: 'null' }] } : schema;
  const { type, enum: listed, ...rest } = schema;
  return { ...rest, type: [type, 'null'].flat(), ...(listed === undefined ? {} : { enum: [...listed, null] }) };
}

const isId = ({ name }: ScalarAttribute): boolean => name === 'id' || name === 'documentId';

/** Any attribute may be null in a response: in drafts, and in rows that are older than a rule. */
export function shownValue(attribute: ScalarAttribute): JsonSchema {
  const { type, enumValues } = attribute;
  const schema = values[type];
  if (isId(attribute)) return { ...schema, description: attribute.name === 'id' ? 'Id of the row.' : 'Id of the document.' };
  return nullable(enumValues === undefined ? schema : { ...schema, enum: [...new Set(enumValues)] });
}

/** `strict`: whether the type has no drafts, which need not follow minima and patterns. */
/** `mayBeEmpty`: a required text, as to Strapi. */
export function sentValue(attribute: ScalarAttribute, strict: boolean, mayBeEmpty: boolean): JsonSchema {
  const { type, enumValues, options } = attribute;
  const schema: JsonSchema = {
    ...values[type],
    ...(type === 'biginteger' ? { type: ['string', 'integer'] } : {}),
    ...(enumValues === undefined ? {} : { enum: [...new Set(enumValues)] }),
    ...boundsOf(attribute, strict, mayBeEmpty),
    ...noteOf(attribute),
  };
  return attribute.required && strict && options.default === undefined ? schema : nullable(schema);
}

function boundsOf({ type, options, required }: ScalarAttribute, strict: boolean, mayBeEmpty: boolean): JsonSchema {
  const isText = ['string', 'text', 'richtext', 'email', 'password', 'uid'].includes(type);
  const isNumber = ['integer', 'float', 'decimal'].includes(type);
  const length = (value: unknown) => (isText && typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined);
  const bound = (value: unknown) => (isNumber && typeof value === 'number' && Number.isFinite(value) ? value : undefined);
  const found = {
    minLength: strict ? (length(options.minLength) ?? length(required && !mayBeEmpty ? 1 : undefined)) : undefined,
    maxLength: length(options.maxLength),
    minimum: strict ? bound(options.min) : undefined,
    maximum: bound(options.max),
    pattern: strict && isText ? patternOf(options.regex) : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Undefined for what is no Unicode pattern. An empty text passes that of an optional value. */
function patternOf(regex: unknown): string | undefined {
  if (typeof regex !== 'string' || regex === '') return undefined;
  try {
    return new RegExp(regex, 'u') && `^$|${regex}`;
  } catch {
    return undefined;
  }
}

/** Only described: generators take a value with a default for one that is always there. */
function noteOf({ type, required, options }: ScalarAttribute): JsonSchema {
  const notes = [
    ...(values[type].description === undefined ? [] : [values[type].description]),
    ...(required ? ['Required; a draft may lack it.'] : []),
    ...(options.default === undefined || type === 'password' ? [] : [`Default: ${JSON.stringify(options.default)?.slice(0, 200)}.`]),
    ...(typeof options.targetField === 'string' ? [`Made from ${options.targetField} where it is left out (policies.fillUids).`] : []),
  ];
  return notes.length === 0 ? {} : { description: notes.join(' ') };
}
