import type { DateStep } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey } from '../../errors/invalid-key.ts';
import type { Attribute, ContentType, ScalarAttribute } from '../../model/content-model.ts';
import { targetOf } from '../../model/content-model.ts';
import { type GroupKind, groupKind } from '../../model/group-kind.ts';
import { isScalar, type ParseContext, visibleAttribute } from './context.ts';
import { isQueryObject, type QueryObject, type QueryValue } from './query-string.ts';
import { type GroupFunction, type Grouping, type GroupKey, groupFunctions, groupLimits, type Pagination } from './types.ts';

const maxKeys = 2;

/** What a function of a group can be computed from. */
const computable: Readonly<Record<GroupFunction, readonly GroupKind[]>> = {
  avg: ['number'],
  sum: ['number'],
  min: ['number', 'date', 'time'],
  max: ['number', 'date', 'time'],
};

/** `groupBy=category,publishedAt:month&count&avg=rating&sort=-count` gives the keys `category` and
 *  `publishedAt` with the step `month`, and the function `avg` of `rating`. */
export function parseGrouping(query: QueryObject, type: ContentType, context: ParseContext): Grouping {
  const by = namesIn(query.groupBy, 'groupBy').map((name) => keyOf(name, type, context));
  const names = new Set(by.map(({ attribute }) => attribute.name));
  if (by.length > maxKeys || names.size < by.length) throw refused('groupBy', `at most ${maxKeys} different attributes`);
  const functions = groupFunctions.flatMap((name) =>
    [...new Set(namesIn(query[name], name))].map((attribute) => ({ name, attribute: computed(attribute, name, type, context) })),
  );
  return { by, functions, withCount: isSwitchedOn(query.count, functions.length === 0), order: orderOf(query.sort) };
}

/** A row more than the limit shows that there are more groups. */
export function parseGroupPage(value: QueryValue | undefined): Pagination {
  const { limit = String(groupLimits.byDefault), ...others } = isQueryObject(value) ? value : {};
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused('pagination', `pagination[limit] alone, received: pagination[${other.slice(0, 100)}]`);
  const size = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : Number.NaN;
  if (!Number.isInteger(size) || size < 1) throw ApiError.of('pagination.limit', { received: String(limit) });
  return { kind: 'groups', limit: Math.min(size, groupLimits.most) + 1, offset: 0, withCount: false };
}

const refused = (parameter: string, expected: string): ApiError => ApiError.of('groups.parameter', { parameter, expected });

function keyOf(text: string, type: ContentType, context: ParseContext): GroupKey {
  const [name = '', step] = text.split(':');
  const attribute = visibleAttribute(type, name, '', 'groupBy', context, isKey);
  if (attribute.kind === 'scalar' && isKey(attribute)) return { kind: 'value', attribute, step: stepOf(step, attribute) };
  const target = attribute.kind === 'relation' && isKey(attribute) ? targetOf(attribute, context.model) : undefined;
  if (attribute.kind !== 'relation' || target === undefined || step !== undefined) throw invalidKey(text, name, 'groupBy');
  context.spend('hops', `groupBy: ${name}`);
  return { kind: 'related', attribute, hop: { attribute, target, path: name }, title: undefined };
}

/** Whether groups can be made by an attribute: by a value, or by a relation to one document. */
const isKey = (attribute: Attribute): boolean => groupKind(attribute) !== undefined;

function stepOf(text: string | undefined, attribute: ScalarAttribute): DateStep | undefined {
  if (text === undefined) return undefined;
  const step = (['year', 'month', 'day'] as const).find((each) => each === text);
  if (step === undefined || groupKind(attribute) !== 'date')
    throw refused('groupBy', `${attribute.name}, or the year, month or day of a date`);
  return step;
}

function computed(name: string, by: GroupFunction, type: ContentType, context: ParseContext): ScalarAttribute {
  const fits = (attribute: Attribute) => computable[by].some((kind) => kind === groupKind(attribute));
  const attribute = visibleAttribute(type, name, '', by, context, isScalar);
  if (attribute.kind !== 'scalar' || !fits(attribute)) throw invalidKey(name, name, by);
  return attribute;
}

function namesIn(value: QueryValue | undefined, parameter: string): string[] {
  if (value === undefined || value === null) return [];
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === 'string')) throw refused(parameter, 'names of attributes');
  return texts.flatMap((text) => text.split(',')).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
}

/** `count`, `count=` and `count=true` */
function isSwitchedOn(value: QueryValue | undefined, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (value === null || value === '' || value === 'true') return true;
  if (value === 'false') return false;
  throw refused('count', 'true or false');
}

/** `-count` and `count:desc` */
function orderOf(value: QueryValue | undefined): Grouping['order'] {
  if (value === undefined || value === null || value === '') return { by: 'count', direction: 'desc' };
  const [, minus, by, word] = (typeof value === 'string' && /^(-?)(count|key)(?::(asc|desc))?$/.exec(value)) || [];
  if (by === undefined || (minus === '-' && word !== undefined)) throw refused('sort', 'count, -count, key or -key');
  return { by: by === 'key' ? 'key' : 'count', direction: minus === '-' || word === 'desc' ? 'desc' : 'asc' };
}
