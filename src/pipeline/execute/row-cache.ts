/** Rows of responses in the memory of a thread that reads. A front end that puts another value into each query gets the same entries again and again, and reading and
 *  encoding them is most of the work. Any commit empties the cache. */
import type { Statement } from '../../sql/statement.ts';
import type { Bindings, Shape } from '../compile/types.ts';
import { listKey } from './bound-values.ts';
import type { FoundRow } from './found-row.ts';

/** Bytes of a row, a group, or a statement, in addition to their texts. */
const bytesOfRow = 150;
const bytesOfGroup = 100;
const bytesOfStatement = 500;
/** A longer row would displace too many others. A part of the cache. */
const partOfRow = 1 / 64;

/** What the cache may take until its next sweep. */
class Room {
  readonly #most: number;
  #left: number;
  isSweepDue = false;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
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
    if (row?.isCacheable !== false && this.#room.take(bytesOf(row))) this.#rows.set(id, row);
  }

  addGroup(parent: number, rows: readonly FoundRow[]): void {
    let bytes = bytesOfGroup;
    for (const row of rows) {
      if (!row.isCacheable) return;
      if (!this.#rows.has(row.id)) bytes += bytesOf(row);
    }
    if (!this.#room.take(bytes)) return;
    this.#groups.set(parent, rows);
    for (const row of rows) if (!this.#rows.has(row.id)) this.#rows.set(row.id, row);
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
  /** The size of the longest row that is cached. Bytes. */
  readonly longestRow: number;
  #statements = new Map<string, StatementRows>();
  /** Those of statements without values of the query, whose keys need not be made again: they have thousands of characters. */
  #known = new WeakMap<Statement, StatementRows>();
  #seen: number | string | undefined;
  readonly #room: Room;
  readonly #areUrlsSigned: boolean;
  readonly #areCacheable = new WeakMap<Statement, boolean>();

  constructor({ bytes, areUrlsSigned }: RowCacheOptions) {
    this.longestRow = bytes * partOfRow;
    // The other half is for what was used before the last sweep.
    this.#room = new Room(bytes / 2);
    this.#areUrlsSigned = areUrlsSigned;
  }

  /** Returns the rows that a statement gives for row ids in a snapshot; undefined if they are not cached. */
  of(statement: Statement, shape: Shape, snapshot: Snapshot): StatementRows | undefined {
    if (!this.#isCacheable(statement, shape)) return undefined;
    if (snapshot.seen !== this.#seen) {
      this.#statements = new Map();
      this.#known = new WeakMap();
      this.#room.reset();
      this.#seen = snapshot.seen;
    }
    const known = this.#known.get(statement);
    if (known !== undefined) return known;
    const rows = this.#named(keyOf(statement, shape, snapshot));
    if (rows !== undefined && !statement.parameters.some(({ kind }) => kind === 'slot')) this.#known.set(statement, rows);
    return rows;
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
const keyOf = (statement: Statement, { component, columns }: Shape, { bindings, isV4 }: Snapshot): string =>
  `${JSON.stringify([isV4, component, columns])}\n${listKey(statement, bindings)}`;

const bytesOfKey = (key: string): number => bytesOfStatement + 2 * key.length;
