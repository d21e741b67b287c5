/** Values of documents as the page has them: what the API returned, and what was made of it. Pure. */
import type { DescribedAttribute, DescribedComponent } from '../../../http/endpoints/me/described-me.ts';
import { isSameJson } from '../editors/shared/same-json.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A component as the page has it. One that is not stored yet has no `id`. */
export interface ComponentValue {
  readonly id?: number | string;
  readonly __component?: string;
  /** Known to the page alone: tells entries of a list apart. */
  readonly __key?: string;
  readonly [attribute: string]: unknown;
}

/** A document as a relation has it. */
export interface LinkedDocument {
  readonly id?: number;
  readonly documentId: string;
  /** Of relations to any type. */
  readonly __type?: string;
  readonly [attribute: string]: unknown;
}

export type ComponentOf = (uid: string) => DescribedComponent | undefined;

let nextKey = 1;
/** A new entry of a list, with the defaults of its component. */
export function newComponent(uid: string, componentOf: ComponentOf, inZone: boolean): ComponentValue {
  return {
    ...(inZone ? { __component: uid } : {}),
    __key: `n${nextKey++}`,
    ...defaultsOf(componentOf(uid)?.attributes ?? []),
  };
}

export const defaultsOf = (attributes: readonly DescribedAttribute[]): Values =>
  Object.fromEntries(attributes.filter((each) => each.default !== undefined).map((each) => [each.name, each.default]));

/** A copy whose components are stored as their own. Documents and files are linked, not copied.
 *  `locale`: of the document that gets the copy, to whose locale its links then lead. */
export function copyOf(attribute: DescribedAttribute, value: unknown, componentOf: ComponentOf, locale?: string): unknown {
  const each = (one: unknown): unknown => {
    if (!isRecord(one)) return one;
    switch (attribute.type) {
      case 'component':
        return copyOfEntry(one, attribute.component ?? '', componentOf, locale);
      case 'dynamiczone':
        return copyOfEntry(one, String(one.__component), componentOf, locale);
      case 'relation':
        return typeof one.locale === 'string' && locale !== undefined ? { ...one, locale } : one;
      default:
        return one;
    }
  };
  return Array.isArray(value) ? value.map(each) : each(value);
}

export function copyOfEntry(entry: ComponentValue, uid: string, componentOf: ComponentOf, locale?: string): ComponentValue {
  const { id: _, __key: __, ...rest } = entry;
  const attributes = new Map(componentOf(uid)?.attributes.map((each) => [each.name, each]));
  const copied = Object.entries(rest).map(([name, value]) => {
    const attribute = attributes.get(name);
    return [name, attribute === undefined ? value : copyOf(attribute, value, componentOf, locale)] as const;
  });
  return { ...Object.fromEntries(copied), __key: `n${nextKey++}` };
}

/** Gives the entries of lists the keys that they had in the page before they were stored, so that what
 *  is open stays open. */
export function withKeys<Value>(value: Value, former: unknown): Value {
  if (Array.isArray(value)) {
    // Of another length: others have changed it, and nothing says which entry was which.
    const isSameList = Array.isArray(former) && former.length === value.length;
    return isSameList ? (value.map((each, index) => withKeys(each, former[index])) as Value) : value;
  }
  if (!isRecord(value) || !isRecord(former) || typeof value.documentId === 'string') return value;
  const { __key } = former as ComponentValue;
  const isEntry = value.id !== undefined && value.__component === former.__component && (former.id === undefined || former.id === value.id);
  if (!isEntry) return value;
  const inside = Object.entries(value).map(([name, each]) => [name, withKeys(each, former[name])]);
  return { ...Object.fromEntries(inside), ...(__key === undefined ? {} : { __key }) } as Value;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Nothing, an empty text and an empty list are the same: nothing was written. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether two values of an attribute are the same for whoever reads them. */
export function isSame(attribute: DescribedAttribute, a: unknown, b: unknown, componentOf: ComponentOf): boolean {
  if (a === b) return true;
  switch (attribute.type) {
    // Every detail of these is content.
    case 'json':
    case 'blocks':
      return isSameJson(a ?? null, b ?? null);
    case 'relation':
    case 'media':
      return isSameJson(entriesOf(a).map(idOf), entriesOf(b).map(idOf));
    case 'component':
    case 'dynamiczone': {
      const [left, right] = [entriesOf(a), entriesOf(b)];
      return left.length === right.length && left.every((each, index) => isSameEntry(attribute, each, right[index], componentOf));
    }
    default:
      // Numbers that JavaScript cannot hold are objects (`exact-json.ts`).
      return isEmpty(a) ? isEmpty(b) : !isEmpty(b) && String(a) === String(b);
  }
}

/** One, many or none, as a list. */
const entriesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);
/** Of a document and of a file only which one it is counts. */
const idOf = (value: unknown): unknown => (isRecord(value) ? (value.documentId ?? value.id ?? null) : value);

function isSameEntry(attribute: DescribedAttribute, a: unknown, b: unknown, componentOf: ComponentOf): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  if (a.id !== b.id || a.__component !== b.__component) return false;
  const uid = attribute.component ?? String(a.__component);
  return (componentOf(uid)?.attributes ?? []).every((each) => isSame(each, a[each.name], b[each.name], componentOf));
}

/** The same for two versions of a document, whose components have ids of their own. */
export const isSameContent = (attribute: DescribedAttribute, a: unknown, b: unknown, componentOf: ComponentOf): boolean =>
  isSame(attribute, copyOf(attribute, a, componentOf), copyOf(attribute, b, componentOf), componentOf);

/** Whether the values of an attribute, by its name, are the same. */
export type IsSame = (name: string, a: unknown, b: unknown) => boolean;

export function sameIn(attributes: readonly DescribedAttribute[], componentOf: ComponentOf): IsSame {
  const byName = new Map(attributes.map((each) => [each.name, each]));
  return (name, a, b) => {
    const attribute = byName.get(name);
    // What has gone from the type is no change of the user's.
    return attribute === undefined || isSame(attribute, a, b, componentOf);
  };
}

/** The attributes whose values differ. */
export const changedNames = (values: Values, before: Values, same: IsSame): readonly string[] =>
  Object.keys(values).filter((name) => !same(name, values[name], before[name]));

/** The merge of what was typed with what others have saved meanwhile. */
export interface Merged {
  /** What was typed and nobody else has changed. */
  readonly kept: Values;
  /** The attributes that both have changed. */
  readonly conflicts: readonly string[];
}

export type Join = (name: string, typed: unknown, base: unknown, current: unknown) => unknown;

/** `typed`: what the user has changed; `base`: what it was then; `current`: what it is now. `join`: the
 *  value of an attribute that has both changes; undefined if it cannot have both. */
export function merge(
  typed: Values,
  base: Values,
  current: Values,
  { same, join = () => undefined }: { readonly same: IsSame; readonly join?: Join },
): Merged {
  const names = Object.keys(typed).filter((name) => !same(name, typed[name], current[name]));
  const twice = names.filter((name) => !same(name, base[name], current[name]));
  const joined = new Map(
    twice.map((name) => [name, join(name, typed[name], base[name], current[name])] as const).filter(([, value]) => value !== undefined),
  );
  return {
    kept: Object.fromEntries(names.map((name) => [name, joined.get(name) ?? typed[name]])),
    conflicts: twice.filter((name) => !joined.has(name)),
  };
}
