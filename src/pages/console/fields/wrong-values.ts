/** Values in a form that are no values of their attributes: half a date, `12x` for a number. They
 *  stand as they were typed, and are not sent: a server could take them for something else. Pure. */
import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';
import { type ComponentOf, isRecord, type Values } from '../document/values.ts';
import type { Path } from './form-context.ts';
import { invalidTextOf } from './invalid-json.ts';
import { type NumberType, type ReadNumber, readNumber } from './scalars/number-text.ts';

type Refused = Extract<ReadNumber, { readonly ok: false }>;
export type WrongWord = Refused['problem'] | 'fields.incomplete' | 'fields.invalidJson';

export interface WrongValue {
  readonly path: Path;
  readonly word: WrongWord;
}

const momentTypes: Readonly<Record<string, RegExp>> = {
  date: /^\d{4,}-\d\d-\d\d/,
  time: /^\d\d:\d\d/,
  datetime: /\d\d:\d\d|^\d+$/,
  timestamp: /\d\d:\d\d|^-?\d+$/,
};

/** `separator`: of decimals, with which the text was typed. */
export function wrongWord({ type }: DescribedAttribute, value: unknown, separator: string): WrongWord | undefined {
  if (type === 'json') return invalidTextOf(value) === undefined ? undefined : 'fields.invalidJson';
  if (typeof value !== 'string') return undefined;
  switch (type) {
    case 'integer':
    case 'float':
    case 'decimal':
    case 'biginteger': {
      const read = readNumber(value, type satisfies NumberType, separator);
      return read.ok ? undefined : read.problem;
    }
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return momentTypes[type]?.test(value) === false ? 'fields.incomplete' : undefined;
    default:
      return undefined;
  }
}

/** Those in a document, however deep. */
export function wrongValues(
  attributes: readonly DescribedAttribute[],
  values: Values,
  componentOf: ComponentOf,
  separator: string,
  path: Path = [],
): readonly WrongValue[] {
  return attributes.flatMap((attribute): readonly WrongValue[] => {
    const value = values[attribute.name];
    const own = [...path, attribute.name];
    if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') {
      const word = wrongWord(attribute, value, separator);
      return word === undefined ? [] : [{ path: own, word }];
    }
    const inside = (entry: unknown, at: Path): readonly WrongValue[] => {
      if (!isRecord(entry)) return [];
      const uid = attribute.component ?? String(entry.__component);
      return wrongValues(componentOf(uid)?.attributes ?? [], entry, componentOf, separator, at);
    };
    return Array.isArray(value) ? value.flatMap((each, index) => inside(each, [...own, index])) : inside(value, own);
  });
}
