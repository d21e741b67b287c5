/** The media library: bytes in the storage and rows in the database, changed together. */
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { ConfiguredSettings } from '../../config/stored-settings.ts';
import type { Connection, Database } from '../../dialects/database.ts';
import { writeRetried } from '../../dialects/retry-conflicts.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type EventCaller, serverItself } from '../../events/document-event.ts';
import type { Figures } from '../../observe/figures.ts';
import { Rows } from '../../sql/rows.ts';
import { readImageSettings } from '../images/image-settings.ts';
import type { Images } from '../images/images.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';
import { fileKind } from '../types/file-kind.ts';
import type { IncomingFile } from '../types/media-type.ts';
import { documentIdsOf, type FileChange, storeFileEvents, storeLinkEvent } from './file-events.ts';
import type { FileInfo } from './file-info.ts';
import { createFileLocks } from './file-locks.ts';
import { type FileLink, type FileRow, FileStore } from './file-store.ts';
import { type FolderPlace, FolderStore, topOfLibrary } from './folder-store.ts';
import { examineFile, type KnownFile, type PreparedFile, prepareFile } from './prepare-file.ts';
import { removeFiles, withFilesPut, withFilesReplaced } from './put-files.ts';

export interface NewFile {
  readonly file: IncomingFile;
  readonly info: FileInfo;
}

/** The restrictions of the caller, checked inside the transaction: before anything is written, and
 *  on the written rows. Both throw to refuse. */
export interface Checks {
  /** Whom the event names; the server itself by default. */
  readonly caller?: EventCaller;
  readonly before?: (connection: Connection) => Promise<void>;
  readonly after?: (connection: Connection, ids: readonly number[]) => Promise<void>;
}

/** Where an upload is stored and what it is attached to. */
export interface Addition extends Checks {
  readonly link?: FileLink | undefined;
}

/** Every method throws an `ApiError` for a request that it refuses, and has changed nothing. */
export interface MediaLibrary {
  /** The row id of a file; undefined when there is no such file. */
  idOf(documentId: string): Promise<number | undefined>;
  /** Returns the row ids in the files' order. `folder` is a temporary folder of this request, whose
   *  files may be moved. With `policies.dropRefusedFiles`, omits files of types that are not
   *  allowed, unless all are. */
  add(files: readonly NewFile[], folder: string, addition?: Addition): Promise<number[]>;
  /** Replaces the bytes of a file that keeps its id, URL and links. */
  replace(id: number, file: NewFile, folder: string, checks?: Checks): Promise<void>;
  /** Fields that are null or undefined stay as they are; a null folder is the top. */
  updateInfo(id: number, info: FileInfo, checks?: Checks): Promise<void>;
  /** All of them or none: false when one is missing. */
  remove(ids: readonly number[], checks?: Checks): Promise<boolean>;
}

export interface LibraryParts {
  readonly config: Pick<Config, 'upload' | 'policies'>;
  readonly database: Database;
  readonly storage: Storage;
  readonly images: Images;
  readonly configured: ConfiguredSettings;
  /** Whether changes of files leave events. */
  readonly keepsEvents: boolean;
  /** Counts what was stored. */
  readonly uploads: Figures['uploads'];
}

