/** The media library: bytes in the storage and rows in the database, changed together. */
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { ConfiguredSettings } from '../../config/stored-settings.ts';
import type { Connection, Database } from '../../dialects/database.ts';
import { writeRetried } from '../../dialects/retry-conflicts.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Figures } from '../../observe/figures.ts';
import { readImageSettings } from '../images/image-settings.ts';
import type { Images } from '../images/images.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';
import { fileKind } from '../types/file-kind.ts';
import type { IncomingFile } from '../types/media-type.ts';
import type { FileInfo } from './file-info.ts';
import { createFileLocks } from './file-locks.ts';
import { type FileLink, type FileRow, FileStore } from './file-store.ts';
import { examineFile, type KnownFile, type PreparedFile, prepareFile } from './prepare-file.ts';
import { removeFiles, withFilesPut, withFilesReplaced } from './put-files.ts';

export interface NewFile {
  readonly file: IncomingFile;
  readonly info: FileInfo;
}

/** The restrictions of the caller, checked inside the transaction: before anything is written, and
 *  on the written rows. Both throw to refuse. */
export interface Checks {
  readonly before?: (connection: Connection) => Promise<void>;
  readonly after?: (connection: Connection, ids: readonly number[]) => Promise<void>;
}

/** Where an upload is stored and what it is attached to. */
export interface Addition extends Checks {
  readonly link?: FileLink | undefined;
}

/** Every method throws an `ApiError` for a request that it refuses, and has changed nothing. */
export interface MediaLibrary {
  /** Returns the row ids in the files' order. `folder` is a temporary folder of this request, whose
   *  files may be moved. With `policies.dropRefusedFiles`, omits files of types that are not
   *  allowed, unless all are. */
  add(files: readonly NewFile[], folder: string, addition?: Addition): Promise<number[]>;
  /** Replaces the bytes of a file that keeps its id, URL and links. */
  replace(id: number, file: NewFile, folder: string, checks?: Checks): Promise<void>;
  /** Fields that are null or undefined stay as they are. */
  updateInfo(id: number, info: FileInfo, checks?: Checks): Promise<void>;
  /** Undefined when there is no such file. */
  remove(id: number, checks?: Checks): Promise<FileRow | undefined>;
}

export interface LibraryParts {
  readonly config: Pick<Config, 'upload' | 'policies'>;
  readonly database: Database;
  readonly storage: Storage;
  readonly images: Images;
  readonly configured: ConfiguredSettings;
  /** Counts what was stored. */
  readonly uploads: Figures['uploads'];
}

export function createMediaLibrary({ config, database, storage, images, configured, uploads }: LibraryParts): MediaLibrary {
  const { dialect } = database;
  const { upload, policies } = config;
  // Two requests that replace the same file must not mix their bytes and rows. Other processes on
  // the same storage do not see the lock: there the last write wins, for each row and file.
  const withLock = createFileLocks();
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

  const counted = (prepared: readonly PreparedFile[]) => {
    uploads.files += prepared.length;
    for (const { record } of prepared) uploads.bytes += Math.round(record.size * 1000);
  };

  const found = (row: FileRow | undefined): FileRow => {
    if (row === undefined) throw ApiError.of('upload.unknown-file');
    return row;
  };

  return {
    async add(files, folder, { link, before, after } = {}) {
      const known = await examineAll(files);
      if (link !== undefined) refuseOtherKinds(known, link);
      const prepared = await prepareAll(known, folder);
      const puts = prepared.flatMap((each) => each.puts);
      // Bytes first: a row without them is a broken image; `lectern media check` finds bytes alone.
      const ids = await withFilesPut(puts, storage, () =>
        writeRetried(database, async (connection) => {
          await before?.(connection);
          const rows = rowsOn(connection);
          const now = Date.now();
          const { id: folderId, path } = await rows.apiFolder(now);
          const ids = await rows.insert(
            prepared.map(({ record }) => ({ ...record, folderPath: path })),
            now,
          );
          await rows.intoFolder(ids, folderId);
          if (link !== undefined) await rows.link(ids, link);
          await after?.(connection, ids);
          return ids;
        }),
      );
      counted(prepared);
      return ids;
    },

    async replace(id, { file, info }, folder, { before, after } = {}) {
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
            found(await rows.byId(id));
            rows.update(id, changes, Date.now());
            await after?.(connection, [id]);
          }),
        );
      });
      counted([prepared]);
    },

    updateInfo: (id, info, { before, after } = {}) =>
      writeRetried(database, async (connection) => {
        await before?.(connection);
        const rows = rowsOn(connection);
        found(await rows.byId(id));
        const sent = Object.entries(info).filter(([, value]) => value !== null && value !== undefined);
        rows.update(id, Object.fromEntries(sent), Date.now());
        await after?.(connection, [id]);
      }),

    remove: (id, { before } = {}) =>
      withLock(id, async () => {
        const row = await writeRetried(database, async (connection) => {
          await before?.(connection);
          const rows = rowsOn(connection);
          const there = await rows.byId(id);
          if (there !== undefined) rows.delete([id]);
          return there;
        });
        // After the rows: meanwhile there is a file without a row, but no row without its file.
        if (row !== undefined) await removeFiles(keysOf(row), storage);
        return row;
      }),
  };
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'upload.unknown-file';

function refuseOtherKinds(known: readonly KnownFile[], { field, allowedTypes }: FileLink): void {
  if (allowedTypes === undefined) return;
  const other = known.find(({ mediaType }) => !allowedTypes.includes(fileKind(mediaType)));
  if (other === undefined) return;
  throw ApiError.of('upload.link', { problem: `${field} takes ${allowedTypes.join(', ')} only, not ${other.mediaType}` });
}
