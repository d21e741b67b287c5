/** Computes the changes that make the wanted entry of the stored one. Needs no database. */
import { columnTypeOf } from '../../../../dialects/column-type.ts';
import { type ContentModel, componentsColumns, type RelationAttribute } from '../../../../model/content-model.ts';
import type { Cell } from '../../../../sql/rows.ts';
import {
  byJoin,
  type ComponentsAttribute,
  type Entry,
  isComponentsAttribute,
  isLinkAttribute,
  type Link,
  type LinkAttribute,
  type OwnedComponent,
  sameTargets,
} from '../../../entry/entry.ts';
import { referencesTo } from './morph-references.ts';
import type { Change, SavedEntry } from './types.ts';

/** Returns the changes of an entry, its links and its components.
 *
 *  wanted `{ id: 4, values: { title: 'b' } }`, current
 *  `{ id: 4, values: { title: 'a' } }`, system `[updated_at]` → `[{ kind: 'update row',
 *  table: 'articles', id: 4, cells: [title, updated_at] }]` */
export function differenceOf(saved: SavedEntry, model: ContentModel): Change[] {
  const changes: Change[] = [];
  addEntry(saved, model, changes);
  return changes;
}

/** Returns the changes that delete entries, everything that they own, and references to them.
 *  Entries without an id are not stored and are skipped. */
export function deletionOf(entries: readonly Entry[], model: ContentModel): Change[] {
  const changes: Change[] = [];
  addDeletion(entries, model, changes);
  return changes;
}

function addEntry({ wanted, current, system, asTarget }: SavedEntry, model: ContentModel, changes: Change[]): void {
  const cells = [...changedCells(wanted, current), ...system];
  if (wanted.id === undefined) changes.push({ kind: 'insert row', entry: wanted, cells, asTarget });
  else if (cells.length > 0)
    changes.push({ kind: 'update row', table: wanted.schema.table, id: wanted.id, cells, schema: wanted.schema, before: current });
  for (const attribute of wanted.schema.attributes.values()) {
    const { name } = attribute;
    if (isLinkAttribute(attribute)) {
      const links = wanted.links.get(name);
      if (links !== undefined) addLinks({ owner: wanted, attribute, links, before: current?.links.get(name) ?? [] }, model, changes);
    } else if (isComponentsAttribute(attribute)) {
      const components = wanted.components.get(name);
      if (components !== undefined)
        addComponents({ owner: wanted, attribute, components, before: current?.components.get(name) ?? [] }, model, changes);
    }
  }
}

function addDeletion(entries: readonly Entry[], model: ContentModel, changes: Change[]): void {
  for (const { id, schema, components } of entries) {
    if (id === undefined) continue;
    changes.push({ kind: 'delete row', table: schema.table, id, schema });
    for (const columns of referencesTo(model)(schema)) changes.push({ kind: 'remove references', columns, id });
    for (const list of components.values())
      addDeletion(
        list.map(({ entry }) => entry),
        model,
        changes,
      );
  }
}

function changedCells(wanted: Entry, current: Entry | undefined): Cell[] {
  const cells: Cell[] = [];
  for (const attribute of wanted.schema.attributes.values()) {
    if (attribute.kind === 'scalar') {
      const value = wanted.values.get(attribute.name);
      if (value !== undefined && value !== (current?.values.get(attribute.name) ?? null))
        cells.push({ name: attribute.column, type: columnTypeOf(attribute), value });
    } else if (attribute.kind === 'relation') {
      const links = wanted.links.get(attribute.name);
      if (links !== undefined && !sameTargets(links, current?.links.get(attribute.name) ?? []))
        cells.push(...ownLinkCells(attribute, links));
    }
  }
  return cells;
}

/** Returns the columns of the entry's own row that store a relation. */
function ownLinkCells({ storage }: RelationAttribute, links: readonly Link[]): Cell[] {
  // The column holds one id, so the last link counts. For a type without drafts, the last link is
  // the one to the published row.
  const row = links.at(-1)?.row;
  if (storage.kind === 'ownColumn') return [{ name: storage.column, type: 'reference', value: row?.id ?? null }];
  if (storage.kind !== 'morphColumns') return [];
  return [
    { name: storage.idColumn, type: 'reference', value: row?.id ?? null },
    { name: storage.typeColumn, type: 'string', value: row?.uid ?? null },
  ];
}

