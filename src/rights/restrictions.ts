/** What the right of a role may be limited to: some fields of a type, and the rows that a condition holds of. What cannot be read or filled in
 *  holds of nothing: a limit that is broken must not open what it was made to close. */
import { createHash } from 'node:crypto';
import type { Attribute, ScalarAttribute } from '../model/content-model.ts';

/** A filter as the query string would bring it: every value is a text. */
export type ConditionValue = string | null | ConditionValue[] | ConditionObject;
export interface ConditionObject {
  [key: string]: ConditionValue;
}

export interface Restriction {
  /** Equal for equal limits; part of the keys of plans. */
  readonly key: string;
  /** Attributes that may be read or written besides `id` and `documentId`; undefined for all of them. */
  readonly fields: ReadonlySet<string> | undefined;
  /** With the values of the user who asks filled in. Undefined: every row; `nothing`: none. */
  readonly condition: ConditionObject | 'nothing' | undefined;
}

export const noRows: Restriction = { key: 'nothing', fields: undefined, condition: 'nothing' };

/** A row of `lectern_role_rules`. `fields` and `condition` are JSON texts. */
export interface RoleRule {
  readonly action: string;
  readonly fields: string | null;
  readonly condition: string | null;
}

/** Attributes of the user who asks, by name; those without a value are left out. */
export type UserValues = ReadonlyMap<string, string>;

const secrets: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken']);
const uncomparable: ReadonlySet<string> = new Set(['password', 'json', 'blocks']);

/** Whether `$user.<name>` may stand for an attribute of users. */
export const isUserValue = (attribute: Attribute | undefined): attribute is ScalarAttribute =>
  attribute?.kind === 'scalar' && !secrets.has(attribute.name) && !uncomparable.has(attribute.type);

const placeholder = '$user.';

export function restrictionOf({ fields, condition }: RoleRule, user: UserValues): Restriction {
  return limitTo({
    fields: fields === null ? undefined : fieldsIn(fields),
    condition: condition === null ? undefined : filled(condition, user),
  });
}

/** The one place where limits get their keys: one that was changed and kept its key would be answered by the plan of the other. */
const limitTo = (parts: Omit<Restriction, 'key'>): Restriction => ({ ...parts, key: keyOf(parts) });

export const withoutCondition = (limit: Restriction | undefined): Restriction | undefined =>
  limit === undefined ? undefined : limitTo({ fields: limit.fields, condition: undefined });

export const withoutFields = (limit: Restriction | undefined): Restriction | undefined =>
  limit === undefined ? undefined : limitTo({ fields: undefined, condition: limit.condition });

/** Several limits that all hold are one: the fields that each of them has, and the conditions of all. */
export function together(limits: readonly (Restriction | undefined)[]): Restriction | undefined {
  const [first, ...others] = limits.filter((limit) => limit !== undefined);
  return first === undefined ? undefined : others.reduce(both, first);
}

function both(one: Restriction, other: Restriction): Restriction {
  const fields =
    one.fields === undefined || other.fields === undefined
      ? (one.fields ?? other.fields)
      : new Set([...one.fields].filter((name) => other.fields?.has(name)));
  const condition =
    one.condition === undefined || other.condition === undefined
      ? (one.condition ?? other.condition)
      : one.condition === 'nothing' || other.condition === 'nothing'
        ? 'nothing'
        : { $and: [one.condition, other.condition] };
  return limitTo({ fields, condition });
}

/** The attributes of the user that the conditions name, whether or not there are such. */
export function userAttributesIn(rules: readonly RoleRule[]): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.startsWith(placeholder)) names.add(value.slice(placeholder.length));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { condition } of rules) if (condition !== null) collect(parsed(condition));
  return names;
}

function fieldsIn(text: string): ReadonlySet<string> {
  const names = parsed(text);
  return new Set(Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : []);
}

function filled(text: string, user: UserValues): ConditionObject | 'nothing' {
  const condition = parsed(text);
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return 'nothing';
  try {
    return conditionObject(condition, (name) => {
      const value = user.get(name);
      if (value === undefined) throw new Missing();
      return value;
    });
  } catch (error) {
    // `{"$not": {"team": "$user.team"}}` for somebody without a team must not become true of everything, so the whole is false.
    if (error instanceof Missing) return 'nothing';
    throw error;
  }
}

class Missing extends Error {}

/** The condition as a query string would have it. `valueFor` answers what stands for `$user.<name>`. */
export function conditionObject(condition: object, valueFor: (name: string) => string): ConditionObject {
  const value = (given: unknown): ConditionValue => {
    if (given === null || given === undefined) return null;
    if (Array.isArray(given)) return given.map(value);
    if (typeof given === 'object') return object(given);
    const text = String(given);
    return typeof given === 'string' && text.startsWith(placeholder) ? valueFor(text.slice(placeholder.length)) : text;
  };
  const object = (given: object): ConditionObject => Object.fromEntries(Object.entries(given).map(([key, each]) => [key, value(each)]));
  return object(condition);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keyOf({ fields, condition }: Pick<Restriction, 'fields' | 'condition'>): string {
  const text = JSON.stringify([fields === undefined ? null : [...fields].sort(), condition ?? null]);
  return createHash('sha256').update(text).digest('base64url');
}
