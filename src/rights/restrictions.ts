/** Restricts a right of a role to some fields of a type and to the rows that match a condition. A
 *  condition that cannot be read, or that lacks a value, matches no rows. */
import { createHash } from 'node:crypto';
import type { Attribute, ScalarAttribute } from '../model/content-model.ts';
import { jsonOrUndefined } from '../text/json.ts';

/** A filter as the query string would bring it: every value is a text. */
export type ConditionValue = string | null | ConditionValue[] | ConditionObject;
export interface ConditionObject {
  [key: string]: ConditionValue;
}

export interface Restriction {
  /** Equal for equal restrictions with equal values of the user; part of the keys of responses. */
  readonly key: string;
  /** Equal for restrictions that differ in the user's values alone; part of the keys of plans. */
  readonly planKey: string;
  /** Attributes that may be read or written besides `id` and `documentId`; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Marked values are the user's (`conditionText`). Undefined: every row; `nothing`: none. */
  readonly condition: ConditionObject | 'nothing' | undefined;
  /** The values that are marked in the condition. */
  readonly user: UserValues;
}

/** A row of `lectern_role_rules`. `fields` and `condition` are JSON texts. */
export interface RoleRule {
  readonly action: string;
  readonly fields: string | null;
  readonly condition: string | null;
}

/** Attributes of the calling user, by name; those without a value are left out. */
export type UserValues = ReadonlyMap<string, string>;

const secrets: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken']);
const uncomparable: ReadonlySet<string> = new Set(['password', 'json', 'blocks']);

/** Whether `$user.<name>` may stand for an attribute of users. */
export const isUserValue = (attribute: Attribute | undefined): attribute is ScalarAttribute =>
  attribute?.kind === 'scalar' && !secrets.has(attribute.name) && !uncomparable.has(attribute.type);

const placeholder = '$user.';
/** Begins a marked value of the user. Doubled, it begins a text that itself begins with it. */
const marker = '\0';

export const noRows: Restriction = { key: 'nothing', planKey: 'nothing', fields: undefined, condition: 'nothing', user: new Map() };

export function restrictionOf({ fields, condition }: RoleRule, user: UserValues): Restriction {
  return restrictTo({
    fields: fields === null ? undefined : fieldsIn(fields),
    condition: condition === null ? undefined : filled(condition, user),
    user,
  });
}

/** The only function that makes keys: equal keys share cached plans and responses. */
function restrictTo({ fields, condition, user: all }: Omit<Restriction, 'key' | 'planKey'>): Restriction {
  const user = new Map([...namesIn(condition)].sort().flatMap((name) => valueIn(all, name)));
  const planKey = digestOf([fields === undefined ? null : [...fields].sort(), condition ?? null]);
  return { fields, condition, user, planKey, key: user.size === 0 ? planKey : digestOf([planKey, ...user]) };
}

/** Rows that match a condition without values of the user. */
export const restrictionTo = (condition: ConditionObject): Restriction => restrictTo({ fields: undefined, condition, user: nobody });

export const withoutCondition = (restriction: Restriction | undefined): Restriction | undefined =>
  restriction === undefined ? undefined : restrictTo({ fields: restriction.fields, condition: undefined, user: nobody });

export const withoutFields = (restriction: Restriction | undefined): Restriction | undefined =>
  restriction === undefined ? undefined : restrictTo({ ...restriction, fields: undefined });

/** Whether a right to write leaves published rows alone: whether its condition demands
 *  `{"publishedAt": {"$null": true}}`. `rest` is what it demands besides. */
export function ofDraftsOnly(restriction: Restriction | undefined): { readonly is: boolean; readonly rest: Restriction | undefined } {
  const condition = restriction?.condition;
  if (restriction === undefined || condition === undefined || condition === 'nothing') return { is: false, rest: restriction };
  const rest = withoutDraftsOnly(condition);
  return rest === condition ? { is: false, rest: restriction } : { is: true, rest: restrictTo({ ...restriction, condition: rest }) };
}

