/** Turns the conditions of restrictions into filters. A project's developers write the conditions,
 *  so they may name private attributes and do not count towards the limits of the request. */

import { ApiError } from '../../errors/api-error.ts';
import { userUid } from '../../model/built-in-types.ts';
import type { ContentModel, ScalarType, Schema, Uid } from '../../model/content-model.ts';
import {
  type ConditionObject,
  conditionObject,
  conditionText,
  isUserValue,
  type Restriction,
  type UserValues,
  userValueName,
} from '../../rights/restrictions.ts';
import type { ParseContext } from '../parse/context.ts';
import { parseCondition } from '../parse/filters.ts';
import type { Filter } from '../parse/types.ts';
import type { UserParameters } from './user-parameters.ts';

/** A restriction's filter; undefined if it includes every row. With `parameters`, the values
 *  of the user become parameters of the plan. */
export type FilterOf = (restriction: Restriction | undefined, schema: Schema, parameters?: UserParameters) => Filter | undefined;

export const restrictionFilters =
  (model: ContentModel): FilterOf =>
  (restriction, schema, parameters) => {
    if (restriction?.condition === undefined) return undefined;
    if (restriction.condition === 'nothing') return nothing(schema);
    try {
      const filter = parsed(restriction.condition, schema, model, textsOf(restriction.user, parameters));
      return hasEmptyGroup(filter) ? nothing(schema) : filter;
    } catch (error) {
      // A condition on a removed attribute, or an incomparable value of the user, matches no rows.
      if (!(error instanceof ApiError)) throw error;
      parameters?.fix(restriction.user.keys());
      return nothing(schema);
    }
  };

type Texts = Pick<ParseContext, 'text' | 'parameterize' | 'pattern'>;

/** Reads the texts of a condition. */
function textsOf(user: UserValues, parameters: UserParameters | undefined): Texts {
  const text = (marked: string) => {
    const name = userValueName(marked);
    const value = conditionText(marked, user);
    if (name !== undefined) parameters?.read(name, value);
    return value;
  };
  const parameterize: Texts['parameterize'] = (marked, example, reading) => {
    const name = userValueName(marked);
    return name === undefined || parameters === undefined ? example : parameters.parameterize(name, example, reading);
  };
  return { text, parameterize, pattern: (marked) => parameterize(marked, text(marked), { read: (value) => value }) };
}

/** Returns what is wrong with a condition on a type, in one sentence; undefined if it is valid.
 *  Each `$user.<name>` is checked with a sample value of that attribute's type. */
export function conditionProblem(condition: unknown, uid: Uid, model: ContentModel): string | undefined {
  const schema = model.contentTypes.get(uid);
  if (schema === undefined) return `there is no type ${uid}`;
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return 'a condition is an object, like a filter';
  const user = model.contentTypes.get(userUid);
  let unknown: string | undefined;
  const sample = (name: string): string => {
    const attribute = user?.attributes.get(name);
    if (isUserValue(attribute)) return samples[attribute.type] ?? 'text';
    unknown ??= name;
    return '';
  };
  try {
    const filled = conditionObject(condition, sample);
    if (unknown !== undefined) return `$user.${unknown} is not an attribute of users that conditions can compare with`;
    return hasEmptyGroup(parsed(filled, schema, model, textsOf(new Map(), undefined)))
      ? 'a group or a relation without conditions would hold of everything'
      : undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Parses a condition without limits: the developers of the project decide how long it is. */
const parsed = (condition: ConditionObject, schema: Schema, model: ContentModel, texts: Texts): Filter =>
  parseCondition(condition, schema, {
    model,
    spend: () => undefined,
    ...texts,
    asStrapi: false,
    known: undefined,
  });

/** In a query, an empty `$or` and a relation without conditions match every row, as in Strapi. In a
 *  restriction they are a mistake, perhaps of a program that found no user: they match no rows. */
function hasEmptyGroup(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.length === 0 || filter.operands.some(hasEmptyGroup);
    case 'not':
      return hasEmptyGroup(filter.operand);
    case 'hop':
      return hasEmptyGroup(filter.filter);
    case 'quantified': {
      const { filter: inner } = filter;
      // `$none: {}`: no related row at all; `$some: {}`: any.
      const isExpected = filter.quantifier !== 'every' && inner.kind === 'and' && inner.operands.length === 0;
      return !isExpected && hasEmptyGroup(inner);
    }
    case 'comparison':
      return false;
  }
}

/** Returns a filter that matches no row: it compares the id with a value that no id has. */
function nothing(schema: Schema): Filter {
  const id = schema.attributes.get('id');
  if (id?.kind !== 'scalar') throw new Error(`${schema.uid} has no id`);
  return { kind: 'comparison', attribute: id, comparison: { operator: 'never' } };
}

/** Sample values of the types that are not compared as text. */
const samples: Readonly<Partial<Record<ScalarType, string>>> = {
  integer: '1',
  biginteger: '1',
  float: '1',
  decimal: '1',
  boolean: 'true',
  date: '2024-01-01',
  time: '12:00:00.000',
  datetime: '2024-01-01T00:00:00.000Z',
  timestamp: '2024-01-01T00:00:00.000Z',
};
