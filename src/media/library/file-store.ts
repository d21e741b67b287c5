/** The media library's rows: `files`, and what they are attached to. */
import type { ColumnType } from '../../dialects/column-type.ts';
import type { Connection } from '../../dialects/database.ts';
import type { Dialect, Row, SqlValue } from '../../dialects/dialect.ts';
import type { ContentType, Uid } from '../../model/content-model.ts';
import type { TypedColumn } from '../../sql/inserts.ts';
import { type Cell, Rows } from '../../sql/rows.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { kilobytes } from '../../text/human-size.ts';
import { formatKey, type MadeImage } from '../images/images.ts';

/** A variant in `formats`. */
export interface FormatRecord {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly path: null;
  readonly width: number;
  readonly height: number;
  /** Kilobytes of 1000 bytes, two decimals. */
  readonly size: number;
  readonly sizeInBytes: number;
  readonly url: string;
}

/** Variants by name. */
export type FormatRecords = Readonly<Record<string, FormatRecord>>;

/** A row of `files`. */
export interface FileRecord {
  readonly name: string;
  readonly alternativeText: string | null;
  readonly caption: string | null;
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Null for a file that never had variants; `{}` for one that was replaced. */
  readonly formats: FormatRecords | null;
  /** Without `ext`, the name in the storage. */
  readonly hash: string;
  readonly ext: string | null;
  readonly mime: string;
  /** Kilobytes of 1000 bytes, two decimals. */
  readonly size: number;
  readonly url: string;
  readonly provider: string;
  /** Path of the folder in the media library; `/` for none. */
  readonly folderPath: string;
}

export interface FileRow extends FileRecord {
  readonly id: number;
  readonly documentId: string;
}

/** An attribute of a row that a file is attached to. */
export interface FileUse {
  readonly type: Uid;
  readonly id: number;
  readonly field: string;
}

/** The attribute that an upload is attached to. */
export interface FileLink {
  readonly type: Uid;
  /** Finds the row. Called before and after writing; throws when the caller may not write it. */
  readonly rowId: (connection: Connection) => Promise<number>;
  readonly field: string;
  /** Takes one file: a new file replaces the link to the former one. */
  readonly single: boolean;
  /** Kinds of files (`fileKind`); undefined for all. */
  readonly allowedTypes: readonly string[] | undefined;
  /** The type; undefined for a component, whose row does not name its document. */
  readonly owner: ContentType | undefined;
}

const columns: { readonly [Name in keyof FileRecord]: readonly [column: string, type: ColumnType] } = {
  name: ['name', 'string'],
  alternativeText: ['alternative_text', 'text'],
  caption: ['caption', 'text'],
  focalPoint: ['focal_point', 'json'],
  width: ['width', 'integer'],
  height: ['height', 'integer'],
  formats: ['formats', 'json'],
  hash: ['hash', 'string'],
  ext: ['ext', 'string'],
  mime: ['mime', 'string'],
  size: ['size', 'decimal'],
  url: ['url', 'text'],
  provider: ['provider', 'string'],
  folderPath: ['folder_path', 'string'],
};
const names = Object.keys(columns) as readonly (keyof FileRecord)[];

const selected = sql.join([sql`id, document_id`, ...names.map((name) => sql.read(sql.id(columns[name][0]), columns[name][1]))]);

const toCell = (name: keyof FileRecord, value: FileRecord[keyof FileRecord]): Cell => {
  const [column, type] = columns[name];
  return { name: column, type, value: typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue) };
};

/** The entry of a variant in `formats`. */
export function formatRecord(
  name: string,
  image: Pick<FileRecord, 'name' | 'hash' | 'ext' | 'mime'>,
  { width, height, size }: MadeImage,
  url: string,
): FormatRecord {
  return {
    name: formatKey(name, image.name),
    hash: formatKey(name, image.hash),
    ext: image.ext ?? '',
    mime: image.mime,
    path: null,
    width,
    height,
    size: kilobytes(size),
    sizeInBytes: size,
    url,
  };
}

/** `files` on one connection, in one transaction. */
export class FileStore {
  readonly #rows: Rows;

  constructor(connection: Connection, dialect: Dialect) {
    this.#rows = new Rows(connection, dialect);
  }

