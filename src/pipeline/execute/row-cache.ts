/** Rows of responses in the memory of a thread or process that reads. A front end that puts another value into each query gets the same entries again and
 *  again, and reading and encoding them is most of the work. Any commit empties the cache. */
import type { Statement } from '../../sql/statement.ts';
import type { Bindings, Shape } from '../compile/types.ts';
import { listKey } from './bound-values.ts';
import type { FoundRow } from './found-row.ts';

/** Bytes of a row in addition to its texts, with its place in the cache. */
const bytesOfRow = 400;
/** Bytes of a group, of its place for a row, and of a statement in addition to its key. */
const bytesOfGroup = 150;
const bytesOfPlace = 12;
const bytesOfStatement = 500;
/** A longer row or group would displace too many others. A part of the cache. */
const longestPart = 1 / 64;

/** What the cache may take until its next sweep. */
class Room {
  readonly #most: number;
  #left: number;
  /** What one row or group may take. Bytes. */
  readonly longest: number;
  isSweepDue = false;

  /** `bytes`: the approximate size of the cache. */
  constructor(bytes: number) {
    this.longest = bytes * longestPart;
    // The other half is for what was used before the last sweep.
    this.#most = bytes / 2;
    this.#left = this.#most;
  }

  /** Returns false if there is no room for so many bytes. */
  take(bytes: number): boolean {
    const hasRoom = bytes <= this.#left;
    if (hasRoom) this.#left -= bytes;
    else this.isSweepDue = true;
    return hasRoom;
  }

  reset(): void {
    this.#left = this.#most;
    this.isSweepDue = false;
  }
}

/** The cached rows of one statement with its values. */
export class StatementRows {
  /** Those that were used since the last sweep. */
  #rows = new Map<number, FoundRow | null>();
  #groups = new Map<number, readonly FoundRow[]>();
  /** Those that were used before. */
  #olderRows = new Map<number, FoundRow | null>();
  #olderGroups = new Map<number, readonly FoundRow[]>();
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Returns the row with this id: null if the statement gives none, undefined if that is not known. */
  row(id: number): FoundRow | null | undefined {
    const row = this.#rows.get(id);
    if (row !== undefined) return row;
    const older = this.#olderRows.get(id);
    if (older !== undefined) this.addRow(id, older);
    return older;
  }

  /** Returns the rows of a parent. */
  group(parent: number): readonly FoundRow[] | undefined {
    const group = this.#groups.get(parent);
    if (group !== undefined) return group;
    const older = this.#olderGroups.get(parent);
    if (older !== undefined) this.addGroup(parent, older);
    return older;
  }

