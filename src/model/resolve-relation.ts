/** A relation as written → a relation with the table and columns that hold it. */
import { isRelationKind, relationKinds } from './attribute-types.ts';
import type { InverseMorphLink, LinkTable, MorphColumns, MorphLink, RelationKind, RelationStorage, Uid } from './content-model.ts';
import type { Draft } from './draft.ts';
import { isObject, type JsonObject, objectAt, stringAt } from './json.ts';
import {
  idColumnName,
  inverseIdColumnName,
  inverseOrderColumnName,
  linkTableName,
  morphTableName,
  orderColumnName,
  typeColumnName,
} from './naming.ts';
import { type Resolution, reportAttribute, suggest, type WrittenAttribute } from './resolution.ts';

export interface ResolvedRelation {
  readonly relation: RelationKind;
  readonly target: Uid | undefined;
  readonly inversedBy: string | undefined;
  readonly mappedBy: string | undefined;
  readonly storage: RelationStorage;
}

type Finding = { readonly storage: RelationStorage; readonly target?: Uid } | undefined;

/** Undefined when something is wrong with it, which has been reported then. */
export function resolveRelation(attribute: WrittenAttribute, resolution: Resolution): ResolvedRelation | undefined {
  const { json } = attribute;
  const kind = json.relation;
  if (typeof kind !== 'string' || !isRelationKind(kind)) {
    const known = Object.keys(relationKinds);
    const problem = kind === undefined ? 'the kind of relation is missing' : `unknown kind of relation ${JSON.stringify(kind)}`;
    return reportAttribute(attribute, 'relation', problem, suggest(kind, known, `one of ${known.join(', ')}`), resolution);
  }
  const found = find(kind, attribute, resolution);
  if (found === undefined) return undefined;
  return {
    relation: kind,
    target: found.target,
    inversedBy: stringAt(json, 'inversedBy'),
    mappedBy: stringAt(json, 'mappedBy'),
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

/** Strapi calls the columns `target_…` whatever the attribute is called, unless the schema names them. */
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

/** The links of a target's morphToMany, seen from a type that it may point at. */
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
  if (draft !== undefined && draft.kind !== 'component') return draft;
  if (draft !== undefined) {
    return reportAttribute(
      attribute,
      'target',
      `${draft.uid} is a component; a relation points at a content type`,
      'use an attribute of type "component" instead',
      resolution,
    );
  }
  const contentTypes = [...resolution.drafts.values()].filter((each) => each.kind !== 'component').map((each) => each.uid);
  return reportAttribute(
    attribute,
    'target',
    target === undefined ? 'the target is missing' : `unknown target ${JSON.stringify(target)}`,
    suggest(
      target,
      contentTypes,
      typeof target === 'string' && target.startsWith('plugin::')
        ? `plugins are not loaded: describe the type in src/extensions/<plugin>/content-types/<name>/schema.json`
        : 'name a content type, such as "api::article.article"',
    ),
    resolution,
  );
}

function inverseMorph(attribute: WrittenAttribute, resolution: Resolution): Finding {
  const target = targetOf(attribute, resolution);
  if (target === undefined) return undefined;
  const { owner, name, json } = attribute;
  const candidates = Object.entries(target.attributes)
    .filter(([, each]) => isObject(each) && (each.relation === 'morphToOne' || each.relation === 'morphToMany'))
    .map(([each]) => each);
  // Without `morphBy` there is no doubt when the target has one morph relation; Strapi starts with it too and fails when asked.
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
    return reportAttribute(attribute, 'morphBy', problem, suggest(morphBy, candidates, advice), resolution);
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
  const { json, name, owner } = attribute;
  const inversedBy = stringAt(json, 'inversedBy');
  const mappedBy = stringAt(json, 'mappedBy');
  if (isObject(json.joinTable)) {
    return reportAttribute(attribute, 'joinTable', 'a join table of one’s own is not supported', 'remove the key', resolution);
  }
  if (inversedBy !== undefined && mappedBy !== undefined) {
    return reportAttribute(
      attribute,
      '',
      'has both inversedBy and mappedBy',
      'the side that owns the relation has inversedBy, the other one mappedBy',
      resolution,
    );
  }
  if ((kind === 'oneToMany' && inversedBy !== undefined) || (kind === 'manyToOne' && mappedBy !== undefined)) {
    return reportAttribute(
      attribute,
      '',
      `a two-way ${kind} cannot ${kind === 'oneToMany' ? 'own the relation' : 'be the side that does not own the relation'}`,
      'the manyToOne side has inversedBy, the oneToMany side mappedBy',
      resolution,
    );
  }
  const partner = inversedBy ?? mappedBy;
  if (
    partner !== undefined &&
    !pointsBack(kind, partner, mappedBy === undefined ? 'mappedBy' : 'inversedBy', attribute, target, resolution)
  ) {
    return undefined;
  }
  if (json.useJoinTable === false) {
    if (partner === undefined && relationKinds[kind].cardinality === 'one') {
      const column = stringAt(objectAt(json, 'joinColumn'), 'name') ?? idColumnName(name);
      return { target: target.uid, storage: { kind: 'ownColumn', column } };
    }
    return reportAttribute(
      attribute,
      'useJoinTable',
      'only a one-way relation to one entry can do without a join table',
      'remove the key',
      resolution,
    );
  }
  const storage =
    mappedBy === undefined
      ? ownedLinkTable(kind, owner, name, target, partner !== undefined)
      : inverseOf(ownedLinkTable(relationKinds[kind].inverse ?? kind, target, mappedBy, owner, true));
  return { target: target.uid, storage };
}

/** Whether the attribute named as partner is the other side of this one; says what is wrong when not. */
function pointsBack(
  kind: RelationKind,
  partner: string,
  partnerKey: 'inversedBy' | 'mappedBy',
  attribute: WrittenAttribute,
  target: Draft,
  resolution: Resolution,
): boolean {
  const { owner, name } = attribute;
  const key = partnerKey === 'mappedBy' ? 'inversedBy' : 'mappedBy';
  const refuse = (problem: string, remedy: string): false => {
    reportAttribute(attribute, key, problem, remedy, resolution);
    return false;
  };
  const other = target.attributes[partner];
  const inverse = relationKinds[kind].inverse ?? kind;
  const expected = `{ "type": "relation", "relation": ${JSON.stringify(inverse)}, "target": ${JSON.stringify(owner.uid)}, "${partnerKey}": ${JSON.stringify(name)} }`;
  if (!isObject(other)) {
    const relations = Object.entries(target.attributes)
      .filter(([, each]) => isObject(each) && each.target === owner.uid)
      .map(([each]) => each);
    return refuse(`${target.uid} has no attribute ${JSON.stringify(partner)}`, suggest(partner, relations, `add it there as ${expected}`));
  }
  const where = `${target.uid}.${partner}`;
  if (other.type !== 'relation') return refuse(`${where} is not a relation`, `make it ${expected}, or remove ${key} here`);
  if (other.target !== owner.uid) {
    return refuse(
      `${where} points at ${JSON.stringify(other.target)}, not at ${owner.uid}`,
      `set its target to ${JSON.stringify(owner.uid)}`,
    );
  }
  if (other[partnerKey] !== name) {
    return refuse(
      `${where} does not point back`,
      `add "${partnerKey}": ${JSON.stringify(name)} to ${where} (and no ${key}), or remove ${key} here`,
    );
  }
  if (other.relation !== inverse) {
    return refuse(
      `${where} is a ${String(other.relation)}, but the other side of a ${kind} is a ${inverse}`,
      `set its relation to "${inverse}"`,
    );
  }
  return true;
}

/** The link table as its owner sees it. */
function ownedLinkTable(kind: RelationKind, owner: Draft, name: string, target: Draft, twoWay: boolean): LinkTable {
  const sourceColumn = idColumnName(owner.singularName);
  const plainTarget = idColumnName(target.singularName);
  const targetOrder = orderColumnName(target.singularName);
  const sourceOrder = orderColumnName(owner.singularName);
  const ordersTargets = kind === 'oneToMany' || kind === 'manyToMany';
  const ordersSources = twoWay && (kind === 'manyToOne' || kind === 'manyToMany');
  return {
    kind: 'linkTable',
    table: linkTableName(owner.table, name),
    sourceColumn,
    // By name, not by type: two types of different namespaces may have one singular name.
    targetColumn: sourceColumn === plainTarget ? inverseIdColumnName(target.singularName) : plainTarget,
    orderColumn: ordersTargets ? targetOrder : undefined,
    inverseOrderColumn: ordersSources
      ? kind === 'manyToMany' && sourceOrder === targetOrder
        ? inverseOrderColumnName(owner.singularName)
        : sourceOrder
      : undefined,
    owner: true,
  };
}

const inverseOf = (link: LinkTable): LinkTable => ({
  kind: 'linkTable',
  table: link.table,
  sourceColumn: link.targetColumn,
  targetColumn: link.sourceColumn,
  orderColumn: link.inverseOrderColumn,
  inverseOrderColumn: link.orderColumn,
  owner: false,
});
