/** Turns a relation as a schema file has it into one with the table and columns that store it. */

import { isObject, type JsonObject, objectAt, stringAt } from '../../text/json.ts';
import type { InverseMorphLink, MorphColumns, MorphLink, RelationAttribute, RelationKind, RelationStorage, Uid } from '../content-model.ts';
import { idColumnName, morphTableName, typeColumnName } from '../naming.ts';
import { isRelationKind, relationKinds } from '../scalar-types.ts';
import { suggest } from '../schema-file/read-keys.ts';
import { isDirectKind, namesOtherSide } from './connect-relations.ts';
import type { Resolution, WrittenAttribute } from './resolution.ts';
import type { Draft } from './unresolved-model.ts';

type ResolvedRelation = Pick<RelationAttribute, 'relation' | 'target' | 'inversedBy' | 'mappedBy' | 'twoWay' | 'storage'>;

interface Found {
  readonly storage: RelationStorage;
  readonly target?: Uid;
  readonly inversedBy?: string | undefined;
  readonly mappedBy?: string | undefined;
}

type Finding = Found | undefined;

const nowhere: RelationStorage = { kind: 'nowhere' };

/** The relation of the model; undefined if it has a mistake, which has then been reported. */
export function resolveRelation(attribute: WrittenAttribute, resolution: Resolution): ResolvedRelation | undefined {
  const { json } = attribute;
  const kind = json.relation;
  if (typeof kind !== 'string' || !isRelationKind(kind)) {
    const known = Object.keys(relationKinds);
    const problem = kind === undefined ? 'the kind of relation is missing' : `unknown kind of relation ${JSON.stringify(kind)}`;
    return attribute.report('relation', problem, suggest(kind, known, `one of ${known.join(', ')}`));
  }
  const found = find(kind, attribute, resolution);
  if (found === undefined) return undefined;
  return {
    relation: kind,
    target: found.target,
    inversedBy: found.inversedBy,
    mappedBy: found.mappedBy,
    twoWay: isDirectKind(kind) && namesOtherSide(json),
    storage: found.storage,
  };
}

function find(kind: RelationKind, attribute: WrittenAttribute, resolution: Resolution): Finding {
  switch (kind) {
    case 'morphToOne':
      return { storage: morphColumns(attribute.json) };
    case 'morphToMany':
      return { storage: morphLink(attribute.owner, attribute.name) };
    case 'morphOne':
    case 'morphMany':
      return inverseMorph(attribute, resolution);
    case 'oneToOne':
    case 'oneToMany':
    case 'manyToOne':
    case 'manyToMany':
      return direct(kind, attribute, resolution);
    default:
      return kind satisfies never;
  }
}

/** Strapi names the columns `target_…` for any attribute, unless the schema names them. */
function morphColumns(json: JsonObject): MorphColumns {
  const named = objectAt(json, 'morphColumn');
  return {
    kind: 'morphColumns',
    idColumn: stringAt(objectAt(named, 'idColumn'), 'name') ?? idColumnName('target'),
    typeColumn: stringAt(objectAt(named, 'typeColumn'), 'name') ?? typeColumnName('target'),
  };
}

function morphLink(owner: Draft, name: string): MorphLink {
  return {
    kind: 'morphLink',
    table: morphTableName(owner.table, name),
    sourceColumn: idColumnName(owner.singularName),
    idColumn: idColumnName(name),
    typeColumn: typeColumnName(name),
    fieldColumn: 'field',
    orderColumn: 'order',
  };
}

/** The inverse of a target's morphToMany, for a type that it may point at. */
export function inverseMorphLink(target: Draft, morphBy: string, owner: Uid, field: string): InverseMorphLink {
  const link = morphLink(target, morphBy);
  return {
    kind: 'inverseMorphLink',
    table: link.table,
    targetColumn: link.sourceColumn,
    idColumn: link.idColumn,
    typeColumn: link.typeColumn,
    typeValue: owner,
    fieldColumn: link.fieldColumn,
    fieldValue: field,
    orderColumn: link.orderColumn,
  };
}

