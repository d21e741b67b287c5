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

const ofTexts = '$eq $ne $contains $containsi $notContains $startsWith $endsWith $eqi $in $null $notNull'.split(' ');
const ofNumbers = '$eq $ne $gt $gte $lt $lte $in $notIn $between $null'.split(' ');

const operators: Readonly<Partial<Record<ScalarType, readonly string[]>>> = {
  string: ofTexts,
  text: ofTexts,
  richtext: ofTexts,
  email: ofTexts,
  uid: ofTexts,
  enumeration: ['$eq', '$ne', '$in', '$null'],
  integer: ofNumbers,
  biginteger: ofNumbers,
  float: ofNumbers,
  decimal: ofNumbers,
  boolean: ['$eq', '$ne', '$null'],
  date: ofNumbers,
  time: ofNumbers,
  datetime: ofNumbers,
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
  const operator = value === undefined ? dice.pick(['$null', '$notNull']) : dice.pick(operators[attribute.type] ?? []);
  const at = `${path}[${operator}]`;
  if (operator === '$null' || operator === '$notNull') return [`${at}=${dice.pick(['true', 'false'])}`];
  const text = encodeURIComponent(/contains|with$/i.test(operator) ? partOf(value ?? '', operator) : (value ?? ''));
  if (operator === '$between') return [`${at}[0]=${text}`, `${at}[1]=${text}`];
  return [operator === '$in' || operator === '$notIn' ? `${at}[0]=${text}` : `${at}=${text}`];
}

const maxPartLength = 12;

/** Whole characters, so that no half of a pair is sent. */
function partOf(text: string, operator: string): string {
  const characters = [...text];
  return (operator === '$endsWith' ? characters.slice(-maxPartLength) : characters.slice(0, maxPartLength)).join('');
}

const maxValueLength = 100;

function valueFor({ name }: ScalarAttribute, entry: JsonObject | undefined): string | undefined {
  const value = entry?.[name];
  if (value === undefined || value === null || isObject(value) || Array.isArray(value) || value === '') return undefined;
  const text = String(value);
  return text.length > maxValueLength ? undefined : text;
}
