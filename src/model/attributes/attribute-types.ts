import type { ScalarType } from '../content-model.ts';
import type { AttributeType } from './attribute-type.ts';
import { bigintegerAttribute } from './biginteger.ts';
import { booleanAttribute } from './boolean.ts';
import { jsonAttribute } from './json.ts';
import { numberAttribute } from './number.ts';
import { dateAttribute, datetimeAttribute, timeAttribute, timestampAttribute } from './temporal.ts';
import { passwordAttribute, textAttribute } from './text.ts';

export const attributeTypes: Readonly<Record<ScalarType, AttributeType>> = {
  string: textAttribute,
  text: textAttribute,
  richtext: textAttribute,
  email: textAttribute,
  uid: textAttribute,
  enumeration: textAttribute,
  password: passwordAttribute,
  integer: numberAttribute,
  float: numberAttribute,
  decimal: numberAttribute,
  biginteger: bigintegerAttribute,
  boolean: booleanAttribute,
  date: dateAttribute,
  time: timeAttribute,
  datetime: datetimeAttribute,
  timestamp: timestampAttribute,
  json: jsonAttribute,
  blocks: jsonAttribute,
};
