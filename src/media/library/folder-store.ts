/** Folders of the media library, in Strapi's tables. `path` has the `path_id` of each folder from
 *  the top (`/3/17`), and `folder_path` of a file is the path of its folder, `/` at the top. */
import type { Connection } from '../../dialects/database.ts';
import type { Dialect, Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { TypedColumn } from '../../sql/inserts.ts';
import { type Cell, Rows } from '../../sql/rows.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { readSetting, writeSetting } from '../../tables/settings-store.ts';

export interface FolderRow {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly pathId: number;
  readonly path: string;
  /** Null at the top. */
  readonly parent: number | null;
  /** Milliseconds. */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

export interface FolderContent {
  /** The number of folders in it. */
  readonly children: number;
  /** The number of files in it, not counting those of folders in it. */
  readonly files: number;
}

/** Where files are: `id` is undefined at the top of the library. */
export interface FolderPlace {
  readonly id: number | undefined;
  readonly path: string;
}

export const topOfLibrary: FolderPlace = { id: undefined, path: '/' };

/** The library stops at this number of folders, so that all of them can be listed. */
export const maxFolders = 10_000;

const selected = sql.join([
  sql`f.id, f.document_id, f.name, f.path_id, f.path, p.inv_folder_id`,
  ...['created_at', 'updated_at'].map((name) => sql.read(sql.id('f', name), 'datetime')),
]);
const source = sql`upload_folders f LEFT JOIN upload_folders_parent_lnk p ON p.folder_id = f.id`;

/** Paths in one statement. */
const pathsPerStatement = 300;

/** On one connection, in one transaction. */
export class FolderStore {
  readonly #rows: Rows;

  constructor(connection: Connection, dialect: Dialect) {
    this.#rows = new Rows(connection, dialect);
  }

  /** Every change of folders, and of the files in them, needs it: it lasts until the transaction
   *  ends. Locks of documents are taken before it. */
  lock(): void {
    this.#rows.lock([apiFolderKey]);
  }

  /** By id; the first `maxFolders`, if another program has added more. */
  all(): Promise<readonly FolderRow[]> {
    return this.#select(sql`1 = 1`, maxFolders);
  }

  async byId(id: number): Promise<FolderRow | undefined> {
    return (await this.#select(sql`f.id = ${id}`, 1))[0];
  }

  /** Null is the top of the library. Throws `ApiError` 'upload.body'. */
  async place(id: number | null): Promise<FolderPlace> {
    const found = id === null ? topOfLibrary : await this.byId(id);
    if (found === undefined) throw ApiError.of('upload.body', { problem: `There is no folder with the id ${id}` });
    return found;
  }

  async count(): Promise<number> {
    const [row] = await this.#rows.run(sql`SELECT count(*) FROM upload_folders`);
    return Number(row?.[0] ?? 0);
  }

  /** The number of files that are directly in each folder. */
  async fileCounts(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#rows.run(sql`SELECT folder_id, count(*) FROM files_folder_lnk GROUP BY folder_id`);
    return new Map(rows.map(([folder, count]) => [Number(folder), Number(count)]));
  }

  async contentOf(id: number): Promise<FolderContent> {
    const counted = async (from: Sql) => Number((await this.#rows.run(sql`SELECT count(*) FROM ${from}`))[0]?.[0] ?? 0);
    return {
      children: await counted(sql`upload_folders_parent_lnk WHERE inv_folder_id = ${id}`),
      files: await counted(sql`files_folder_lnk WHERE folder_id = ${id}`),
    };
  }

  /** The names of the folders in a folder, or at the top. */
  async namesIn(parent: number | null): Promise<ReadonlyMap<string, number>> {
    const isThere = parent === null ? sql`p.inv_folder_id IS NULL` : sql`p.inv_folder_id = ${parent}`;
    const rows = await this.#rows.run(sql`SELECT f.name, f.id FROM ${source} WHERE ${isThere}`);
    return new Map(rows.map(([name, id]) => [String(name), Number(id)]));
  }

  async insert(name: string, parent: FolderPlace, now: number): Promise<number> {
    const [highest] = await this.#rows.run(sql`SELECT max(path_id) FROM upload_folders`);
    const pathId = Number(highest?.[0] ?? 0) + 1;
    const cells: readonly Cell[] = [
      { name: 'name', type: 'string', value: name },
      { name: 'path_id', type: 'integer', value: pathId },
      { name: 'path', type: 'string', value: pathIn(parent, pathId) },
    ];
    const [id = 0] = await this.#rows.insertDocuments('upload_folders', [cells], now);
    await this.#linkToParent(id, parent);
    return id;
  }

  rename(id: number, name: string, now: number): void {
    this.#rows.update('upload_folders', id, [
      { name: 'name', type: 'string', value: name },
      { name: 'updated_at', type: 'datetime', value: now },
    ]);
  }

  /** The paths of a folder and of all below it. */
  async pathsFrom({ path }: FolderPlace): Promise<readonly string[]> {
    // Compared here: how databases compare beginnings of texts depends on their collations.
    const rows = await this.#rows.run(sql`SELECT path FROM upload_folders`);
    return [path, ...rows.map(([each]) => String(each)).filter((each) => each.startsWith(`${path}/`))];
  }

  /** `paths` are those of `pathsFrom`. */
  async move(folder: FolderRow, parent: FolderPlace, paths: readonly string[], now: number): Promise<void> {
    const path = pathIn(parent, folder.pathId);
    const moved = paths.map((each) => [each, path + each.slice(folder.path.length)] as const);
    this.#replace('upload_folders', 'path', moved);
    this.#replace('files', 'folder_path', moved);
    this.#rows.update('upload_folders', folder.id, [{ name: 'updated_at', type: 'datetime', value: now }]);
    this.#rows.delete('upload_folders_parent_lnk', 'folder_id', [folder.id]);
    await this.#linkToParent(folder.id, parent);
  }

  delete(id: number): void {
    this.#rows.delete('upload_folders_parent_lnk', 'folder_id', [id]);
    this.#rows.delete('upload_folders', 'id', [id]);
  }

  /** Files after those that are there. */
  async putFiles(ids: readonly number[], { id }: FolderPlace): Promise<void> {
    if (id === undefined) return;
    const [highest] = await this.#rows.run(sql`SELECT max(file_ord) FROM files_folder_lnk WHERE folder_id = ${id}`);
    const first = Number(highest?.[0] ?? 0) + 1;
    for (const [index, file] of ids.entries()) this.#rows.inserts.later('files_folder_lnk', fileLink, [file, id, first + index]);
    this.#rows.inserts.flush();
  }

  async moveFiles(ids: readonly number[], place: FolderPlace, now: number): Promise<void> {
    this.#rows.delete('files_folder_lnk', 'file_id', ids);
    await this.putFiles(ids, place);
    this.#rows.updateAll('files', ids, [
      { name: 'folder_path', type: 'string', value: place.path },
      { name: 'updated_at', type: 'datetime', value: now },
    ]);
  }

  /** The folder of uploads that name none, as Strapi has it: created if it is missing. */
  async apiFolder(now: number): Promise<FolderPlace> {
    const known = folderId(await readSetting(this.#rows.connection, apiFolderKey));
    const found = known === undefined ? undefined : await this.byId(known);
    if (found !== undefined) return found;
    const taken = await this.namesIn(null);
    let name = apiFolderName;
    for (let count = 1; taken.has(name); count++) name = `${apiFolderName} (${count})`;
    const id = await this.insert(name, topOfLibrary, now);
    await writeSetting(this.#rows.connection, apiFolderKey, { id });
    return { id, path: (await this.byId(id))?.path ?? '/' };
  }

  async #linkToParent(id: number, parent: FolderPlace): Promise<void> {
    if (parent.id === undefined) return;
    const inParent = sql`SELECT max(folder_ord) FROM upload_folders_parent_lnk WHERE inv_folder_id = ${parent.id}`;
    const [highest] = await this.#rows.run(inParent);
    this.#rows.inserts.later('upload_folders_parent_lnk', parentLink, [id, parent.id, Number(highest?.[0] ?? 0) + 1]);
    this.#rows.inserts.flush();
  }

  /** Replaces values of a column. Paths have nothing but digits and slashes. */
  #replace(table: string, column: string, values: readonly (readonly [old: string, next: string])[]): void {
    const text = (value: string) => sql.value(value, 'string');
    for (let start = 0; start < values.length; start += pathsPerStatement) {
      const some = values.slice(start, start + pathsPerStatement);
      const cases = some.map(([old, next]) => sql` WHEN ${text(old)} THEN ${text(next)}`);
      const isOne = sql`${sql.id(column)} IN (${sql.join(some.map(([old]) => text(old)))})`;
      this.#rows.send(sql`UPDATE ${sql.id(table)} SET ${sql.id(column)} = CASE ${sql.id(column)}${sql.join(cases, '')} END WHERE ${isOne}`);
    }
  }

  async #select(condition: Sql, count: number): Promise<readonly FolderRow[]> {
    const rows = await this.#rows.run(sql`SELECT ${selected} FROM ${source} WHERE ${condition} ORDER BY f.id LIMIT ${sql.integer(count)}`);
    return rows.map(folderRow);
  }
}

export const pathIn = (parent: FolderPlace, pathId: number): string => `${parent.id === undefined ? '' : parent.path}/${pathId}`;

const fileLink: readonly TypedColumn[] = [
  { name: 'file_id', type: 'reference' },
  { name: 'folder_id', type: 'reference' },
  { name: 'file_ord', type: 'order' },
];
const parentLink: readonly TypedColumn[] = [
  { name: 'folder_id', type: 'reference' },
  { name: 'inv_folder_id', type: 'reference' },
  { name: 'folder_ord', type: 'order' },
];

const apiFolderKey = 'plugin_upload_api-folder';
const apiFolderName = 'API Uploads';

const folderId = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : undefined;

function folderRow([id, documentId, name, pathId, path, parent, createdAt, updatedAt]: Row): FolderRow {
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  return {
    id: Number(id),
    documentId: String(documentId),
    name: String(name ?? ''),
    pathId: Number(pathId),
    path: String(path ?? '/'),
    parent: number(parent),
    createdAt: number(createdAt),
    updatedAt: number(updatedAt),
  };
}
