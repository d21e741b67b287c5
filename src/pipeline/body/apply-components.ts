/** Applies a component or dynamic zone attribute of a body. */
import { ApiError } from '../../errors/api-error.ts';
import { wrongType } from '../../model/attributes/cast.ts';
import { requiredHelp } from '../../model/attributes/required.ts';
import type { ComponentsAttribute, OwnedComponent } from '../entry/entry.ts';
import type { BodyComponents, BodyItem } from '../parse/body/types.ts';
import { type BodyProblems, writtenPath } from './body-problems.ts';
import type { BodyContext, BodyObject, ObjectContext } from './types.ts';

type StoredComponents = ReadonlyMap<string, OwnedComponent>;

const zoneItem = 'an object with __component, the name of one of the components of the dynamic zone';
const noComponent = 'Cannot build relations store from dynamiczone, component identifier is undefined';

/** Returns the wanted components; undefined if they stay as they are. */
export function applyComponents(
  attribute: ComponentsAttribute,
  object: BodyObject,
  path: readonly string[],
  context: ObjectContext,
): readonly OwnedComponent[] | undefined {
  const { strict, problems } = context;
  const { current, mode } = object;
  const inBody = object.body.components.get(attribute.name);
  const inherited = object.copied?.components.get(attribute.name);
  const isList = attribute.kind === 'dynamiczone' || attribute.cardinality === 'many';
  if (inherited !== undefined && (inBody === undefined || inBody.value === null) && inherited.length > 0) return inherited;
  if (inBody === undefined) {
    if (current !== undefined) return undefined;
    // As in Strapi, a required list is required of drafts as well, though it may be empty.
    const isEnforced = isList ? inherited === undefined : strict;
    if (attribute.required && isEnforced && mode === 'creation') problems.addUndefined(path, attribute, !strict);
    return [];
  }
  const stored = current && byRow(current.components.get(attribute.name) ?? []);
  const position = { attribute, stored, mode, path };
  return isList ? applyList(inBody, position, context) : applyOne(inBody, position, context);
}

interface ComponentPosition {
  readonly attribute: ComponentsAttribute;
  /** The stored components of the attribute; undefined in a new entry. */
  readonly stored: StoredComponents | undefined;
  readonly mode: BodyObject['mode'];
  readonly path: readonly string[];
}

function applyOne({ value, items }: BodyComponents, position: ComponentPosition, context: ObjectContext): readonly OwnedComponent[] {
  const { attribute, path } = position;
  const { strict, problems } = context;
  if (value === null) {
    if (attribute.required && strict)
      problems.addValue(path, () => ({ ...wrongType('object', null, undefined), help: requiredHelp(attribute, false) }));
    return [];
  }
  const [item] = items;
  if (Array.isArray(value) || item?.kind !== 'entry') {
    problems.addValue(path, () => wrongType('object', value, undefined));
    return [];
  }
  const component = applyItem(item, position, context);
  return component === undefined ? [] : [component];
}

function applyList({ value, items }: BodyComponents, position: ComponentPosition, context: ObjectContext): readonly OwnedComponent[] {
  const { attribute, path } = position;
  const { strict, problems } = context;
  if (!Array.isArray(value)) {
    problems.addValue(path, () => wrongType('array', value, undefined));
    return [];
  }
  const components = items.flatMap((item, index) => applyItem(item, { ...position, path: [...path, String(index)] }, context) ?? []);
  if (strict) checkCount(attribute, items.length, path, problems);
  const ids = components.flatMap(({ join }) => join?.id ?? []);
  if (new Set(ids).size < ids.length) addNotRelated(attribute, context);
  return components;
}

function applyItem(item: BodyItem, position: ComponentPosition, context: ObjectContext): OwnedComponent | undefined {
  const { attribute, stored, mode, path } = position;
  const { model, rules, problems } = context;
  if (item.kind !== 'entry') {
    addMalformed(item.value, attribute, path, context);
    return undefined;
  }
  const { entry: body } = item;
  const schema = model.components.get(body.uid);
  if (schema === undefined) return undefined;
  if (attribute.kind === 'dynamiczone' && rules.enforceSchema && !attribute.components.includes(body.uid)) {
    problems.add(
      [...path, '__component'],
      () => `${writtenPath(path)} cannot be a ${body.uid}; this zone takes ${attribute.components.join(', ')}`,
      body.uid,
    );
  }
  // As in Strapi, the id of a component in a new entry is ignored.
  if (body.id === undefined || stored === undefined) {
    const created = { body, current: undefined, copied: undefined, path, mode: rules.enforceSchema ? 'creation' : mode } as const;
    return { entry: context.applyObject(schema, created, context), join: undefined };
  }
  const component = stored.get(rowKey(body.uid, rowIdOf(body.id)));
  if (component === undefined) {
    addNotRelated(attribute, context);
    return undefined;
  }
  const updated = { body, current: component.entry, copied: undefined, path, mode: 'update' } as const;
  return { entry: context.applyObject(schema, updated, context), join: component.join };
}

const rowIdOf = (id: unknown): number =>
  typeof id === 'number' ? id : typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN;

function addNotRelated(attribute: ComponentsAttribute, { strict, problems }: BodyContext): void {
  const at = {
    attribute: attribute.name,
    hint: strict ? '' : ' (on a type with drafts, ids are those that status=draft shows)',
  };
  // Strapi's error for zones has another name and no details.
  const code = attribute.kind === 'dynamiczone' ? 'zone.not-related' : 'component.not-related';
  problems.later(() => ApiError.of(code, at).locatedAt([attribute.name]));
}

function addMalformed(value: unknown, attribute: ComponentsAttribute, path: readonly string[], context: ObjectContext): void {
  const { problems, model, missing, rules } = context;
  if (attribute.kind === 'component' || typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.addValue(path, () => wrongType('object', null, value ?? undefined));
    if (attribute.kind === 'dynamiczone') missing.addUnreadable(path, zoneItem);
    return;
  }
  const typePath = [...path, '__component'];
  const name: unknown = '__component' in value ? value.__component : undefined;
  const help = () => ({
    message: `${writtenPath(typePath)} must be a component of this zone: ${[...new Set(attribute.components)].join(', ')}`,
  });
  if (name === undefined) problems.addHelped(typePath, () => `${writtenPath(typePath)} is a required field`, help);
  else {
    if (typeof name === 'object') problems.addValue(typePath, () => wrongType('string', name, undefined));
    problems.addHelped(
      typePath,
      () => `${writtenPath(typePath)} must be one of the following values: ${[...model.components.keys()].join(', ')}`,
      help,
      typeof name === 'object' ? name : String(name),
    );
  }
  // The second problem is Strapi's.
  if (rules.enforceSchema) return;
  missing.addUnreadable(path, zoneItem, name === undefined || name === null || name === '' ? noComponent : undefined);
}

export function checkCount(attribute: ComponentsAttribute, count: number, path: readonly string[], problems: BodyProblems): void {
  const { min, max } = attribute;
  if (max !== undefined && count > max) problems.add(path, () => `${writtenPath(path)} field must have less than or equal to ${max} items`);
  if (min !== undefined && count < min && (attribute.required || count > 0))
    problems.add(path, () => `${writtenPath(path)} field must have at least ${min} items`);
}

const rowKey = (uid: string, id: number | undefined): string => `${uid} ${id}`;
const byRow = (components: readonly OwnedComponent[]): StoredComponents =>
  new Map(components.map((component) => [rowKey(component.entry.schema.uid, component.entry.id), component]));
