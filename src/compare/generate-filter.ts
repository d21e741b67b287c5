/** A condition of a generated request, with a value of the content. */
import type { ContentModel, ScalarAttribute, ScalarType, Schema } from '../model/content-model.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import type { Dice } from './dice.ts';
import { linksOf, scalarsOf, targetOf } from './visible-attributes.ts';

interface Parts {
  readonly model: ContentModel;
  /** An entry to take values from. */
  readonly entry: JsonObject | undefined;
  readonly dice: Dice;
}

const texts = [
  '$eq',
  '$ne',
  '$contains',
  '$containsi',
  '$notContains',
  '$startsWith',
  '$endsWith',
  '$eqi',
  '$in',
  '$null',
  '$notNull',
] as const;
const numbers = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$notIn', '$between', '$null'] as const;
const flags = ['$eq', '$ne', '$null'] as const;
type Operator = (typeof texts)[number] | (typeof numbers)[number];

const operators: Readonly<Partial<Record<ScalarType, readonly Operator[]>>> = {
  string: texts,
  text: texts,
  richtext: texts,
  email: texts,
  uid: texts,
  enumeration: ['$eq', '$ne', '$in', '$null'],
  integer: numbers,
  biginteger: numbers,
  float: numbers,
  decimal: numbers,
  boolean: flags,
  date: numbers,
  time: numbers,
  datetime: numbers,
};

export function filterOf(schema: Schema, prefix: string, parts: Parts): readonly string[] {
  const { model, dice } = parts;
  const links = linksOf(schema).flatMap((attribute) => {
    const target = attribute.kind === 'relation' || attribute.kind === 'component' ? targetOf(attribute, model) : undefined;
    return target === undefined ? [] : [{ name: attribute.name, target }];
  });
  const link = dice.chance(0.25) ? dice.pickOrNone(links) : undefined;
  const on = link === undefined ? schema : link.target;
  const scalars = scalarsOf(on).filter(({ type }) => operators[type] !== undefined);
  const attribute = dice.pickOrNone(scalars);
  if (attribute === undefined) return [];
  const path = `${prefix}${link === undefined ? '' : `[${link.name}]`}[${attribute.name}]`;
  return conditionOf(attribute, path, { ...parts, entry: link === undefined ? parts.entry : undefined });
}

function conditionOf(attribute: ScalarAttribute, path: string, { entry, dice }: Parts): readonly string[] {
  const value = valueFor(attribute, entry);
  // A value that is not there, or not of this kind, would be a wrong request.
  const operator = value === undefined ? dice.pick(['$null', '$notNull'] as const) : dice.pick(operators[attribute.type] ?? flags);
  const text = value ?? '';
  const written = (part: string) => encodeURIComponent(part);
  switch (operator) {
    case '$null':
    case '$notNull':
      return [`${path}[${operator}]=${dice.pick(['true', 'false'])}`];
    case '$in':
    case '$notIn':
      return [`${path}[${operator}][0]=${written(text)}`];
    case '$between':
      return [`${path}[$between][0]=${written(text)}`, `${path}[$between][1]=${written(text)}`];
    case '$contains':
    case '$containsi':
    case '$notContains':
    case '$startsWith':
    case '$endsWith':
      return [`${path}[${operator}]=${written(partOf(text, operator))}`];
    default:
      return [`${path}[${operator}]=${written(text)}`];
  }
}

const longestPart = 12;

/** Whole characters, so that no half of a pair is sent. */
function partOf(text: string, operator: '$contains' | '$containsi' | '$notContains' | '$startsWith' | '$endsWith'): string {
  const characters = [...text];
  return (operator === '$endsWith' ? characters.slice(-longestPart) : characters.slice(0, longestPart)).join('');
}

const longestValue = 100;

function valueFor({ name }: ScalarAttribute, entry: JsonObject | undefined): string | undefined {
  const value = entry?.[name];
  if (value === undefined || value === null || isObject(value) || Array.isArray(value) || value === '') return undefined;
  const text = String(value);
  return text.length > longestValue ? undefined : text;
}
