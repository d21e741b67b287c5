/** Decides where the links between two types are stored. Strapi visits all types in one order: each
 *  attribute that owns a relation gets a table, and the attribute that it names as its other side
 *  reads that table, whatever its own schema says. So if several owners name the same other side,
 *  the last one decides what it shows; a side that no owner names shows nothing. */

import { isObject, type JsonObject, objectAt, stringAt } from '../../text/json.ts';
import type { LinkTable, Nowhere, OwnColumn, RelationKind, Uid } from '../content-model.ts';
import { idColumnName, inverseIdColumnName, inverseOrderColumnName, linkTableName, orderColumnName } from '../naming.ts';
import { isRelationKind, relationKinds } from '../scalar-types.ts';
import type { Draft } from './unresolved-model.ts';

export interface Wire {
  readonly storage: LinkTable | OwnColumn | Nowhere;
  /** The attribute that owns the links; undefined if this one owns them itself. */
  readonly owner: { readonly uid: Uid; readonly name: string } | undefined;
}

/** The wire of each attribute of a direct relation. */
export class Wires {
  readonly #wires = new Map<string, Wire>();

  get(uid: Uid, name: string): Wire | undefined {
    return this.#wires.get(`${uid} ${name}`);
  }

  set(uid: Uid, name: string, wire: Wire): void {
    this.#wires.set(`${uid} ${name}`, wire);
  }
}

type DirectKind = Exclude<RelationKind, `morph${string}`>;

export const isDirectKind = (kind: unknown): kind is DirectKind =>
  typeof kind === 'string' && isRelationKind(kind) && !kind.startsWith('morph');

/** Strapi checks whether the key is present and ignores its value. */
export const namesOtherSide = (json: JsonObject): boolean => Object.hasOwn(json, 'inversedBy') || Object.hasOwn(json, 'mappedBy');
const owns = (json: JsonObject): boolean => Object.hasOwn(json, 'inversedBy') || !Object.hasOwn(json, 'mappedBy');

/** Visits the types in Strapi's order. A relation that Strapi refuses gets no wire. */
export function wireRelations(drafts: Iterable<Draft>, byUid: ReadonlyMap<Uid, Draft>): Wires {
  const wires = new Wires();
  for (const draft of drafts) {
    for (const [name, json] of Object.entries(draft.attributes)) {
      if (!isObject(json) || json.type !== 'relation' || !isDirectKind(json.relation) || !owns(json)) continue;
      const target = typeof json.target === 'string' ? byUid.get(json.target) : undefined;
      // Strapi creates no table for a relation with its own `joinTable`.
      if (target !== undefined && !isObject(json.joinTable)) wire(wires, { owner: draft, name, json }, json.relation, target);
    }
  }
  return wires;
}

function wire(
  wires: Wires,
  { owner, name, json }: { readonly owner: Draft; readonly name: string; readonly json: JsonObject },
  kind: DirectKind,
  target: Draft,
): void {
  const twoWay = namesOtherSide(json);
  const otherSide = stringAt(json, 'inversedBy');
  const setOtherSide = (storage: Wire['storage']): void => {
    if (otherSide !== undefined) wires.set(target.uid, otherSide, { storage, owner: { uid: owner.uid, name } });
  };
  if (json.useJoinTable === false) {
    if (relationKinds[kind].cardinality === 'many') return;
    const column = stringAt(objectAt(json, 'joinColumn'), 'name') ?? idColumnName(name);
    wires.set(owner.uid, name, { storage: { kind: 'ownColumn', column }, owner: undefined });
    setOtherSide({ kind: 'nowhere' });
    return;
  }
  if (kind === 'oneToMany' && twoWay) return;
  const link = ownedLinkTable(owner, name, target, { kind, twoWay });
  wires.set(owner.uid, name, { storage: link, owner: undefined });
  setOtherSide(inverseOf(link));
}

/** The link table as its owner sees it. */
function ownedLinkTable(
  owner: Draft,
  name: string,
  target: Draft,
  { kind, twoWay }: { readonly kind: DirectKind; readonly twoWay: boolean },
): LinkTable {
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
    // Compares names, not types: two types in different namespaces may have the same singular name.
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