export function createMediaLibrary({ config, database, storage, images, configured, keepsEvents, uploads }: LibraryParts): MediaLibrary {
  const { dialect } = database;
  const { upload, policies } = config;
  // Two requests that replace the same file must not mix their bytes and rows. Other processes on
  // the same storage do not see the lock: there the last write wins, for each row and file.
  const { withLock, withLocks } = createFileLocks();
  const rowsOn = (connection: Connection) => new FileStore(connection, dialect);
  const settings = () => database.read((connection) => readImageSettings(connection, configured));

  const examineAll = async (files: readonly NewFile[]): Promise<KnownFile[]> => {
    const known: KnownFile[] = [];
    let refused: ApiError | undefined;
    for (const { file, info } of files) {
      const examined = await examineFile(file, info, config);
      if (!('refused' in examined)) known.push(examined);
      else if (policies.dropRefusedFiles) refused ??= examined.refused;
      else throw examined.refused;
    }
    if (known.length === 0 && refused !== undefined) throw refused;
    return known;
  };

  const prepareAll = async (known: readonly KnownFile[], folder: string): Promise<PreparedFile[]> => {
    const parts = { config: upload, storage, images, settings: await settings(), believes: config.policies.believeMediaTypes };
    const prepared: PreparedFile[] = [];
    // One after the other: all requests share the image processes.
    for (const [index, each] of known.entries()) prepared.push(await prepareFile(each, join(folder, `made-${index}`), parts));
    return prepared;
  };

  /** The keys of a row's files in the storage; none for rows of other providers. */
  const keysOf = ({ provider, url, formats }: FileRow): StorageKey[] =>
    provider !== storage.provider
      ? []
      : [url, ...Object.values(formats ?? {}).map((format) => format.url)].flatMap((each) => storage.keyOf(each) ?? []);

  const storeEvents = (change: FileChange, caller: EventCaller, now: number, connection: Connection) => {
    if (keepsEvents) storeFileEvents(change, caller, now, new Rows(connection, dialect));
  };

  const counted = (prepared: readonly PreparedFile[]) => {
    uploads.files += prepared.length;
    for (const { record } of prepared) uploads.bytes += Math.round(record.size * 1000);
  };

  const found = (row: FileRow | undefined): FileRow => {
    if (row === undefined) throw ApiError.of('upload.unknown-file');
    return row;
  };

  return {
    idOf: (documentId) => database.read((connection) => rowsOn(connection).idOf(documentId)),

    async add(files, folder, { link, caller = serverItself, before, after } = {}) {
      const known = await examineAll(files);
      if (link !== undefined) refuseOtherKinds(known, link);
      const prepared = await prepareAll(known, folder);
      const puts = prepared.flatMap((each) => each.puts);
      // Bytes first: a row without them is a broken image; `lectern media check` finds bytes alone.
      const ids = await withFilesPut(puts, storage, () =>
        writeRetried(database, async (connection) => {
          await before?.(connection);
          const target = link === undefined ? undefined : { link, id: await link.rowId(connection) };
          const rows = rowsOn(connection);
          const now = Date.now();
          const ids = await insertFiles(prepared, { rows, folders: new FolderStore(connection, dialect), now });
          if (target !== undefined) await rows.link(ids, target.link, target.id);
          if (keepsEvents) await storeAdded(ids, { target, caller, now }, new Rows(connection, dialect));
          await link?.rowId(connection);
          await after?.(connection, ids);
          return ids;
        }),
      );
      counted(prepared);
      return ids;
    },

    async replace(id, { file, info }, folder, { caller = serverItself, before, after } = {}) {
      const old = found(
        await database.read(async (connection) => {
          await before?.(connection);
          return rowsOn(connection).byId(id);
        }),
      );
      const examined = await examineFile(file, info, config);
      if ('refused' in examined) throw examined.refused;
      const [prepared] = await prepareAll([{ ...examined, hash: old.hash, ext: old.ext ?? '' }], folder);
      if (prepared === undefined) return;
      const { name, width, height, formats, mime, size, url, provider } = prepared.record;
      const changes = {
        name,
        mime,
        size,
        url,
        provider,
        formats: formats ?? {},
        // As recorded: without new dimensions, the old ones stay; the focal point does not.
        ...(width === null || height === null ? {} : { width, height }),
        ...(info.alternativeText === undefined ? {} : { alternativeText: info.alternativeText }),
        ...(info.caption === undefined ? {} : { caption: info.caption }),
        focalPoint: info.focalPoint ?? null,
      };
      // Bytes, then the row, then removing the other old bytes. If the process ends in between, the
      // old row has new bytes, but each of its URLs opens a file: the new row's variants are
      // already stored, and those of the old row still are. In the opposite order, a row would name
      // missing variants. Repeating the request finishes it.
      await withLock(id, async () => {
        // Read again: another request may have replaced it in the meantime.
        const current = found(await database.read((connection) => rowsOn(connection).byId(id)));
        await withFilesReplaced(prepared.puts, { keys: keysOf(current), mediaType: current.mime, isGone }, { storage, folder }, () =>
          writeRetried(database, async (connection) => {
            await before?.(connection);
            const rows = rowsOn(connection);
            const { documentId } = found(await rows.byId(id));
            const now = Date.now();
            rows.update(id, changes, now);
            await moveTo(info.folder, id, now, connection);
            storeEvents({ type: 'update', documentIds: [documentId], paths: Object.keys(changes) }, caller, now, connection);
            await after?.(connection, [id]);
          }),
        );
      });
      counted([prepared]);
    },

    updateInfo: (id, info, { caller = serverItself, before, after } = {}) =>
      writeRetried(database, async (connection) => {
        await before?.(connection);
        const rows = rowsOn(connection);
        const { documentId } = found(await rows.byId(id));
        const { folder, ...fields } = info;
        const sent = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
        const now = Date.now();
        rows.update(id, Object.fromEntries(sent), now);
        await moveTo(folder, id, now, connection);
        const paths = [...sent.map(([name]) => name), ...(folder === undefined ? [] : ['folder'])];
        storeEvents({ type: 'update', documentIds: [documentId], paths }, caller, now, connection);
        await after?.(connection, [id]);
      }),

    remove: (ids, { caller = serverItself, before } = {}) =>
      withLocks(ids, async () => {
        const removed = await writeRetried(database, async (connection) => {
          await before?.(connection);
          const rows = rowsOn(connection);
          const there = await rows.byIds(ids);
          if (there.length < ids.length) return undefined;
          rows.delete(ids);
          const documentIds = there.map(({ documentId }) => documentId);
          storeEvents({ type: 'delete', documentIds, paths: [] }, caller, Date.now(), connection);
          return there;
        });
        // After the rows: meanwhile there is a file without a row, but no row without its file.
        if (removed !== undefined) await removeFiles(removed.flatMap(keysOf), storage);
        return removed !== undefined;
      }),
  };

  /** Undefined: the file stays where it is. */
  async function moveTo(folder: number | null | undefined, id: number, now: number, connection: Connection): Promise<void> {
    if (folder === undefined) return;
    const folders = new FolderStore(connection, dialect);
    folders.lock();
    await folders.moveFiles([id], await folders.place(folder), now);
  }
}

