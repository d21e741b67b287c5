/** Folders of the media library, and what is moved between them. */
import type { Connection, Database } from '../../dialects/database.ts';
import { writeRetried } from '../../dialects/retry-conflicts.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type EventCaller, serverItself } from '../../events/document-event.ts';
import { Rows } from '../../sql/rows.ts';
import { documentIdsOf, storeFileEvents } from './file-events.ts';
import { type FolderChange, invalid, type Move } from './folder-body.ts';
import { type FolderContent, type FolderPlace, type FolderRow, FolderStore, maxFolders, pathIn } from './folder-store.ts';
import type { Checks } from './media-library.ts';

export interface ListedFolder extends FolderRow, FolderContent {}

/** Every method throws an `ApiError` for a request that it refuses, and has changed nothing. */
export interface MediaFolders {
  /** By id. */
  list(): Promise<readonly ListedFolder[]>;
  create(change: FolderChange): Promise<ListedFolder>;
  /** Renames and moves. */
  change(id: number, change: FolderChange): Promise<ListedFolder>;
  /** Only an empty folder. Returns it as it was. */
  remove(id: number): Promise<ListedFolder>;
  /** All or nothing. `checks` are for the files. */
  move(move: Move, checks: Checks): Promise<void>;
}

/** Characters in the columns of paths. */
const maxPathLength = 255;
/** Of a slash and a `path_id`. */
const maxIdLength = 11;

export function createMediaFolders({
  database,
  keepsEvents,
}: {
  readonly database: Database;
  readonly keepsEvents: boolean;
}): MediaFolders {
  const storeOn = (connection: Connection) => new FolderStore(connection, database.dialect);

  /** Runs work that may change folders. */
  const write = <T>(work: (folders: FolderStore, connection: Connection) => Promise<T>): Promise<T> =>
    writeRetried(database, async (connection) => {
      const folders = storeOn(connection);
      folders.lock();
      return work(folders, connection);
    });

  return {
    list: () =>
      database.read(async (connection) => {
        const [all, files] = [await storeOn(connection).all(), await storeOn(connection).fileCounts()];
        const children = new Map<number | null, number>();
        for (const { parent } of all) children.set(parent, (children.get(parent) ?? 0) + 1);
        return all.map((folder) => ({ ...folder, children: children.get(folder.id) ?? 0, files: files.get(folder.id) ?? 0 }));
      }),

    create: ({ name, parent = null }) =>
      write(async (folders) => {
        if (name === undefined) throw invalid('name is missing');
        if ((await folders.count()) >= maxFolders) throw invalid(`The library has ${maxFolders} folders, which is the limit`);
        const place = await folders.place(parent);
        await refuseTaken(name, parent, undefined, folders);
        refuseDeep(place.path.length + maxIdLength);
        return listed(await present(await folders.insert(name, place, Date.now()), folders), folders);
      }),

    change: (id, { name, parent }) =>
      write(async (folders) => {
        const folder = await present(id, folders);
        const now = Date.now();
        const target = parent === undefined ? folder.parent : parent;
        await refuseTaken(name ?? folder.name, target, id, folders);
        if (name !== undefined && name !== folder.name) folders.rename(id, name, now);
        if (target !== folder.parent) await moveFolder(folder, await folders.place(target), folders, now);
        return listed(await present(id, folders), folders);
      }),

    remove: (id) =>
      write(async (folders) => {
        const folder = await listed(await present(id, folders), folders);
        if (folder.children + folder.files > 0) throw ApiError.of('folder.not-empty');
        folders.delete(id);
        return folder;
      }),

    move: ({ files, folders: ids, to }, { caller = serverItself, before, after }) =>
      writeRetried(database, async (connection) => {
        await before?.(connection);
        const folders = storeOn(connection);
        folders.lock();
        const place = await folders.place(to);
        const now = Date.now();
        for (const id of ids) {
          const folder = await folders.byId(id);
          if (folder === undefined) throw invalid(`folders: there is no folder with the id ${id}`);
          if (folder.parent === to) continue;
          await refuseTaken(folder.name, to, id, folders);
          await moveFolder(folder, place, folders, now);
        }
        await moveFiles(files, place, { caller, now }, connection);
        await after?.(connection, files);
      }),
  };

  async function moveFiles(
    ids: readonly number[],
    place: FolderPlace,
    { caller, now }: { readonly caller: EventCaller; readonly now: number },
    connection: Connection,
  ): Promise<void> {
    if (ids.length === 0) return;
    const rows = new Rows(connection, database.dialect);
    const documentIds = await documentIdsOf(ids, rows);
    if (documentIds.length < ids.length) throw ApiError.of('upload.unknown-file');
    await storeOn(connection).moveFiles(ids, place, now);
    if (keepsEvents) storeFileEvents({ type: 'update', documentIds, paths: ['folder'] }, caller, now, rows);
  }
}

async function present(id: number, folders: FolderStore): Promise<FolderRow> {
  const folder = await folders.byId(id);
  if (folder === undefined) throw ApiError.of('folder.not-found');
  return folder;
}

async function moveFolder(folder: FolderRow, parent: FolderPlace, folders: FolderStore, now: number): Promise<void> {
  if (parent.id !== undefined && `${parent.path}/`.startsWith(`${folder.path}/`)) throw invalid('A folder cannot be moved into itself');
  const paths = await folders.pathsFrom(folder);
  const longest = paths.reduce((length, path) => Math.max(length, path.length), 0);
  refuseDeep(longest - folder.path.length + pathIn(parent, folder.pathId).length);
  await folders.move(folder, parent, paths, now);
}

async function refuseTaken(name: string, parent: number | null, own: number | undefined, folders: FolderStore): Promise<void> {
  const other = (await folders.namesIn(parent)).get(name);
  if (other !== undefined && other !== own) throw invalid(`A folder with the name ${name} already exists there`);
}

function refuseDeep(pathLength: number): void {
  if (pathLength > maxPathLength) throw invalid('Folders cannot be nested so deeply');
}

const listed = async (folder: FolderRow, folders: FolderStore): Promise<ListedFolder> => ({
  ...folder,
  ...(await folders.contentOf(folder.id)),
});
