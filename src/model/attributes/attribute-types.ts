import type { ScalarType } from '../content-model.ts';
import type { AttributeType, ValueOutput } from './attribute-type.ts';
import { bigintegerAttribute } from './biginteger.ts';
import { blocksAttribute } from './blocks.ts';
import { booleanAttribute } from './boolean.ts';
import { jsonAttribute } from './json-value.ts';
import { decimalAttribute, integerAttribute } from './number.ts';
import { dateAttribute, datetimeAttribute, timeAttribute, timestampAttribute } from './temporal.ts';
import { emailAttribute, enumerationAttribute, passwordAttribute, stringAttribute, textAttribute, uidAttribute } from './text.ts';

export const attributeTypes: Readonly<Record<ScalarType, AttributeType>> = {
  string: stringAttribute,
  text: textAttribute,
  richtext: textAttribute,
  email: emailAttribute,
  uid: uidAttribute,
  enumeration: enumerationAttribute,
  password: passwordAttribute,
  integer: integerAttribute,
  float: decimalAttribute,
  decimal: decimalAttribute,
  biginteger: bigintegerAttribute,
  boolean: booleanAttribute,
  date: dateAttribute,
  time: timeAttribute,
  datetime: datetimeAttribute,
  timestamp: timestampAttribute,
  json: jsonAttribute,
  blocks: blocksAttribute,
};

/** Returns the JSON text of a column as the dialect's `select` returns it. */
export function jsonOf(selected: unknown, type: ScalarType): string {
  if (selected === null || selected === undefined) return 'null';
  const output = new TextOutput();
  attributeTypes[type].write(selected, output);
  return output.written;
}

class TextOutput implements ValueOutput {
  written = '';

  json(text: string): void {
    this.written += text;
  }

  text(value: string): void {
    this.written += JSON.stringify(value);
  }
}