/** The condition itself if it does not demand it; undefined if it demands nothing else. */
function withoutDraftsOnly(condition: ConditionObject): ConditionObject | undefined {
  const members = Object.entries(condition).flatMap(([name, value]): [string, ConditionValue][] => {
    if (name === 'publishedAt' && isNull(value)) return [];
    if (name !== '$and' || !Array.isArray(value)) return [[name, value]];
    const parts = value.flatMap((part) => (isGroup(part) ? (withoutDraftsOnly(part) ?? []) : part));
    const isSame = parts.length === value.length && parts.every((part, index) => part === value[index]);
    return isSame ? [[name, value]] : parts.length === 0 ? [] : [[name, parts]];
  });
  const isSame = members.length === Object.keys(condition).length && members.every(([name, value]) => condition[name] === value);
  return isSame ? condition : members.length === 0 ? undefined : Object.fromEntries(members);
}

const isGroup = (value: ConditionValue): value is ConditionObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (value: ConditionValue): boolean => isGroup(value) && Object.keys(value).length === 1 && value.$null === 'true';

const nobody: UserValues = new Map();

const valueIn = (user: UserValues, name: string): (readonly [string, string])[] => {
  const value = user.get(name);
  return value === undefined ? [] : [[name, value]];
};

/** One restriction for several that all apply: their common fields, and the conditions of all. */
export function together(restrictions: readonly (Restriction | undefined)[]): Restriction | undefined {
  const [first, ...others] = restrictions.filter((restriction) => restriction !== undefined);
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
  for (const [name, value] of one.user)
    if ((other.user.get(name) ?? value) !== value) throw new Error('two restrictions have values of different users');
  return restrictTo({ fields, condition, user: new Map([...one.user, ...other.user]) });
}

/** The name of the attribute, for a marked value of the user. */
export const userValueName = (text: string): string | undefined =>
  text.startsWith(marker) && !text.startsWith(marker, 1) ? text.slice(1) : undefined;

/** Reads a text of a condition. */
export function conditionText(text: string, user: UserValues): string {
  const name = userValueName(text);
  if (name === undefined) return text.startsWith(marker) ? text.slice(1) : text;
  const value = user.get(name);
  if (value === undefined) throw new Error(`a restriction lacks the user's ${name}`);
  return value;
}

/** The names of the user's values that are marked in a condition. */
function namesIn(condition: ConditionValue | undefined, names = new Set<string>()): Set<string> {
  if (typeof condition === 'string') {
    const name = userValueName(condition);
    if (name !== undefined) names.add(name);
  } else if (condition !== null && condition !== undefined) for (const each of Object.values(condition)) namesIn(each, names);
  return names;
}

/** The names after `$user.` in the conditions; users need not have such attributes. */
export function userAttributesIn(rules: readonly RoleRule[]): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.startsWith(placeholder)) names.add(value.slice(placeholder.length));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { condition } of rules) if (condition !== null) collect(jsonOrUndefined(condition));
  return names;
}

function fieldsIn(text: string): ReadonlySet<string> {
  const names = jsonOrUndefined(text);
  return new Set(Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : []);
}

function filled(text: string, user: UserValues): ConditionObject | 'nothing' {
  const condition = jsonOrUndefined(text);
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return 'nothing';
  try {
    return conditionObject(condition, (name) => {
      if (!user.has(name)) throw new Missing();
      return marker + name;
    });
  } catch (error) {
    // For a user without a team, `{"$not": {"team": "$user.team"}}` must match no rows.
    if (error instanceof Missing) return 'nothing';
    throw error;
  }
}

class Missing extends Error {}

/** The condition as a query string would have it. `valueFor` gives `$user.<name>`. */
export function conditionObject(condition: object, valueFor: (name: string) => string): ConditionObject {
  const value = (raw: unknown): ConditionValue => {
    if (raw === null || raw === undefined) return null;
    if (Array.isArray(raw)) return raw.map(value);
    if (typeof raw === 'object') return object(raw);
    const text = String(raw);
    if (text.startsWith(marker)) return marker + text;
    return typeof raw === 'string' && text.startsWith(placeholder) ? valueFor(text.slice(placeholder.length)) : text;
  };
  const object = (raw: object): ConditionObject => Object.fromEntries(Object.entries(raw).map(([key, each]) => [key, value(each)]));
  return object(condition);
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
