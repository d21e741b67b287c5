/** Restrictions of rights in words: `only Title, Summary; where Author is the user`. */
import { say, type WordKey } from '../words/say.ts';
import type { Restriction } from './rights.ts';

export function restrictionWords({ fields, where }: Restriction): string {
  const parts = [
    ...(fields === undefined ? [] : [say('people.onlyFields', { fields: fields.map(nameWords).join(', ') })]),
    ...(where === undefined ? [] : [say('people.onlyWhere', { condition: conditionWords(where, []) })]),
  ];
  return parts.join('; ');
}

/** `readingMinutes` → `Reading minutes`, as the server makes labels. */
export function nameWords(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const operators: Readonly<Record<string, WordKey>> = {
  $eq: 'people.is',
  $eqi: 'people.is',
  $ne: 'people.isNot',
  $nei: 'people.isNot',
  $in: 'people.isOneOf',
  $notIn: 'people.isNoneOf',
  $lt: 'people.isBelow',
  $lte: 'people.isAtMost',
  $gt: 'people.isAbove',
  $gte: 'people.isAtLeast',
  $contains: 'people.contains',
  $containsi: 'people.contains',
  $startsWith: 'people.startsWith',
  $startsWithi: 'people.startsWith',
  $endsWith: 'people.endsWith',
  $endsWithi: 'people.endsWith',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `path`: the names of attributes that led here. */
function conditionWords(condition: unknown, path: readonly string[]): string {
  if (!isObject(condition)) return comparisonWords('$eq', condition, path);
  const parts = Object.entries(condition).map(([name, value]) => {
    if (name === '$and' || name === '$or') return listWords(name, Array.isArray(value) ? value : [value], path);
    if (name === '$not') return say('people.not', { condition: conditionWords(value, path) });
    if (name.startsWith('$')) return comparisonWords(name, value, path);
    return conditionWords(value, [...path, name]);
  });
  return parts.join(` ${say('people.and')} `);
}

function listWords(name: '$and' | '$or', list: readonly unknown[], path: readonly string[]): string {
  const words = list.map((each) => conditionWords(each, path)).join(` ${say(name === '$and' ? 'people.and' : 'people.or')} `);
  return name === '$or' && list.length > 1 ? `(${words})` : words;
}

function comparisonWords(operator: string, value: unknown, path: readonly string[]): string {
  const isEmpty = (operator === '$null') === (value !== false && value !== 'false');
  if (operator === '$null' || operator === '$notNull') {
    if (path.length === 1 && path[0] === 'publishedAt') return say(isEmpty ? 'people.isDraft' : 'people.isPublished');
    return say(isEmpty ? 'people.isEmpty' : 'people.isFilled', { attribute: pathWords(path) });
  }
  // An id says nothing to people: the user is meant.
  const isUser = value === '$user.id' && path.at(-1) === 'id';
  const attribute = pathWords(isUser && path.length > 1 ? path.slice(0, -1) : path);
  const known = operators[operator];
  if (known === undefined) return `${attribute} ${operator} ${valueWords(value)}`;
  return say(known, { attribute, value: isUser ? say('people.theUser') : valueWords(value) });
}

const pathWords = (path: readonly string[]) => path.map(nameWords).join(' › ');

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return value.startsWith('$user.') ? say('people.ofUser', { attribute: nameWords(value.slice('$user.'.length)) }) : `“${value}”`;
}
