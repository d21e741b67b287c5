import { grouped } from '../../../collections.ts';
import type { Config } from '../../../config/config.ts';
import { userUid } from '../../../model/built-in-types.ts';
import type { Attribute, ContentModel, ContentType, Schema, Uid } from '../../../model/content-model.ts';
import { titleAttribute } from '../../../model/title-attribute.ts';
import { managementAccess, type Rights } from '../../../rights/rights.ts';
import { Visible } from '../../../rights/visible.ts';
import type { SearchIndexes } from '../../../search/search-index.ts';
import { atPrefix } from '../../routes/api-prefix.ts';
import { handlingOf, isOfHistory, isOfSchedule, type Route } from '../../routes/routes.ts';
import { typeToSearch } from '../content/search-endpoint.ts';
import { type Access, describeAttribute } from './describe-attribute.ts';
import type {
  DescribedAction,
  DescribedActions,
  DescribedAttribute,
  DescribedComponent,
  DescribedOne,
  DescribedRights,
  DescribedType,
  ListedType,
  TypeAction,
} from './described-me.ts';

export interface DescribeRightsParts {
  readonly model: ContentModel;
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly searchIndexes?: SearchIndexes | undefined;
}

/** Describes what callers with these rights may read and write, by the walk of the OpenAPI document
 *  (`Visible`). */
export function describeRights(parts: DescribeRightsParts, rights: Rights): DescribedRights {
  const { model, config, routes } = parts;
  const visible = new Visible(model, config, rights);
  const available = routes.filter(isServed);
  const types = [...foundTypes(parts, rights)].map(([type, found]) => describeType(type, found, visible));
  return {
    prefix: config.api.prefix,
    types: types.sort(byLabel),
    components: componentsIn(types, model, visible),
    actions: [...new Set([...available.filter(isFurther).map(({ action }) => action), managementAccess])]
      .filter((action) => rights.allows(action))
      .sort(),
  };
}

/** The content types of the project, without their attributes. */
export const listTypes = (parts: DescribeRightsParts, rights: Rights): readonly ListedType[] =>
  [...foundTypes(parts, rights)]
    .filter(([{ routed }]) => routed)
    .map(([type, { actions }]): ListedType => {
      const { uid, kind, description, draftAndPublish, localized } = type;
      const about = { label: labelOf(type), ...(description === undefined ? {} : { description }) };
      return { uid, kind, ...about, draftAndPublish, localized, actions: Object.keys(actions) };
    })
    .sort(byLabel);

/** One of these types, with the components that it contains; undefined for any other uid. */
export function describeOne(parts: DescribeRightsParts, rights: Rights, uid: string): DescribedOne | undefined {
  const { model, config } = parts;
  const [found] = foundTypes(parts, rights, uid);
  if (found?.[0].routed !== true) return undefined;
  const visible = new Visible(model, config, rights);
  const type = describeType(...found, visible);
  return { type, components: componentsIn([type], model, visible) };
}

/** The types that the caller may do something with; `uid` selects one of them. */
function foundTypes(parts: DescribeRightsParts, rights: Rights, uid?: string): Map<ContentType, Found> {
  const { model, config, routes } = parts;
  const ofTypes = grouped(routes.filter(isServed), ({ serves }) => ('type' in serves ? serves.type : undefined));
  const types = [...model.contentTypes.values()].filter((type) => uid === undefined || type.uid === uid);
  return new Map(
    types.flatMap((type): [ContentType, Found][] => {
      const own = ofTypes.get(type) ?? [];
      const found = type.uid === userUid ? userType(config, rights) : type.routed ? projectType(type, own, rights, parts) : undefined;
      return found === undefined ? [] : [[type, found]];
    }),
  );
}

const isServed = (route: Route) => handlingOf(route) !== 'refused';
const isFurther = ({ serves, isUnrestricted }: Route) => (serves.kind === 'endpoint' || serves.kind === 'code') && isUnrestricted !== true;

type Labelled = Pick<DescribedType, 'label' | 'uid'>;
const byLabel = (a: Labelled, b: Labelled) => a.label.localeCompare(b.label, 'en') || (a.uid < b.uid ? -1 : 1);

/** What the server has for a type besides its documents, and the caller may use. */
type Offers = Pick<DescribedType, 'hasHistory' | 'hasSchedule' | 'hasSearch'>;

const nothing: Offers = { hasHistory: false, hasSchedule: false, hasSearch: false };

interface Found {
  readonly path: string;
  readonly actions: DescribedActions;
  readonly offers?: Offers;
  readonly accessOf: (visible: Visible, type: ContentType) => (attribute: Attribute) => Access;
}

const allowed = (rights: Rights, action: string): DescribedAction | undefined =>
  rights.allows(action) ? { isRestricted: rights.restriction(action)?.condition !== undefined } : undefined;

/** Without the actions that are undefined. */
const present = (actions: Readonly<Partial<Record<TypeAction, DescribedAction | undefined>>>): DescribedActions =>
  Object.fromEntries(Object.entries(actions).filter(([, action]) => action !== undefined));

const has = (actions: DescribedActions) => Object.keys(actions).length > 0;