function targetOf(attribute: WrittenAttribute, resolution: Resolution): Draft | undefined {
  const { target } = attribute.json;
  const draft = typeof target === 'string' ? resolution.drafts.get(target) : undefined;
  if (draft?.kind === 'component') {
    // No role can be granted access to a component, so Strapi shows the attribute to no caller.
    const problem = `${draft.uid} is a component; a relation points at a content type`;
    attribute.question('target', problem, 'use an attribute of type "component" instead');
    return undefined;
  }
  if (draft !== undefined) return draft;
  if (typeof target === 'string' && resolution.problems.unreadable.has(target)) return undefined;
  const contentTypes = [...resolution.drafts.values()].filter((each) => each.kind !== 'component').map((each) => each.uid);
  const problem = target === undefined ? 'the target is missing' : `unknown target ${JSON.stringify(target)}`;
  const remedy =
    typeof target === 'string' && target.startsWith('plugin::')
      ? 'plugins are not loaded: describe the type in src/extensions/<plugin>/content-types/<name>/schema.json'
      : 'name a content type, such as "api::article.article"';
  return attribute.report('target', problem, suggest(target, contentTypes, remedy));
}

function inverseMorph(attribute: WrittenAttribute, resolution: Resolution): Finding {
  const target = targetOf(attribute, resolution);
  if (target === undefined) return undefined;
  const { owner, name, json } = attribute;
  const candidates = Object.entries(target.attributes)
    .filter(([, each]) => isObject(each) && (each.relation === 'morphToOne' || each.relation === 'morphToMany'))
    .map(([each]) => each);
  // If `morphBy` is missing and the target has only one morph relation, that one is meant. Strapi
  // starts too, but its reads fail.
  const morphBy = json.morphBy ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (typeof morphBy !== 'string' || !candidates.includes(morphBy)) {
    const advice =
      candidates.length === 0
        ? `give ${target.uid} a relation of kind morphToOne or morphToMany and name it here`
        : `one of the morph relations of ${target.uid}: ${candidates.join(', ')}`;
    const problem =
      morphBy === undefined
        ? `does not say which attribute of ${target.uid} points back`
        : `${JSON.stringify(morphBy)} is not a morphToOne or morphToMany attribute of ${target.uid}`;
    // Strapi starts if `morphBy` is missing or names an attribute of another kind, but not if it
    // names an attribute that does not exist.
    const isThere = morphBy === undefined || (typeof morphBy === 'string' && Object.hasOwn(target.attributes, morphBy));
    const remedy = suggest(morphBy, candidates, advice);
    if (!isThere) return attribute.report('morphBy', problem, remedy);
    return attribute.question('morphBy', problem, remedy) ? { target: target.uid, storage: nowhere } : undefined;
  }
  const partner = objectAt(target.attributes, morphBy);
  if (partner.relation === 'morphToMany') return { target: target.uid, storage: inverseMorphLink(target, morphBy, owner.uid, name) };
  const columns = morphColumns(partner);
  return {
    target: target.uid,
    storage: { kind: 'inverseMorphColumns', idColumn: columns.idColumn, typeColumn: columns.typeColumn, typeValue: owner.uid },
  };
}

function direct(kind: RelationKind, attribute: WrittenAttribute, resolution: Resolution): Finding {
  const target = targetOf(attribute, resolution);
  if (target === undefined) return undefined;
  const { json } = attribute;
  const inversedBy = stringAt(json, 'inversedBy');
  const mappedBy = stringAt(json, 'mappedBy');
  if (isObject(json.joinTable)) {
    const served = attribute.question('joinTable', 'neither Strapi nor Lectern makes a custom join table', 'remove the key');
    return served ? { target: target.uid, storage: nowhere } : undefined;
  }
  if (inversedBy !== undefined && mappedBy !== undefined) {
    const remedy = 'the side that owns the relation has inversedBy, the other one mappedBy';
    if (!attribute.question([], 'has both inversedBy and mappedBy', remedy)) return undefined;
  }
  const isOwner = Object.hasOwn(json, 'inversedBy') || mappedBy === undefined;
  if ((kind === 'oneToMany' && Object.hasOwn(json, 'inversedBy')) || (kind === 'manyToOne' && !isOwner)) {
    const problem = `a two-way ${kind} cannot ${kind === 'oneToMany' ? 'own the relation' : 'be the side that does not own the relation'}`;
    return attribute.report([], problem, 'the manyToOne side has inversedBy, the oneToMany side mappedBy');
  }
  if (json.useJoinTable === false && (inversedBy ?? mappedBy ?? (relationKinds[kind].cardinality === 'many' || undefined)) !== undefined) {
    const problem = 'only a one-way relation to one entry can do without a join table';
    if (kind === 'oneToMany' && isOwner) return attribute.report('useJoinTable', problem, 'remove the key');
    if (!attribute.question('useJoinTable', problem, 'remove the key')) return undefined;
  }
  const doubt = inversedBy === undefined && mappedBy === undefined ? undefined : doubtOf(kind, attribute, target);
  if (doubt?.refused) return attribute.report(doubt.key, doubt.problem, doubt.remedy);
  const found = wired(attribute, target, resolution);
  const isNowhere = found.storage.kind === 'nowhere';
  if (doubt === undefined && !isNowhere) return found;
  const reported = doubt ?? {
    key: mappedBy === undefined ? [] : 'mappedBy',
    problem: `${target.uid} does not point back`,
    remedy: 'remove the attribute',
  };
  const outcome = isNowhere && resolution.asStrapi ? '; responses leave it out' : '';
  return attribute.question(reported.key, `${reported.problem}${outcome}`, reported.remedy) ? found : undefined;
}