interface Insertion {
  readonly rows: FileStore;
  readonly folders: FolderStore;
  readonly now: number;
}

/** Inserts files into the folders that they name, otherwise into that of uploads by the API.
 *  Returns the ids in their order. */
async function insertFiles(prepared: readonly PreparedFile[], { rows, folders, now }: Insertion): Promise<number[]> {
  folders.lock();
  const places = new Map<number | null | undefined, FolderPlace>();
  for (const { folder } of prepared) {
    if (!places.has(folder)) places.set(folder, folder === undefined ? await folders.apiFolder(now) : await folders.place(folder));
  }
  const records = prepared.map(({ record, folder }) => ({ ...record, folderPath: (places.get(folder) ?? topOfLibrary).path }));
  const ids = await rows.insert(records, now);
  for (const [folder, place] of places) {
    await folders.putFiles(
      ids.filter((_, index) => prepared[index]?.folder === folder),
      place,
    );
  }
  return ids;
}

async function storeAdded(ids: readonly number[], { target, caller, now }: AddedFiles, rows: Rows): Promise<void> {
  storeFileEvents({ type: 'create', documentIds: await documentIdsOf(ids, rows), paths: [] }, caller, now, rows);
  if (target !== undefined) await storeLinkEvent(target.link, target.id, caller, now, rows);
}

interface AddedFiles {
  readonly target: { readonly link: FileLink; readonly id: number } | undefined;
  readonly caller: EventCaller;
  readonly now: number;
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'upload.unknown-file';

function refuseOtherKinds(known: readonly KnownFile[], { field, allowedTypes }: FileLink): void {
  if (allowedTypes === undefined) return;
  const other = known.find(({ mediaType }) => !allowedTypes.includes(fileKind(mediaType)));
  if (other === undefined) return;
  throw ApiError.of('upload.link', { problem: `${field} takes ${allowedTypes.join(', ')} only, not ${other.mediaType}` });
}
