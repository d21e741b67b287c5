/** Compares the media library's rows with the files in the storage. Changes nothing; files may be
 *  added and removed meanwhile. */
import type { Database } from '../../dialects/database.ts';
import { wantedFormats } from '../images/wanted-formats.ts';
import { type FileRow, FileStore, type FileUse } from '../library/file-store.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';

/** A row whose file is missing. */
export interface MissingFile {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly url: string;
  readonly usedBy: readonly FileUse[];
}

/** An image that lacks variants. */
export interface LackingImage {
  readonly id: number;
  readonly name: string;
  /** The key of the image itself. */
  readonly key: StorageKey;
  /** Variants that its row names and whose files are missing. */
  readonly gone: readonly string[];
  /** Variants that `upload.breakpoints` asks for and its row does not name. */
  readonly unmade: readonly string[];
}

/** A file that no row names. */
export interface OrphanFile {
  readonly key: StorageKey;
  readonly url: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
}

export interface MediaFindings {
  readonly rows: number;
  readonly files: number;
  /** Numbers of rows by the name of another provider; their files are not checked. */
  readonly elsewhere: Readonly<Record<string, number>>;
  /** Files without a row that are too recent to judge: uploads store the bytes before the row. */
  readonly young: number;
  readonly missing: readonly MissingFile[];
  readonly lacking: readonly LackingImage[];
  readonly orphans: readonly OrphanFile[];
}

export interface CheckedMedia {
  readonly database: Database;
  readonly storage: Storage;
  /** The active ones: none when the settings of the media library have them off. */
  readonly breakpoints: Readonly<Record<string, number>>;
}

const rowsAtOnce = 200;
const youngFor = 60 * 60 * 1000;

/** The storage is listed before the rows are read. A file that was added meanwhile is found by a
 *  second look, and a file that is old enough has its row by then, so neither is wrongly reported.
 *  The list takes about 150 bytes of memory for each file; one request each would be slow. */
export async function checkMedia({ database, storage, breakpoints }: CheckedMedia, now: number): Promise<MediaFindings> {
  const listed = new Map<StorageKey, { readonly size: number; readonly modified: Date }>();
  for await (const { key, size, modified } of storage.list()) listed.set(key, { size, modified });
  const unnamed = new Map(listed);
  const elsewhere: Record<string, number> = {};
  const [missing, lacking]: [MissingFile[], LackingImage[]] = [[], []];
  let rows = 0;
  for await (const page of pages(database)) {
    rows += page.length;
    const suspects: Suspect[] = [];
    for (const row of page) {
      const key = row.provider === storage.provider ? storage.keyOf(row.url) : undefined;
      if (key === undefined) {
        elsewhere[row.provider] = (elsewhere[row.provider] ?? 0) + 1;
        continue;
      }
      const formats = formatKeysOf(row, storage);
      for (const each of [key, ...formats.values()]) unnamed.delete(each);
      if (!listed.has(key)) suspects.push({ row, key });
      else {
        const gone = await absentOf(
          [...formats].filter(([, each]) => !listed.has(each)),
          storage,
        );
        const wanted = wantedFormats(row, breakpoints).map(({ name }) => name);
        const unmade = wanted.filter((name) => row.formats?.[name] === undefined);
        if (gone.length + unmade.length > 0) lacking.push({ id: row.id, name: row.name, key, gone, unmade });
      }
    }
    missing.push(...(await confirmed(suspects, database, storage)));
  }
  const orphans = [...unnamed].flatMap(([key, { size, modified }]) =>
    now - modified.getTime() < youngFor ? [] : [{ key, url: storage.urlOf(key), size, modified }],
  );
  orphans.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { rows, files: listed.size, elsewhere, young: unnamed.size - orphans.length, missing, lacking, orphans };
}

async function* pages(database: Database): AsyncGenerator<readonly FileRow[]> {
  let last = 0;
  while (true) {
    const page = await database.read((connection) => new FileStore(connection, database.dialect).page(last, rowsAtOnce));
    if (page.length === 0) return;
    yield page;
    last = page.at(-1)?.id ?? last;
  }
}

/** Keys of the variants in a row, by name. */
function formatKeysOf({ formats }: FileRow, storage: Storage): ReadonlyMap<string, StorageKey> {
  const keys = new Map<string, StorageKey>();
  for (const [name, format] of Object.entries(formats ?? {})) {
    const key = storage.keyOf(format.url);
    if (key !== undefined) keys.set(name, key);
  }
  return keys;
}

/** The names whose files are still missing. */
async function absentOf(keys: readonly (readonly [name: string, key: StorageKey])[], storage: Storage): Promise<string[]> {
  const present = await Promise.all(keys.map(async ([, key]) => (await storage.open(key)) !== undefined));
  return keys.flatMap(([name], index) => (present[index] === true ? [] : [name])).sort();
}

interface Suspect {
  readonly row: FileRow;
  readonly key: StorageKey;
}

/** The suspects that still have a row, and whose files are still missing. */
async function confirmed(suspects: readonly Suspect[], database: Database, storage: Storage): Promise<MissingFile[]> {
  const absent = new Set(
    await absentOf(
      suspects.map(({ row, key }) => [String(row.id), key] as const),
      storage,
    ),
  );
  const rows = suspects.flatMap(({ row }) => (absent.has(String(row.id)) ? [row] : []));
  if (rows.length === 0) return [];
  return database.read(async (connection) => {
    const files = new FileStore(connection, database.dialect);
    const uses = await files.usesOf(rows.map(({ id }) => id));
    const found: MissingFile[] = [];
    for (const { id, documentId, name, url } of rows) {
      if ((await files.byId(id)) !== undefined) found.push({ id, documentId, name, url, usedBy: uses.get(id) ?? [] });
    }
    return found;
  });
}
