/** The database as it will be after the steps planned so far. Each method records a change and
 *  returns the statements that carry it out. */
import { createHash } from 'node:crypto';
import type { LiveTable } from '../dialects/database.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { isOwnIndex } from '../indexes/live-indexes.ts';
import { createIndex, dropIndex, ownIndexesFor } from '../tables/index-statements.ts';
import type { Column, Index, Table } from '../tables/table.ts';
import type { RecordedTable, RecordedTables } from './recorded/recorded-schema.ts';
import { addColumn, renameColumn, renameTable } from './statements.ts';

/** As in the model. PostgreSQL silently truncates names of more than 63 characters. */
const maximumLength = 55;

/** Returns the name that an index should get. */
export type NameForIndex = (index: Index) => string | undefined;

interface Live {
  readonly columns: Map<string, string>;
  readonly indexes: Set<string>;
  readonly constraints: Set<string>;
}

interface PlannedDatabaseParts {
  readonly live: readonly LiveTable[];
  readonly record: RecordedTables;
  readonly wanted: readonly Table[];
  readonly today: Date;
}

export class PlannedDatabase {
  readonly dialect: Dialect;
  readonly #live: Map<string, Live>;
  readonly #record: Map<string, RecordedTable>;
  readonly #reserved: ReadonlySet<string>;
  readonly #suffix: string;
  readonly #reservedForRows = new Set<string>();