  addRow(id: number, row: FoundRow | null): void {
    const bytes = bytesOf(row);
    if (bytes > this.#room.longest || !this.#room.take(bytes)) return;
    this.#rows.set(id, row);
    if (row !== null) row.longestHead = longestHead(row);
  }

  /** Returns the cached row with the same id; without one, caches `row` and returns it. */
  same(row: FoundRow): FoundRow {
    const known = this.row(row.id);
    if (known !== undefined && known !== null) return known;
    this.addRow(row.id, row);
    return row;
  }

  addGroup(parent: number, rows: readonly FoundRow[]): void {
    const { longest } = this.#room;
    let bytes = bytesOfGroup + rows.length * bytesOfPlace;
    if (bytes > longest) return;
    for (const row of rows) {
      if (bytesOf(row) > longest) return;
      if (!this.#rows.has(row.id)) bytes += bytesOf(row);
    }
    if (!this.#room.take(bytes)) return;
    this.#groups.set(parent, rows);
    for (const row of rows) {
      row.longestHead = longestHead(row);
      if (!this.#rows.has(row.id)) this.#rows.set(row.id, row);
    }
  }

  /** Removes what was not used since the last time. Returns whether anything is left. */
  sweep(): boolean {
    this.#olderRows = this.#rows;
    this.#olderGroups = this.#groups;
    this.#rows = new Map();
    this.#groups = new Map();
    return this.#olderRows.size + this.#olderGroups.size > 0;
  }
}

/** With many escaped characters, JSON takes far more than what is counted for a row. */
const longestHead = ({ size }: FoundRow): number => 2 * size + bytesOfRow;

const bytesOf = (row: FoundRow | null): number => bytesOfRow + (row?.size ?? 0);

export interface RowCacheOptions {
  /** The approximate size of the cache. Bytes. */
  readonly bytes: number;
  /** URLs that are signed change with time, so rows that have them are not cached. */
  readonly areUrlsSigned: boolean;
}

interface Snapshot {
  readonly bindings: Bindings;
  readonly isV4: boolean;
  /** As in `ListState`. */
  readonly seen: number | string;
}

export class RowCache {
  #statements = new Map<string, StatementRows>();
  /** Those of statements without values of the query, whose keys need not be made again: they have thousands of characters. */
  #known = new WeakMap<Statement, StatementRows>();
  #seen: number | string | undefined;
  /** The version of the latest read (`isLasting`). */
  #latest: string | undefined;
  readonly #room: Room;
  readonly #areUrlsSigned: boolean;
  readonly #areCacheable = new WeakMap<Statement, boolean>();

  constructor({ bytes, areUrlsSigned }: RowCacheOptions) {
    this.#room = new Room(bytes);
    this.#areUrlsSigned = areUrlsSigned;
  }

  /** Returns the rows that a statement gives for row ids in a snapshot; undefined if they are not cached. */
  of(statement: Statement, shape: Shape, snapshot: Snapshot): StatementRows | undefined {
    if (!this.#isCacheable(statement, shape)) return undefined;
    if (snapshot.seen !== this.#seen) {
      this.#forget();
      this.#seen = snapshot.seen;
    }
    const known = this.#known.get(statement);
    if (known !== undefined) return known;
    const rows = this.#named(keyOf(statement, shape, snapshot));
    if (rows !== undefined && !statement.parameters.some(({ kind }) => kind === 'slot')) this.#known.set(statement, rows);
    return rows;
  }

  /** Whether the cached rows are those of this state. */
  has(seen: number | string): boolean {
    return seen === this.#seen;
  }

  /** Notes the version of the data that a read has seen. Returns true if the read before had the same one: if each read sees another version, caching its rows is
   *  wasted work. */
  isLasting(version: string): boolean {
    const isSame = version === this.#latest;
    this.#latest = version;
    return isSame;
  }

  /** Forgets everything. */
  clear(): void {
    this.#seen = undefined;
    this.#latest = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#statements = new Map();
    this.#known = new WeakMap();
    this.#room.reset();
  }

  /** Makes room. To be called between reads. */
  sweep(): void {
    if (!this.#room.isSweepDue) return;
    this.#room.reset();
    this.#known = new WeakMap();
    for (const [key, rows] of this.#statements) {
      if (!rows.sweep()) this.#statements.delete(key);
      else this.#room.take(bytesOfKey(key));
    }
  }

  #named(key: string): StatementRows | undefined {
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    if (!this.#room.take(bytesOfKey(key))) return undefined;
    const rows = new StatementRows(this.#room);
    this.#statements.set(key, rows);
    return rows;
  }

  #isCacheable(statement: Statement, { columns }: Shape): boolean {
    let isCacheable = this.#areCacheable.get(statement);
    if (isCacheable === undefined) {
      // What else a statement binds is no part of the key.
      const isOfIds = statement.parameters.every(({ kind }) => kind === 'ids' || kind === 'value' || kind === 'slot');
      isCacheable = isOfIds && !(this.#areUrlsSigned && columns.some(({ holds }) => holds !== undefined));
      this.#areCacheable.set(statement, isCacheable);
    }
    return isCacheable;
  }
}

/** All that the rows, and the JSON of their columns, depend on besides the data. */
function keyOf(statement: Statement, shape: Shape, { bindings, isV4 }: Snapshot): string {
  let ofShape = keysOfShapes.get(shape);
  if (ofShape === undefined) {
    ofShape = JSON.stringify([shape.component, shape.columns]);
    keysOfShapes.set(shape, ofShape);
  }
  return `${isV4}\n${ofShape}\n${listKey(statement, bindings)}`;
}
const keysOfShapes = new WeakMap<Shape, string>();

const bytesOfKey = (key: string): number => bytesOfStatement + 2 * key.length;
