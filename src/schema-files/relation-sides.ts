/** Turns a relation into its two sides: the new type's attribute, and the other type's. */
import type { ContentType } from '../model/content-model.ts';
import { relationKinds } from '../model/scalar-types.ts';
import { didYouMean } from '../text/nearest.ts';
import { camelCase } from '../text/snake-case.ts';
import { type AttributeJson, NotationError, oneWayKinds, twoWayKinds } from './attribute-json.ts';
import type { AttributeNotation } from './attribute-notation.ts';

/** A content type that a relation may lead to. */
export interface Target extends Pick<ContentType, 'uid' | 'singularName' | 'pluralName'> {
  /** The schema file in the project; undefined for a type without one, which gets no other side. */
  readonly file: string | undefined;
  readonly attributes: ReadonlySet<string>;
}

/** The type that the command makes. */
export type Owner = Pick<Target, 'uid' | 'singularName' | 'pluralName'>;

export interface RelationSides {
  readonly own: AttributeJson;
  /** Undefined for a relation with one side. */
  readonly other: { readonly target: Target; readonly name: string; readonly json: AttributeJson } | undefined;
}

type TwoWayKind = (typeof twoWayKinds)[number];

export const isRelation = ({ type }: AttributeNotation): boolean => isTwoWay(type) || Object.hasOwn(oneWayKinds, type);
const isTwoWay = (type: string): type is TwoWayKind => twoWayKinds.some((kind) => kind === type);
const isOneWay = (type: string): type is keyof typeof oneWayKinds => Object.hasOwn(oneWayKinds, type);

/** `owner`: undefined for a component, whose relations have one side. Throws a `NotationError`. */
export function relationSides(attribute: AttributeNotation, owner: Owner | undefined, targets: readonly Target[]): RelationSides {
  const { name, type, required } = attribute;
  const { targetName, otherSide } = relationArgs(attribute, owner !== undefined);
  const target = findTarget(targetName, owner, targets);
  const mark = required ? { required: true } : {};
  if (isOneWay(type)) return { own: { type: 'relation', relation: oneWayKinds[type], target: target.uid, ...mark }, other: undefined };
  if (!isTwoWay(type) || owner === undefined) throw new NotationError(`there is no kind of relation "${type}"`);
  if (target.file === undefined)
    throw new NotationError(
      `${target.uid} has no schema file in this project, so it cannot get another side: ${withOneSide(name, type, targetName)}`,
    );
  const inverse = relationKinds[type].inverse ?? type;
  const otherName = otherSide ?? camelCase(relationKinds[inverse].cardinality === 'one' ? owner.singularName : owner.pluralName);
  if (target.attributes.has(otherName) || (target.uid === owner.uid && otherName === name))
    throw new NotationError(
      `${target.uid} already has an attribute "${otherName}", so the other side needs another name: ${name}:${type}(${targetName},${nameBeside(otherName, name)})`,
    );
  // A oneToMany never owns the links; its other side does.
  const [ownKey, otherKey] = type === 'oneToMany' ? (['mappedBy', 'inversedBy'] as const) : (['inversedBy', 'mappedBy'] as const);
  return {
    own: { type: 'relation', relation: type, target: target.uid, [ownKey]: otherName, ...mark },
    other: { target, name: otherName, json: { type: 'relation', relation: inverse, target: owner.uid, [otherKey]: name } },
  };
}

interface RelationArgs {
  readonly targetName: string;
  readonly otherSide: string | undefined;
}

/** Checks what is wrong in any project. `hasOwner`: false for a component. Throws a
 *  `NotationError`. */
export function relationArgs({ name, type, args }: AttributeNotation, hasOwner: boolean): RelationArgs {
  const [targetName, otherSide, ...more] = args;
  if (targetName === undefined || more.length > 0)
    throw new NotationError(`${type} takes a content type, and a name for the attribute on its side: ${name}:${type}(category)`);
  if (isTwoWay(type) && !hasOwner)
    throw new NotationError(`a relation of a component has no other side: ${withOneSide(name, type, targetName)}`);
  if (isOneWay(type) && otherSide !== undefined) throw new NotationError(`${type} has no other side; leave out "${otherSide}"`);
  if (otherSide !== undefined && !/^[A-Za-z]\w*$/.test(otherSide))
    throw new NotationError(`"${otherSide}" cannot be the name of an attribute`);
  return { targetName, otherSide };
}

const withOneSide = (name: string, type: TwoWayKind, targetName: string): string =>
  `${name}:${relationKinds[type].cardinality === 'one' ? 'oneWay' : 'manyWay'}(${targetName})`;

const nameBeside = (taken: string, name: string): string => camelCase(`${taken} as ${name}`);

/** Finds a type by its uid, its singular or its plural name. The error lists those that are there
 *  before the owner is made. */
function findTarget(name: string, owner: Owner | undefined, targets: readonly Target[]): Target {
  const byUid = targets.find(({ uid }) => uid === name);
  if (byUid !== undefined) return byUid;
  const named = targets.filter(({ singularName, pluralName }) => singularName === name || pluralName === name);
  // The types of the project come first: a built-in type with the same name has a uid.
  const [found, second] = [...named.filter(isOwn), ...named.filter((target) => !isOwn(target))];
  if (found !== undefined && (second === undefined || isOwn(found) !== isOwn(second))) return found;
  if (found !== undefined) throw new NotationError(`several content types are called "${name}": ${named.map(({ uid }) => uid).join(', ')}`);
  const own = targets.filter((target) => isOwn(target) && target.uid !== owner?.uid).map(({ singularName }) => singularName);
  const made = owner === undefined ? [] : [owner.singularName];
  const hint = didYouMean(name, [...own, ...made, ...targets.map(({ uid }) => uid), 'user']);
  const there = own.length === 0 ? 'the project has none yet' : `there are ${own.join(', ')}`;
  throw new NotationError(`there is no content type "${name}"; ${there}.${hint}`);
}

const isOwn = ({ uid }: Target): boolean => uid.startsWith('api::');