/** Routes that code of the project serves with another prefix, or leaves out, count as they are. */
function projectType(type: ContentType, own: readonly Route[], rights: Rights, parts: DescribeRightsParts): Found | undefined {
  const { policies, api } = parts.config;
  const isRouted = new Set(own.map(({ action }) => action));
  const action = (name: TypeAction) => (isRouted.has(`${type.uid}.${name}`) ? allowed(rights, `${type.uid}.${name}`) : undefined);
  const isSingle = type.kind === 'singleType';
  const find = action('find');
  const findOne = isSingle ? undefined : action('findOne');
  const reads = find ?? findOne;
  const actions = present({
    find,
    findOne,
    findDraft:
      !type.draftAndPublish || reads === undefined
        ? undefined
        : policies.draftsNeedRight
          ? allowed(rights, `${type.uid}.findDraft`)
          : reads,
    create: isSingle ? undefined : action('create'),
    update: action('update'),
    delete: action('delete'),
    publish: type.draftAndPublish ? action('publish') : undefined,
    // The numbers are those of the caller's list.
    aggregate: find === undefined ? undefined : action('aggregate'),
  });
  if (!has(actions)) return undefined;
  const path = own.find(({ serves }) => serves.kind === 'content' && serves.target !== 'document')?.path;
  return {
    path: path ?? atPrefix(`/api/${isSingle ? type.singularName : type.pluralName}`, api.prefix),
    actions,
    offers: {
      hasHistory: own.some(isOfHistory) && [isSingle ? find : findOne, actions.update].every((each) => each?.isRestricted === false),
      hasSchedule: own.some(isOfSchedule) && actions.publish !== undefined,
      hasSearch: find !== undefined && isSearched(type, rights, parts),
    },
    accessOf: (visible) => {
      // The document of a single type is made by an update.
      const create = isSingle ? 'update' : 'create';
      const named = (name: 'create' | 'update') =>
        actions[name] === undefined ? new Set<Attribute>() : new Set(visible.writable(type, `${type.uid}.${name}`));
      return accessBy(reads === undefined ? [] : visible.attributes(type), named(create), named('update'));
    },
  };
}

function isSearched({ uid }: ContentType, rights: Rights, { config, searchIndexes }: DescribeRightsParts): boolean {
  const index = searchIndexes?.get(uid);
  return index !== undefined && typeToSearch(index, rights, null, config).length > 0;
}

/** Users have endpoints of their own, without an envelope. */
function userType({ api }: Config, rights: Rights): Found | undefined {
  const action = (name: string) => allowed(rights, `${userUid}.${name}`);
  const actions = present({
    find: action('find'),
    findOne: action('findOne'),
    create: action('create'),
    update: action('update'),
    delete: action('destroy'),
  });
  if (!has(actions)) return undefined;
  return {
    path: atPrefix('/api/users', api.prefix),
    actions,
    accessOf: (visible, type) => {
      const role = type.attributes.get('role');
      const named = (name: 'create' | 'update') =>
        new Set<Attribute>(
          actions[name] === undefined ? [] : [...visible.writableOfUsers(type, name), ...(role === undefined ? [] : [role])],
        );
      const mayRead = actions.find !== undefined || actions.findOne !== undefined;
      return accessBy(mayRead ? visible.attributes(type) : [], named('create'), named('update'));
    },
  };
}

function accessBy(readable: readonly Attribute[], creatable: ReadonlySet<Attribute>, updatable: ReadonlySet<Attribute>) {
  const read = new Set(readable);
  return (attribute: Attribute): Access => ({
    canRead: read.has(attribute),
    canCreate: creatable.has(attribute),
    canUpdate: updatable.has(attribute),
  });
}

function describeType(type: ContentType, { path, actions, offers = nothing, accessOf }: Found, visible: Visible): DescribedType {
  const { uid, kind, singularName, pluralName, draftAndPublish, localized } = type;
  return {
    uid,
    kind,
    path,
    singularName,
    pluralName,
    draftAndPublish,
    localized,
    ...offers,
    actions,
    ...describeSchema(type, accessOf(visible, type), visible),
  };
}

const labelOf = ({ lectern, displayName }: Schema): string => lectern?.label ?? displayName;

/** What types and components have in common. */
function describeSchema(schema: Schema, accessOf: (attribute: Attribute) => Access, visible: Visible) {
  const described = [...schema.attributes.values()].flatMap((attribute): DescribedAttribute[] => {
    const access = accessOf(attribute);
    const isKnown = access.canRead || access.canCreate || access.canUpdate;
    return isKnown ? [describeAttribute(attribute, schema, access, visible)] : [];
  });
  const known = new Set(described.map(({ name }) => name));
  // The attribute that a uid is made from may be hidden.
  const attributes = described.map(({ targetField, ...rest }) =>
    targetField === undefined || !known.has(targetField) ? rest : { ...rest, targetField },
  );
  const title = titleAttribute(
    schema,
    attributes.filter(({ canRead, isSystem, hasColumn }) => canRead && !isSystem && hasColumn),
  )?.name;
  const used = new Set(attributes.map(({ lectern }) => lectern?.group));
  return {
    label: labelOf(schema),
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(title === undefined ? {} : { title }),
    attributes,
    // A group whose attributes are hidden is not named either.
    groups: (schema.lectern?.groups ?? []).filter(({ name }) => used.has(name)),
  };
}

/** The components that attributes lead to, and those within these. Rights name no fields of components. */
function componentsIn(types: readonly DescribedType[], model: ContentModel, visible: Visible): Record<Uid, DescribedComponent> {
  const found = new Map<Uid, DescribedComponent>();
  const waiting: Uid[] = types.flatMap(({ attributes }) => attributes.flatMap(componentsOf));
  for (let uid = waiting.pop(); uid !== undefined; uid = waiting.pop()) {
    const component = model.components.get(uid);
    if (component === undefined || found.has(uid)) continue;
    const writable = new Set(visible.writable(component, undefined));
    const described = { uid, ...describeSchema(component, accessBy(visible.attributes(component), writable, writable), visible) };
    found.set(uid, described);
    waiting.push(...described.attributes.flatMap(componentsOf));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const componentsOf = ({ component, components = [] }: DescribedAttribute): readonly Uid[] =>
  component === undefined ? components : [component];