  /** `wanted`: the model's tables, whose names are reserved. `today` is part of the names of tables
   *  and columns that are set aside. */
  constructor({ live, record, wanted, today }: PlannedDatabaseParts, dialect: Dialect) {
    this.dialect = dialect;
    this.#live = new Map(
      live.map((table) => [
        table.name,
        { columns: new Map(table.columns), indexes: new Set(table.indexes), constraints: new Set(table.constraints) },
      ]),
    );
    this.#record = new Map(record);
    this.#reserved = new Set(
      wanted.flatMap((table) => [table.name, ...[...table.indexes, ...table.ownIndexes].map((index) => index.name)]),
    );
    this.#suffix = `_old_${today.toISOString().slice(0, 10).replaceAll('-', '')}`;
  }

  tables(): LiveTable[] {
    return [...this.#live].map(([name, { columns, indexes, constraints }]) => ({
      name,
      columns: new Map(columns),
      indexes: [...indexes],
      constraints: [...constraints],
    }));
  }
  record(): RecordedTables {
    return this.#record;
  }
  has(table: string, column?: string): boolean {
    return column === undefined ? this.#live.has(table) : this.#live.get(table)?.columns.has(column) === true;
  }
  declared(table: string, column: string): string | undefined {
    return this.#live.get(table)?.columns.get(column);
  }
  recorded(table: string): RecordedTable | undefined {
    return this.#record.get(table);
  }

  /** The indexes that a table should have. Strapi's tables have none of Lectern's own. */
  indexesOf(table: Table): readonly Index[] {
    const names = [...(this.#live.get(table.name)?.indexes ?? [])];
    return names.some(isOwnIndex) ? [...table.indexes, ...ownIndexesFor(table, this.dialect)] : table.indexes;
  }

  /** Records the type or attribute that a table belongs to from now on. */
  assign(table: string, origin: RecordedTable['origin']): void {
    this.#changeRecord(table, (each) => ({ ...each, origin }));
  }

  renameField(table: string, from: string, to: string): void {
    this.#changeRecord(table, (each) => ({
      ...each,
      fields: each.fields.map((field) => (field.name === from ? { ...field, name: to } : field)),
    }));
  }

  /** Renames a table. Its indexes keep their names; the caller renames them. */
  renameTable(from: string, to: string): string[] {
    const live = this.#at(from);
    this.#live.delete(from);
    this.#live.set(to, live);
    this.#changeRecord(from, (table) => ({ ...table, name: to }));
    for (const table of this.#record.values()) {
      this.#changeRecord(table.name, (each) => ({
        ...each,
        foreignKeys: each.foreignKeys.map((key) => (key.references === from ? { ...key, references: to } : key)),
      }));
    }
    return [renameTable(from, to, this.dialect)];
  }

  renameColumn(table: string, from: string, to: string): string[] {
    const live = this.#at(table);
    live.columns.set(to, live.columns.get(from) ?? '');
    live.columns.delete(from);
    const renamed = (column: string) => (column === from ? to : column);
    this.#changeRecord(table, (each) => ({
      ...each,
      columns: each.columns.map((column) => ({ ...column, name: renamed(column.name) })),
      indexes: each.indexes.map((index) => ({ ...index, columns: index.columns.map(renamed) })),
      foreignKeys: each.foreignKeys.map((key) => ({ ...key, column: renamed(key.column) })),
    }));
    return [renameColumn(table, from, to, this.dialect)];
  }

  addColumn(table: Table, column: Column): string[] {
    this.#at(table.name).columns.set(column.name, this.dialect.tables.columnDefinition(column.type));
    return [addColumn(table, column, this.dialect)];
  }

  createIndex(table: string, index: Index): string[] {
    const { indexes } = this.#at(table);
    if (indexes.has(index.name)) return [];
    indexes.add(index.name);
    this.#changeRecord(table, (each) => ({ ...each, indexes: [...each.indexes.filter(({ name }) => name !== index.name), index] }));
    return [createIndex({ name: table }, index, this.dialect)];
  }

  /** Renames the recorded indexes of a table (of one column or all) around a change of the
   *  table. `nameFor` is called after the change and returns the wanted name; an index
   *  without one is set aside, or dropped if it is one that Lectern added. Indexes of
   *  other programs are not changed. */
  withIndexes(
    table: string,
    column: string | undefined,
    change: () => readonly string[],
    nameFor: NameForIndex = () => undefined,
  ): string[] {
    const live = this.#at(table);
    const names = (this.recorded(table)?.indexes ?? [])
      .filter(
        (index) =>
          live.indexes.has(index.name) && (column === undefined || index.columns.includes(column) || index.where?.column === column),
      )
      .map(({ name }) => name);
    const { renameIndex } = this.dialect.tables;
    const drops = renameIndex === undefined ? names.map((name) => dropIndex(table, name, this.dialect)) : [];
    const work = [...drops, ...change()];
    // The change may have renamed the table, in the record too.
    const [now] = [...this.#live].find(([, each]) => each === live) ?? [table];
    for (const name of names) {
      const index = this.recorded(now)?.indexes.find((each) => each.name === name);
      if (index === undefined) continue;
      live.indexes.delete(name);
      const wanted = nameFor(index);
      if (wanted === undefined && isOwnIndex(name)) {
        // Nothing needs the index any more, and it can be created again from the rows.
        this.#forgetIndex(now, name);
        if (renameIndex !== undefined) work.push(dropIndex(now, name, this.dialect));
        continue;
      }
      const next = wanted !== undefined && !this.#isTakenByLive(wanted) ? wanted : this.#freeName(name, (each) => this.#isTaken(each));
      live.indexes.add(next);
      if (renameIndex === undefined) work.push(createIndex({ name: now }, { ...index, name: next }, this.dialect));
      else if (next !== name) work.push(renameIndex(now, name, next));
      this.#changeRecord(now, (each) => ({
        ...each,
        indexes:
          next === wanted
            ? each.indexes.map((old) => (old.name === name ? { ...old, name: next } : old))
            : each.indexes.filter((old) => old.name !== name),
      }));
    }
    return work;
  }

  /** Renames a foreign key, if the database has names for them. */
  renameConstraint(table: string, from: string, to: string): string[] {
    const { constraints } = this.#at(table);
    const key = this.recorded(table)?.foreignKeys.find(({ name }) => name === from);
    if (key === undefined || from === to || !constraints.has(from) || this.#isKeyOf(table, to)) return [];
    constraints.delete(from);
    constraints.add(to);
    this.#changeRecord(table, (each) => ({
      ...each,
      foreignKeys: each.foreignKeys.map((key) => (key.name === from ? { ...key, name: to } : key)),
    }));
    return [this.dialect.tables.renamedKey(table, key, to)];
  }

  /** Sets a table aside with its indexes: their names are free, and it leaves the record. */
  setTableAside(table: string): { readonly keptAs: string; readonly work: string[] } {
    const keptAs = this.#freeName(table, (name) => this.#isTaken(name) || this.#reservedForRows.has(name));
    const work = this.withIndexes(table, undefined, () => this.renameTable(table, keptAs));
    if (this.dialect.tables.sharesKeyNames)
      for (const { name } of this.recorded(keptAs)?.foreignKeys ?? []) work.push(...this.#setKeyAside(keptAs, name));
    this.#record.delete(keptAs);
    return { keptAs, work };
  }

  /** Reserves a free name for the rows that are set aside from a table. */
  reserveName(table: string): string {
    const name = this.#freeName(table, (each) => this.#isTaken(each) || this.#reservedForRows.has(each));
    this.#reservedForRows.add(name);
    return name;
  }

  /** Sets a column aside. Its foreign key stays with it, since the rows keep their references. */
  setColumnAside(table: string, column: string): { readonly keptAs: string; readonly work: string[] } {
    const keptAs = this.#freeName(column, (name) => this.has(table, name));
    const work = this.withIndexes(table, column, () => [
      ...(this.recorded(table)?.foreignKeys ?? [])
        .filter((key) => key.column === column)
        .flatMap(({ name }) => this.#setKeyAside(table, name)),
      ...this.renameColumn(table, column, keptAs),
    ]);
    this.#changeRecord(table, (each) => ({
      ...each,
      columns: each.columns.filter(({ name }) => name !== keptAs),
      foreignKeys: each.foreignKeys.filter((key) => key.column !== keptAs),
    }));
    return { keptAs, work };
  }

  #setKeyAside(table: string, name: string): string[] {
    return this.renameConstraint(
      table,
      name,
      this.#freeName(name, (each) => this.#isKeyOf(table, each)),
    );
  }

  /** Whether the table, or the database where names are shared, has a key of this name. */
  #isKeyOf(table: string, name: string): boolean {
    const tables = this.dialect.tables.sharesKeyNames ? [...this.#live.values()] : [this.#at(table)];
    return tables.some(({ constraints }) => constraints.has(name));
  }

  #forgetIndex(table: string, index: string): void {
    this.#changeRecord(table, (each) => ({ ...each, indexes: each.indexes.filter(({ name }) => name !== index) }));
  }

  /** Tables and indexes share their names. */
  #isTaken(name: string): boolean {
    return this.#reserved.has(name) || this.#isTakenByLive(name);
  }

  #isTakenByLive(name: string): boolean {
    return this.#live.has(name) || [...this.#live.values()].some(({ indexes }) => indexes.has(name));
  }

  #freeName(name: string, taken: (name: string) => boolean): string {
    for (let attempt = 1; ; attempt++) {
      const candidate = shortened(name, attempt === 1 ? this.#suffix : `${this.#suffix}_${attempt}`);
      if (!taken(candidate)) return candidate;
    }
  }

  #at(table: string): Live {
    const live = this.#live.get(table);
    if (live === undefined) throw new Error(`there is no table ${table}`);
    return live;
  }

  #changeRecord(table: string, change: (table: RecordedTable) => RecordedTable): void {
    const recorded = this.#record.get(table);
    if (recorded === undefined) return;
    const changed = change(recorded);
    if (changed.name !== table) this.#record.delete(table);
    this.#record.set(changed.name, changed);
  }
}

/** Long names end with five characters of their hash, as in the model. */
function shortened(name: string, suffix: string): string {
  const room = maximumLength - suffix.length;
  if (name.length <= room) return name + suffix;
  return name.slice(0, room - 5) + createHash('sha256').update(name).digest('hex').slice(0, 5) + suffix;
}
