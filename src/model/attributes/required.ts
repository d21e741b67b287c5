/** Plainer messages than Strapi's for values that are missing or of another type. */
import type { Attribute, ScalarType } from '../content-model.ts';
import { printValue } from './print-value.ts';

const dateAndTime = 'a date and time such as "2026-01-31T08:00:00.000Z"';

const expectedScalar: Readonly<Record<ScalarType, string>> = {
  string: 'a text',
  text: 'a text',
  richtext: 'a text',
  email: 'an e-mail address',
  password: 'a text',
  uid: 'a text',
  enumeration: 'one of its values',
  integer: 'a whole number',
  biginteger: 'a whole number',
  float: 'a number',
  decimal: 'a number',
  boolean: 'true or false',
  date: 'a date such as "2026-01-31"',
  time: 'a time such as "08:00:00.000"',
  datetime: dateAndTime,
  timestamp: dateAndTime,
  json: 'a JSON value other than null',
  blocks: 'a list of blocks',
};

function expected(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.enumValues === undefined ? expectedScalar[attribute.type] : `one of ${attribute.enumValues.join(', ')}`;
    case 'relation':
      return 'the documentId of a document';
    case 'media':
      return 'the id of a file';
    case 'component':
      return attribute.cardinality === 'one' ? 'an object' : 'a list of objects';
    case 'dynamiczone':
      return 'a list of objects with __component';
  }
}

/** `draftsMay`: the type has drafts, which may lack the value. `{path}` is the written path. */
export const requiredHelp = (attribute: Attribute, draftsMay: boolean): string =>
  `{path} is required: expected ${expected(attribute)} ("required" in the schema file${draftsMay ? '; a draft, ?status=draft, may lack it' : ''})`;

/** `{path}: expected a number, received "many"` */
export const notANumberHelp = (type: ScalarType, value: unknown): string =>
  `{path}: expected ${expectedScalar[type]}, received ${printValue(value)} ("type" in the schema file)`;
