/** Inserts rows of link tables. Computes their positions among a target's sources here, since
 *  others may have added sources. */

import { grouped } from '../../../../collections.ts';
import type { ContentModel } from '../../../../model/content-model.ts';
import { takesOver } from '../../../../model/relation-sides.ts';
import { allDone } from '../../../../sql/all-done.ts';
import { type Cell, orderedJoin, type Rows } from '../../../../sql/rows.ts';
import { sql } from '../../../../sql/sql.ts';
import { insertedId } from '../../../entry/entry.ts';
import { type LinkList, positionsOfCopies } from './link-positions.ts';
import type { LinkInsert } from './types.ts';

interface Tables {
  readonly rows: Rows;
  readonly model: ContentModel;
}

export class LinkInserts {
  readonly #tables: Tables;
  readonly #byTable: ReadonlyMap<string, readonly LinkInsert[]>;

  constructor(inserts: readonly LinkInsert[], tables: Tables) {
    this.#tables = tables;
    this.#byTable = grouped(inserts, ({ storage }) => storage.table);
  }

  /** Finds the positions of links that displace no source: they do not need their owners' ids. */
  async findPositions(): Promise<void> {
    const lists = [...this.#byTable.values()].filter((list) => !list.some(takes));
    await allDone(lists.map((list) => setInverseOrder(list, this.#tables)));
  }

  /** Collects the rows once their owners are inserted; `rows.inserts.flush` writes them. */
  async insert(): Promise<void> {
    const { rows } = this.#tables;
    const taking = [...this.#byTable.values()].filter((list) => list.some(takes));
    for (const list of taking) takeFromOtherSources(list, rows);
    await allDone(taking.map((list) => setInverseOrder(list, this.#tables)));
    for (const [table, list] of this.#byTable) {
      for (const cells of linkRows(list)) {
        rows.inserts.later(
          table,
          cells.map(({ name, type }) => ({ name, type })),
          cells.map(({ value }) => value),
        );
      }
    }
  }
}

const takes = ({ attribute }: LinkInsert): boolean => attribute.kind === 'relation' && takesOver(attribute);

/** Removes other sources of targets that may have only one, except rows of the same document. */
function takeFromOtherSources(list: readonly LinkInsert[], rows: Rows): void {
  const byOwner = grouped(list.filter(takes), ({ owner }) => insertedId(owner));
  const locks = [...byOwner.values()].flat().map(({ storage, link }) => `${storage.table} ${storage.targetColumn} ${link.row.id}`);
  rows.lock(locks);
  for (const [ownId, inserts] of byOwner) {
    const [first] = inserts;
    if (first === undefined) continue;
    const { owner, storage } = first;
    const targets = inserts.map(({ link }) => link.row.id);
    const own = sql.value(ownId, 'id');
    const table = sql.id(owner.schema.table);
    const ownRows =
      owner.schema.kind === 'component'
        ? own
        : sql`SELECT s.id FROM ${table} AS s JOIN ${table} AS o ON o.document_id = s.document_id WHERE o.id = ${own}`;
    const isTaken = sql.isOneOf(sql.id(storage.targetColumn), targets, 'taken');
    rows.send(sql`DELETE FROM ${sql.id(storage.table)} WHERE ${isTaken} AND ${sql.id(storage.sourceColumn)} NOT IN (${ownRows})`);
  }
}

/** Puts new links at the end of their target's sources. Copies get the originals' positions. */
async function setInverseOrder(list: readonly LinkInsert[], tables: Tables): Promise<void> {
  const open = list.filter((each) => {
    const { storage, link } = each;
    return storage.inverseOrderColumn !== undefined && link.inverseOrder === undefined && !isBesideOriginal(each);
  });
  const position = async (links: readonly LinkInsert[]) => {
    await positionCopies(links, tables);
    await positionAtEnd(
      links.filter(({ link }) => link.inverseOrder === undefined),
      tables.rows,
    );
  };
  await allDone([...grouped(open, ({ storage }) => storage.targetColumn).values()].map(position));
  for (const each of list) {
    if (isBesideOriginal(each)) each.link.inverseOrder = each.link.like?.inverseOrder ?? null;
  }
}

/** Whether the copy is in the original's list (a target without drafts has both). Links with equal
 *  positions are sorted by row id. */
const isBesideOriginal = ({ link, owner }: LinkInsert): boolean =>
  link.like !== undefined && (link.like.row.id === link.row.id || owner.schema.kind === 'component');

async function positionCopies(links: readonly LinkInsert[], { rows, model }: Tables): Promise<void> {
  // The original may itself be a new link: these are put at the end, and so is the copy.
  const copies = links.flatMap(({ link }) => {
    const { id, inverseOrder } = link.like ?? {};
    return id === undefined ? [] : [{ link, original: id, order: inverseOrder ?? 0 }];
  });
  const [first] = links;
  const target = first?.attribute.target === undefined ? undefined : model.contentTypes.get(first.attribute.target);
  if (first?.storage.inverseOrderColumn === undefined || target === undefined || copies.length === 0) return;
  const { table, sourceColumn, targetColumn, inverseOrderColumn } = first.storage;
  const sources: LinkList = {
    table,
    ofColumn: targetColumn,
    orderColumn: inverseOrderColumn,
    toColumn: sourceColumn,
    of: target,
    to: first.owner.schema,
  };
  const positions = await positionsOfCopies(copies, sources, rows);
  for (const { link, original } of copies) link.inverseOrder = positions.get(original);
}

async function positionAtEnd(links: readonly LinkInsert[], rows: Rows): Promise<void> {
  const [first] = links;
  if (first?.storage.inverseOrderColumn === undefined) return;
  const target = sql.id('r', first.storage.targetColumn);
  const order = sql.id('r', first.storage.inverseOrderColumn);
  const targets = [...new Set(links.map(({ link }) => link.row.id))];
  const listed = sql`${sql.ids(targets, 'wanted')} ${orderedJoin} ${sql.id(first.storage.table)} AS r ON ${target} = wanted.value`;
  const found = await rows.run(sql`SELECT ${target}, MAX(${order}) FROM ${listed} GROUP BY ${target}`);
  const last = new Map(found.map(([id, position]) => [Number(id), Math.floor(Number(position ?? 0))]));
  const inOrder = [...links].sort((a, b) => originalOrder(a) - originalOrder(b));
  for (const { link } of inOrder) {
    const position = (last.get(link.row.id) ?? 0) + 1;
    last.set(link.row.id, position);
    link.inverseOrder = position;
  }
}

/** The position of a copy's original; new links come last, in their order in the body. */
const originalOrder = ({ link }: LinkInsert): number => link.like?.inverseOrder ?? Number.MAX_SAFE_INTEGER;

/** The rows of one table's new links. If a row links to itself, both sides of the relation have the
 *  link, each with its own position. */
function linkRows(list: readonly LinkInsert[]): Iterable<readonly Cell[]> {
  const rows = new Map<string, readonly Cell[]>();
  for (const { storage, owner, link } of list) {
    // The columns are always in the same order, whichever side of the relation is written.
    const ends: Cell[] = [
      { name: storage.sourceColumn, type: 'reference', value: insertedId(owner) },
      { name: storage.targetColumn, type: 'reference', value: link.row.id },
    ];
    const key = JSON.stringify(ends.sort(byName).map(({ value }) => value));
    const twin = rows.get(key);
    const positions: Cell[] = [];
    if (storage.orderColumn !== undefined) positions.push({ name: storage.orderColumn, type: 'order', value: link.order });
    if (twin !== undefined) {
      rows.set(
        key,
        twin.map((cell) => positions.find(({ name }) => name === cell.name) ?? cell),
      );
      continue;
    }
    if (storage.inverseOrderColumn !== undefined) {
      positions.push({ name: storage.inverseOrderColumn, type: 'order', value: link.inverseOrder ?? null });
    }
    rows.set(key, [...ends, ...positions].sort(byName));
  }
  return rows.values();
}

const byName = (a: Cell, b: Cell) => (a.name < b.name ? -1 : 1);
