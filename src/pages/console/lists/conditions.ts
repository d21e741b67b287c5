/** What a list can be filtered by: conditions on attributes, in the words of people. */
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';

export type Operator =
  | 'contains'
  | 'notContains'
  | 'is'
  | 'isNot'
  | 'startsWith'
  | 'endsWith'
  | 'equals'
  | 'over'
  | 'under'
  | 'between'
  | 'on'
  | 'before'
  | 'after'
  | 'lastDays'
  | 'yes'
  | 'no'
  | 'anyOf'
  | 'isEmpty'
  | 'isNotEmpty';

export interface Condition {
  /** The name of an attribute, or `status`. */
  readonly attribute: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export type Kind = 'text' | 'number' | 'date' | 'datetime' | 'time' | 'boolean' | 'enumeration' | 'relation' | 'media' | 'status';

const texts: readonly Operator[] = ['contains', 'notContains', 'is', 'isNot', 'startsWith', 'endsWith', 'isEmpty', 'isNotEmpty'];
const dates: readonly Operator[] = ['on', 'before', 'after', 'between', 'lastDays', 'isEmpty', 'isNotEmpty'];

/** The first one is offered first. */
export const operatorsOf: Readonly<Record<Kind, readonly Operator[]>> = {
  text: texts,
  number: ['equals', 'over', 'under', 'between', 'isEmpty', 'isNotEmpty'],
  date: dates,
  datetime: dates,
  time: ['equals', 'before', 'after', 'isEmpty', 'isNotEmpty'],
  boolean: ['yes', 'no', 'isEmpty'],
  enumeration: ['anyOf', 'isEmpty', 'isNotEmpty'],
  relation: ['anyOf', 'isEmpty', 'isNotEmpty'],
  media: ['isNotEmpty', 'isEmpty'],
  status: ['anyOf'],
};

export type ValueCount = 'none' | 'one' | 'two' | 'many';

const counts: Readonly<Partial<Record<Operator, ValueCount>>> = {
  between: 'two',
  anyOf: 'many',
  yes: 'none',
  no: 'none',
  isEmpty: 'none',
  isNotEmpty: 'none',
};
export const valueCountOf = (operator: Operator): ValueCount => counts[operator] ?? 'one';

const kinds: Readonly<Partial<Record<string, Kind>>> = {
  string: 'text',
  text: 'text',
  richtext: 'text',
  email: 'text',
  uid: 'text',
  integer: 'number',
  biginteger: 'number',
  float: 'number',
  decimal: 'number',
  date: 'date',
  datetime: 'datetime',
  timestamp: 'datetime',
  time: 'time',
  boolean: 'boolean',
  enumeration: 'enumeration',
  media: 'media',
};

/** Undefined for what cannot be filtered by: components, zones, JSON, relations to any type. */
function kindOf(attribute: DescribedAttribute): Kind | undefined {
  if (attribute.type !== 'relation') return kinds[attribute.type];
  return attribute.target === undefined || attribute.name === 'localizations' ? undefined : 'relation';
}

export const statusName = 'status';
export const statuses = ['draft', 'modified', 'published'] as const;
export type RowStatus = (typeof statuses)[number];

/** Who may see drafts sees them in lists, and which of them are published. */
export const showsDrafts = ({ draftAndPublish, actions }: DescribedType): boolean => draftAndPublish && actions.findDraft !== undefined;

/** `locale` is chosen beside the list, and `publishedAt` is empty in drafts. */
function isHidden({ name }: DescribedAttribute, type: DescribedType): boolean {
  return name === 'locale' || name === 'localizations' || (name === 'publishedAt' && showsDrafts(type));
}

export const shownAttributes = (type: DescribedType): readonly DescribedAttribute[] =>
  type.attributes.filter((attribute) => attribute.canRead && !isHidden(attribute, type));

export interface Filterable {
  readonly name: string;
  readonly kind: Kind;
  /** Undefined for the status. */
  readonly attribute: DescribedAttribute | undefined;
}

/** What the documents of a type can be filtered by, those of the schema file first. */
export function filterablesOf(type: DescribedType): readonly Filterable[] {
  const found = shownAttributes(type).flatMap((attribute): Filterable[] => {
    const kind = kindOf(attribute);
    return kind === undefined || attribute.name === 'id' ? [] : [{ name: attribute.name, kind, attribute }];
  });
  const own = found.filter(({ attribute }) => attribute?.isSystem !== true);
  const system = found.filter(({ attribute }) => attribute?.isSystem === true);
  // A type may have an attribute of this name, which then comes first.
  const status: Filterable[] =
    showsDrafts(type) && !found.some(({ name }) => name === statusName) ? [{ name: statusName, kind: 'status', attribute: undefined }] : [];
  return [...status, ...own, ...system];
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Whether it can be asked for: it has as many values as its operator needs, of the right form. */
export function isComplete({ operator, values }: Condition, { kind, attribute }: Filterable): boolean {
  if (!operatorsOf[kind].includes(operator)) return false;
  const wanted = { none: values.length === 0, one: values.length === 1, two: values.length === 2, many: values.length > 0 };
  if (!wanted[valueCountOf(operator)] || values.some((value) => value === '')) return false;
  if (operator === 'lastDays') return values.every((value) => /^\d{1,5}$/.test(value));
  switch (kind) {
    case 'number':
      return values.every(isNumber);
    case 'date':
    case 'datetime':
      return values.every(isDay);
    case 'time':
      return values.every((value) => /^\d{2}:\d{2}(:\d{2}(\.\d{3})?)?$/.test(value));
    case 'enumeration':
      return values.every((value) => attribute?.enum?.includes(value));
    case 'status':
      return values.length === 1 && values.every((value) => (statuses as readonly string[]).includes(value));
    default:
      return true;
  }
}