/** The relation by the wires: the other side is the actual one, perhaps not the schema file's. */
function wired({ owner, name }: WrittenAttribute, target: Draft, { wires }: Resolution): Found {
  const wire = wires.get(owner.uid, name);
  if (wire === undefined) return { target: target.uid, storage: nowhere };
  // The owner's type is not the schema's target: its rows would be mistaken for the target's.
  if (wire.owner !== undefined && wire.owner.uid !== target.uid) return { target: target.uid, storage: nowhere };
  if (wire.owner !== undefined) return { target: target.uid, storage: wire.storage, mappedBy: wire.owner.name };
  const named = stringAt(objectAt(owner.attributes, name), 'inversedBy');
  const other = named === undefined ? undefined : wires.get(target.uid, named)?.owner;
  const shown = other !== undefined && other.uid === owner.uid && other.name === name;
  return { target: target.uid, storage: wire.storage, inversedBy: shown ? named : undefined };
}

interface Doubt {
  readonly key: string;
  readonly problem: string;
  readonly remedy: string;
  /** Strapi refuses to start with this mistake as well. */
  readonly refused: boolean;
}

/** Why the attribute named as the other side does not match this one; undefined if it matches. */
function doubtOf(kind: RelationKind, attribute: WrittenAttribute, target: Draft): Doubt | undefined {
  const { owner, name, json } = attribute;
  const inversedBy = stringAt(json, 'inversedBy');
  const partner = inversedBy ?? stringAt(json, 'mappedBy') ?? '';
  const [key, partnerKey] = inversedBy === undefined ? (['mappedBy', 'inversedBy'] as const) : (['inversedBy', 'mappedBy'] as const);
  const doubt = (problem: string, remedy: string, refused = false): Doubt => ({ key, problem, remedy, refused });
  const other = target.attributes[partner];
  const inverse = relationKinds[kind].inverse ?? kind;
  const expected = `{ "type": "relation", "relation": ${JSON.stringify(inverse)}, "target": ${JSON.stringify(owner.uid)}, "${partnerKey}": ${JSON.stringify(name)} }`;
  if (!isObject(other)) {
    const relations = Object.entries(target.attributes)
      .filter(([, each]) => isObject(each) && each.target === owner.uid)
      .map(([each]) => each);
    const remedy = suggest(partner, relations, `add it there as ${expected}, or remove ${key} here`);
    return doubt(`${target.uid} has no attribute ${JSON.stringify(partner)}`, remedy, key === 'inversedBy');
  }
  const where = `${target.uid}.${partner}`;
  if (other.type !== 'relation') {
    return doubt(`${where} is not a relation`, `make it ${expected}, or remove ${key} here`, key === 'inversedBy');
  }
  if (other.target !== owner.uid) {
    return doubt(
      `${where} points at ${JSON.stringify(other.target)}, not at ${owner.uid}`,
      `set its target to ${JSON.stringify(owner.uid)}, or remove ${key} here`,
    );
  }
  if (other[partnerKey] !== name) {
    const remedy =
      other.relation === inverse ? `add "${partnerKey}": ${JSON.stringify(name)} to ${where} (and no ${key})` : `make ${where} ${expected}`;
    return doubt(`${where} does not point back`, `${remedy}, or remove ${key} here`);
  }
  if (other.relation !== inverse) {
    return doubt(
      `${where} is a ${String(other.relation)}, but the other side of a ${kind} is a ${inverse}`,
      `set its relation to "${inverse}"`,
    );
  }
  return undefined;
}