  async idOf(documentId: string): Promise<number | undefined> {
    // No documentId contains a NUL, and PostgreSQL does not accept one in a parameter.
    if (documentId.includes('\0')) return undefined;
    const isFile = sql.equals(sql`document_id`, sql.value(documentId, 'string'), 'string', 'names');
    const [row] = await this.#rows.run(sql`SELECT id FROM files WHERE ${isFile} ORDER BY id LIMIT 1`);
    return row === undefined ? undefined : Number(row[0]);
  }

  async byId(id: number): Promise<FileRow | undefined> {
    const [row] = await this.#select(sql`id = ${id}`, 1);
    return row;
  }

  /** Those that exist, by id. */
  async byIds(ids: readonly number[]): Promise<readonly FileRow[]> {
    return this.#select(sql.isOneOf(sql`id`, ids, 'wanted'), ids.length);
  }

  /** The rows after the one with the id `after`, by id. */
  page(after: number, count: number): Promise<readonly FileRow[]> {
    return this.#select(sql`id > ${after}`, count);
  }

  /** The attributes that each file is attached to, if any, in drafts and published versions. */
  async usesOf(ids: readonly number[]): Promise<ReadonlyMap<number, readonly FileUse[]>> {
    const columns = [sql`r.file_id`, sql`r.related_type`, sql`r.related_id`, sql`r.field`];
    const rows = await this.#rows.select('files_related_mph', { key: 'file_id', ids, columns, order: sql`r.file_id, r.id` });
    const uses = new Map<number, FileUse[]>();
    for (const [file, type, id, field] of rows) {
      const use = { type: String(type), id: Number(id), field: String(field) };
      uses.set(Number(file), [...(uses.get(Number(file)) ?? []), use]);
    }
    return uses;
  }

  async #select(condition: Sql, count: number): Promise<FileRow[]> {
    const rows = await this.#rows.run(sql`SELECT ${selected} FROM files WHERE ${condition} ORDER BY id LIMIT ${sql.integer(count)}`);
    return rows.map(fileRow);
  }

  /** Returns the ids in the order of the records. */
  async insert(records: readonly FileRecord[], now: number): Promise<number[]> {
    return this.#rows.insertDocuments(
      'files',
      records.map((record) => names.map((name) => toCell(name, record[name]))),
      now,
    );
  }

  /** As recorded: each file gets the first position, also when there are others. */
  async link(ids: readonly number[], { type, field, single }: FileLink, id: number): Promise<void> {
    if (single) {
      const same = sql`related_id = ${id} AND related_type = ${type} AND field = ${field}`;
      await this.#rows.run(sql`DELETE FROM files_related_mph WHERE ${same}`);
    }
    for (const file of single ? ids.slice(-1) : ids) this.#rows.inserts.later('files_related_mph', linkColumns, [file, id, type, field, 1]);
    this.#rows.inserts.flush();
  }

  update(id: number, changes: Partial<FileRecord>, now: number): void {
    const cells = names.flatMap((name) => {
      const value = changes[name];
      return value === undefined ? [] : [toCell(name, value)];
    });
    this.#rows.update('files', id, [...cells, { name: 'updated_at', type: 'datetime', value: now }]);
  }

  /** With their links to documents and folders. */
  delete(ids: readonly number[]): void {
    this.#rows.delete('files_related_mph', 'file_id', ids);
    this.#rows.delete('files_folder_lnk', 'file_id', ids);
    this.#rows.delete('files', 'id', ids);
  }
}

const linkColumns: readonly TypedColumn[] = [
  { name: 'file_id', type: 'reference' },
  { name: 'related_id', type: 'reference' },
  { name: 'related_type', type: 'string' },
  { name: 'field', type: 'string' },
  { name: 'order', type: 'order' },
];

/** Without variants that have no URL: older rows and other programs may have left them. */
const formatsIn = (stored: FormatRecords | null): FormatRecords | null =>
  stored && Object.fromEntries(Object.entries(stored).filter(([, format]) => typeof format?.url === 'string'));

/** For columns that other programs have left empty. */
const empty: Partial<FileRecord> = { name: '', hash: '', mime: '', size: 0, url: '', provider: '', folderPath: '' };

function fileRow([id, documentId, ...values]: Row): FileRow {
  const read = names.map((name, index) => [name, storedValue(values[index], columns[name][1]) ?? empty[name] ?? null]);
  const record: FileRecord = Object.fromEntries(read);
  return { ...record, id: Number(id), documentId: String(documentId), formats: formatsIn(record.formats) };
}

function storedValue(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.parse(String(value));
  return type === 'integer' || type === 'decimal' ? Number(value) : String(value);
}