interface SavedLinks {
  readonly owner: Entry;
  readonly attribute: LinkAttribute;
  readonly links: readonly Link[];
  readonly before: readonly Link[];
}

function addLinks(saved: SavedLinks, model: ContentModel, changes: Change[]): void {
  const { owner, attribute, links, before } = saved;
  const { storage } = attribute;
  switch (storage.kind) {
    case 'linkTable':
      addStoredLinks(storage, saved, changes);
      for (const link of links) if (link.id === undefined) changes.push({ kind: 'insert link', owner, attribute, storage, link });
      return;
    case 'inverseMorphLink':
    case 'morphLink':
      addStoredLinks(storage, saved, changes);
      for (const link of links) if (link.id === undefined) changes.push({ kind: 'insert morph link', owner, attribute, storage, link });
      return;
    case 'inverseMorphColumns': {
      const target = attribute.target === undefined ? undefined : model.contentTypes.get(attribute.target);
      if (target === undefined || sameTargets(links, before)) return;
      const [wanted, had] = [idsOf(links), idsOf(before)];
      const added = links.map(({ row }) => row).filter(({ id }) => !had.has(id));
      const removed = [...had].filter((id) => !wanted.has(id));
      changes.push({ kind: 'set inverse columns', owner, storage, table: target.table, added, removed });
      return;
    }
    case 'ownColumn':
    case 'morphColumns':
    case 'sameDocument':
    case 'nowhere':
      // The relation is stored in the entry's own row, or not at all.
      return;
  }
}

/** Deletes stored rows of a link table that are no longer wanted, and moves others. The other
 *  sources of a target keep their positions: gaps do not change the order, and renumbering would
 *  touch every row that leads to the target, including rows that other transactions are writing. */
function addStoredLinks(
  { table, orderColumn }: { readonly table: string; readonly orderColumn: string | undefined },
  { links, before }: Pick<SavedLinks, 'links' | 'before'>,
  changes: Change[],
): void {
  const remainingIds = new Set(links.flatMap(({ id }) => id ?? []));
  for (const { id } of before) if (id !== undefined && !remainingIds.has(id)) changes.push({ kind: 'delete row', table, id });
  if (orderColumn === undefined || sameTargets(links, before)) return;
  const positions = new Map(before.map(({ id, order }) => [id, order]));
  for (const { id, order } of links) {
    if (id !== undefined && positions.get(id) !== order) changes.push({ kind: 'move', table, column: orderColumn, id, position: order });
  }
}

interface SavedComponents {
  readonly owner: Entry;
  readonly attribute: ComponentsAttribute;
  readonly components: readonly OwnedComponent[];
  readonly before: readonly OwnedComponent[];
}

function addComponents({ owner, attribute, components, before }: SavedComponents, model: ContentModel, changes: Change[]): void {
  const table = owner.schema.componentsTable?.table ?? '';
  const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
  const remainingIds = new Set(components.flatMap(({ join }) => join?.id ?? []));
  const stored = byJoin(before);
  const removed = before.filter(({ join }) => join !== undefined && !remainingIds.has(join.id));
  for (const { join } of removed) if (join !== undefined) changes.push({ kind: 'delete row', table, id: join.id });
  addDeletion(
    removed.map(({ entry }) => entry),
    model,
    changes,
  );
  const isMoved = components.length !== before.length || components.some(({ join }, index) => join?.id !== before[index]?.join?.id);
  for (const [index, { entry, join }] of components.entries()) {
    const position = isOne ? null : index + 1;
    if (join === undefined) changes.push({ kind: 'insert component', owner, component: entry, field: attribute.name, position });
    else if (isMoved && !isOne && join.order !== position)
      changes.push({ kind: 'move', table, column: componentsColumns.order, id: join.id, position });
    addEntry({ wanted: entry, current: join === undefined ? undefined : stored.get(join.id)?.entry, system: [] }, model, changes);
  }
}

const idsOf = (links: readonly Link[]): ReadonlySet<number> => new Set(links.map(({ row }) => row.id));
