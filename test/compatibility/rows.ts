/** Brings rows into a form in which two runs of the same requests can be compared: whatever a run makes up itself (ids, times, hashes, the numbers in
 *  order columns) is replaced by what it means. A row gets a name in place of its id:
 *
 *  - a row of a document: `books 2 published en`, where 2 is the document's place among the documents of its table, by lowest row id
 *  - a row of a component: the place where it is used, `books 2 draft en.offers[1].discount[1]`
 *  - any other row: `publishers ~2`, its place among the ids that are mentioned, when the rows of its table were not recorded
 */
import { readFileSync } from 'node:fs';
import { Driver as BetterSqlite3 } from '../../src/dialects/sqlite-driver.ts';

export type Row = Readonly<Record<string, unknown>>;
/** Table → rows, as a database gives them: SQLite's values, or texts. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

export interface RowSchema {
  /** Table → column → declared type in SQLite, without its length. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Table → column → the table whose ids it holds. */
  readonly references: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Name of a content type (`api::book.book`) or a component (`shop.offer`) → table. */
  readonly typeTables: Readonly<Record<string, string>>;
}

/** Table → name of the row → column → value. */
export type CanonicalRows = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

/** The schema of a SQLite database of Strapi's; the tables of types stand in schema files. */
export function readRowSchema(database: string, schemaFiles: readonly string[]): RowSchema {
  const handle = new BetterSqlite3(database, { readonly: true });
  const tables = handle.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const ofEach = (pragma: string, of: (row: Row) => readonly [unknown, unknown]) =>
    Object.fromEntries(tables.map(({ name }) => [name, Object.fromEntries((handle.pragma(`${pragma}("${name}")`) as Row[]).map(of))]));
  const columns = ofEach('table_info', ({ name, type }) => [name, String(type).toLowerCase().replace(/\(.*/, '')]);
  const references = ofEach('foreign_key_list', ({ from, table }) => [from, table]);
  handle.close();
  const typeTables = schemaFiles.map((file) => {
    const { collectionName, info }: { collectionName: string; info: { singularName?: string } } = JSON.parse(readFileSync(file, 'utf8'));
    const [name = '', folder = ''] = file
      .replace(/\.json$/, '')
      .split('/')
      .reverse();
    return [info.singularName === undefined ? `${folder}.${name}` : `api::${info.singularName}.${info.singularName}`, collectionName];
  });
  return { columns, references, typeTables: Object.fromEntries(typeTables) };
}

type Kind = 'documents' | 'components' | 'uses' | 'morph' | 'links';

function kindOf(table: string, schema: RowSchema): Kind {
  const columns = schema.columns[table];
  if (columns === undefined) throw new Error(`no table ${table}`);
  if ('document_id' in columns) return 'documents';
  if ('cmp_id' in columns) return 'uses';
  if ('related_type' in columns) return 'morph';
  return Object.values(schema.typeTables).includes(table) ? 'components' : 'links';
}

/** The rows under their names. Two rows that would have one name are distinguished by `#2`, so that they differ from the other side's one row. */
export function canonicalRows(rows: Rows, schema: RowSchema): CanonicalRows {
  const naming = new Naming(rows, schema);
  return Object.fromEntries(
    Object.entries(rows).map(([table, ofTable]) => {
      const named: Record<string, Readonly<Record<string, unknown>>> = {};
      for (const row of ofTable) {
        const [name, values] = naming.canonical(table, row);
        let free = name;
        for (let more = 2; free in named; more++) free = `${name} #${more}`;
        named[free] = values;
      }
      return [table, named];
    }),
  );
}

class Naming {
  readonly #rows: Rows;
  readonly #schema: RowSchema;
  readonly #names = new Map<string, Map<number, string>>();
  /** Table of join rows → id of the row → its place among those of the same owner, by column. */
  readonly #ranks = new Map<string, Map<number, number>>();

  constructor(rows: Rows, schema: RowSchema) {
    this.#rows = rows;
    this.#schema = schema;
    const tables = Object.keys(rows);
    for (const table of tables.filter((name) => kindOf(name, schema) === 'documents')) this.#nameDocuments(table);
    this.#nameComponents(tables.filter((name) => kindOf(name, schema) === 'uses'));
  }

  canonical(table: string, row: Row): readonly [name: string, values: Readonly<Record<string, unknown>>] {
    switch (kindOf(table, this.#schema)) {
      case 'documents':
      case 'components':
        return [this.#name(table, row.id), this.#values(table, row)];
      case 'uses': {
        const component = this.#tableOf(row.component_type);
        return [this.#use(table, row), { component: row.component_type, row: this.#name(component, row.cmp_id) }];
      }
      case 'morph': {
        const [[column = '', target = ''] = []] = Object.entries(this.#schema.references[table] ?? {});
        const rank = this.#rank(table, 'order', row, ({ related_id, related_type, field }) => `${related_type} ${related_id} ${field}`);
        const name = `${this.#name(this.#tableOf(row.related_type), row.related_id)}.${row.field}[${rank}]`;
        return [name, { row: this.#name(target, row[column]) }];
      }
      case 'links': {
        const ends = this.#endsOf(table);
        const orders = Object.keys(row).filter((column) => column.endsWith('_ord'));
        return [
          ends.map(([column, target]) => this.#name(target, row[column])).join(' → '),
          Object.fromEntries(orders.map((column) => [column, this.#linkRank(table, column, row)])),
        ];
      }
    }
  }

  #nameDocuments(table: string): void {
    const numbers = new Map<unknown, number>();
    const names = new Map<number, string>();
    for (const row of byId(this.#rows[table] ?? [])) {
      const number = numbers.get(row.document_id) ?? numbers.size + 1;
      numbers.set(row.document_id, number);
      names.set(Number(row.id), [table, number, statusOf(row), ...(row.locale === null ? [] : [row.locale])].join(' '));
    }
    this.#names.set(table, names);
  }

  /** From the outside inwards: the name of a component in a component begins with that one's. */
  #nameComponents(tables: readonly string[]): void {
    const isNested = (table: string) => kindOf(this.#ownerOf(table), this.#schema) === 'components';
    const uses = [...tables].sort((a, b) => Number(isNested(a)) - Number(isNested(b)));
    // Once for each level of components in components.
    for (let level = 0; level < 4; level++) {
      for (const table of uses) {
        for (const row of this.#rows[table] ?? []) {
          const names = this.#namesOf(this.#tableOf(row.component_type));
          const id = Number(row.cmp_id);
          if (!names.has(id) && (!isNested(table) || this.#namesOf(this.#ownerOf(table)).has(Number(row.entity_id)))) {
            names.set(id, this.#use(table, row));
          }
        }
      }
    }
  }

  /** Where a component is used. */
  #use(table: string, row: Row): string {
    const rank = this.#rank(table, 'order', row, ({ entity_id, field }) => `${entity_id} ${field}`);
    return `${this.#name(this.#ownerOf(table), row.entity_id)}.${row.field}[${rank}]`;
  }

  /** The place of a link among those that are read together: of the same owner, to rows of the same status. */
  #linkRank(table: string, column: string, row: Row): number {
    const [[source = ''] = [], [target = ''] = []] = this.#endsOf(table);
    const own = `${column.slice(0, -'_ord'.length)}_id`;
    // Between rows of one type, `x_ord` is the order of the targets `inv_x_id` of an `x_id`, and the other way round.
    const ordered = `inv_${own}` === target || own === `inv_${source}` ? (own === source ? target : source) : own;
    const owner = ordered === source ? target : source;
    const orderedTable = this.#schema.references[table]?.[ordered] ?? '';
    return this.#rank(table, column, row, (other) => `${other[owner]} ${this.#statusOf(orderedTable, other[ordered])}`);
  }

  /** Equal order values are read in the order of the join rows' ids. */
  #rank(table: string, column: string, row: Row, groupOf: (row: Row) => string): number {
    const key = `${table}.${column}`;
    let ranks = this.#ranks.get(key);
    if (ranks === undefined) {
      ranks = new Map();
      this.#ranks.set(key, ranks);
      const counts = new Map<string, number>();
      const orderOf = (value: unknown) => (value === null ? Number.NEGATIVE_INFINITY : Number(value));
      const sorted = [...(this.#rows[table] ?? [])].sort(
        (a, b) => compareNumbers(orderOf(a[column]), orderOf(b[column])) || Number(a.id) - Number(b.id),
      );
      for (const other of sorted) {
        const group = groupOf(other);
        const rank = (counts.get(group) ?? 0) + 1;
        counts.set(group, rank);
        ranks.set(Number(other.id), rank);
      }
    }
    return ranks.get(Number(row.id)) ?? 0;
  }

  #statusOf(table: string, id: unknown): string {
    const row = this.#rows[table]?.find((candidate) => Number(candidate.id) === Number(id));
    return row !== undefined && 'published_at' in row ? statusOf(row) : '';
  }

  #name(table: string, id: unknown): string {
    if (id === null) return 'nothing';
    const unnamed = () => (table in this.#rows ? `${table} (unreachable)` : `${table} ~${this.#placeAmongMentioned(table, id)}`);
    return this.#namesOf(table).get(Number(id)) ?? unnamed();
  }

  /** For a table whose rows were not recorded. */
  #placeAmongMentioned(table: string, id: unknown): number {
    const mentioned = new Set<number>();
    for (const [other, rows] of Object.entries(this.#rows)) {
      for (const [column, target] of Object.entries(this.#schema.references[other] ?? {})) {
        if (target === table) for (const row of rows) if (row[column] !== null) mentioned.add(Number(row[column]));
      }
      for (const row of rows) {
        if ('cmp_id' in row && this.#tableOf(row.component_type) === table) mentioned.add(Number(row.cmp_id));
        if ('related_id' in row && this.#tableOf(row.related_type) === table) mentioned.add(Number(row.related_id));
      }
    }
    return [...mentioned].sort((a, b) => a - b).indexOf(Number(id)) + 1;
  }

  #values(table: string, { id: _, ...columns }: Row): Readonly<Record<string, unknown>> {
    const types = this.#schema.columns[table] ?? {};
    const values = Object.entries(columns).map(([column, stored]) => {
      const value = canonicalValue(column, types[column] ?? '', stored);
      return [column, table === 'files' ? withoutEncoding(column, value) : value];
    });
    return Object.fromEntries(values);
  }

  #namesOf(table: string): Map<number, string> {
    const names = this.#names.get(table) ?? new Map<number, string>();
    this.#names.set(table, names);
    return names;
  }

  #ownerOf(table: string): string {
    return this.#schema.references[table]?.entity_id ?? '';
  }

  #endsOf(table: string): [column: string, target: string][] {
    const references = this.#schema.references[table] ?? {};
    return Object.keys(this.#schema.columns[table] ?? {}).flatMap((column) =>
      references[column] === undefined ? [] : [[column, references[column]]],
    );
  }

  #tableOf(type: unknown): string {
    return this.#schema.typeTables[String(type)] ?? String(type);
  }
}

const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => Number(a.id) - Number(b.id));
const compareNumbers = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
const statusOf = ({ published_at }: Row) => (published_at === null ? 'draft' : 'published');

const generatedTimes = new Set(['created_at', 'updated_at', 'published_at']);

function canonicalValue(column: string, type: string, value: unknown): unknown {
  // Kept without a write for each request, so that it may follow later.
  if (column === 'last_used_at') return '(a time of use)';
  if (value === null) return null;
  if (generatedTimes.has(column)) return '(a time)';
  if (column === 'document_id') return /^[a-z][a-z0-9]{23}$/.test(String(value)) ? '(a document id)' : value;
  switch (type) {
    case 'boolean':
      return [1, true, 't', 'true', '1'].includes(value as string);
    case 'integer':
    case 'float':
      return Number(value);
    case 'bigint':
      return String(value);
    case 'datetime':
      return typeof value === 'number' ? value : Date.parse(`${String(value).replace(' ', 'T')}Z`);
    case 'time':
      return String(value).replace(
        /^(\d\d:\d\d:\d\d)(?:\.(\d*))?$/,
        (_, seconds, fraction = '') => `${seconds}.${fraction.padEnd(3, '0')}`,
      );
    case 'json':
      return typeof value === 'string' ? jsonValue(value) : value;
    default:
      // The letter says which of the equal variants of bcrypt made it.
      return typeof value === 'string' ? value.replace(/^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/, '(bcrypt with cost $1)') : value;
  }
}

/** A value of a file without the random part of its names, and without sizes, which depend on the version of an image encoder. */
function withoutEncoding(key: string, value: unknown): unknown {
  if (/^size/.test(key)) return `(a ${typeof value})`;
  if (typeof value === 'string') return value.replace(/_[0-9a-f]{10}(?=\.|$)/, '_(a hash)');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, element]) => [inner, withoutEncoding(inner, element)]));
}

/** A text that is no JSON is itself: SQLite has no type of its own for JSON. */
function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The problem of a row that no sequence of requests may leave. */
export interface Defect {
  readonly table: string;
  readonly row: Row;
  readonly why: string;
}

/** Rows that contradict each other. */
export function contradictions(rows: Rows, schema: RowSchema): Defect[] {
  const defects: Defect[] = [];
  for (const [table, ofTable] of Object.entries(rows)) {
    const kind = kindOf(table, schema);
    if (kind !== 'documents' && kind !== 'uses') continue;
    const seen = new Set<string>();
    for (const row of ofTable) {
      const what =
        kind === 'uses' ? `${row.component_type} ${row.cmp_id}` : [row.document_id, statusOf(row), row.locale].map(String).join(' ');
      if (seen.has(what))
        defects.push({ table, row, why: kind === 'uses' ? 'used twice' : 'the document has this status and locale twice' });
      seen.add(what);
    }
  }
  return defects;
}

/** Rows that no request can reach any more. Tables that are not given are taken to hold what is mentioned of them. */
export function unreachable(rows: Rows, schema: RowSchema): Defect[] {
  const ids = new Map(Object.entries(rows).map(([table, ofTable]) => [table, new Set(ofTable.map(({ id }) => Number(id)))]));
  const isGone = (table: string | undefined, id: unknown) => table !== undefined && ids.get(table)?.has(Number(id)) === false;
  const allRows = Object.values(rows).flat();
  const used = new Set(allRows.map(({ component_type, cmp_id }) => `${schema.typeTables[String(component_type)]} ${cmp_id}`));
  const defects: Defect[] = [];
  for (const [table, ofTable] of Object.entries(rows)) {
    const kind = kindOf(table, schema);
    if (kind === 'documents') continue;
    for (const row of ofTable) {
      const report = (why: string) => defects.push({ table, row, why });
      if (kind === 'components' && !used.has(`${table} ${row.id}`)) report('used nowhere');
      if (kind === 'uses' && isGone(schema.typeTables[String(row.component_type)], row.cmp_id)) report('the component is gone');
      if (kind === 'morph' && isGone(schema.typeTables[String(row.related_type)], row.related_id)) report('the related row is gone');
      for (const [column, target] of Object.entries(schema.references[table] ?? {})) {
        if (row[column] === null || isGone(target, row[column])) report(`the row of ${column} is gone`);
      }
    }
  }
  return defects;
}

/** Without what Strapi leaves behind: join rows of the components of a dynamic zone that was emptied. */
export function onlyReachable(rows: Rows, schema: RowSchema): Rows {
  const defects = new Set(unreachable(rows, schema).map(({ row }) => row));
  if (defects.size === 0) return rows;
  const kept = Object.entries(rows).map(([table, ofTable]) => [table, ofTable.filter((row) => !defects.has(row))]);
  // Rows that only such a row mentions cannot be reached either.
  return onlyReachable(Object.fromEntries(kept), schema);
}
