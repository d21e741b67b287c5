/** One file of this machine's disk into the media library, as if it had been uploaded. */
import { chmod, constants, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lookup } from 'mime-types';
import type { Database } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { noInfo } from '../library/file-info.ts';
import { type FileRow, FileStore } from '../library/file-store.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { inTemporaryFolder } from '../library/temporary-folder.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import type { ImportedFile, ImportJournal } from './import-journal.ts';
import type { FoundFile } from './list-folder.ts';

export interface ImportParts {
  readonly library: MediaLibrary;
  readonly database: Database;
  readonly journal: ImportJournal;
  readonly workDir: string;
  /** Bytes that no upload could bring. */
  readonly limit: number;
}

/** What became of it, where it was imported before and is still in the library. */
export async function importedBefore(file: FoundFile, { journal, database }: ImportParts): Promise<ImportedFile | undefined> {
  const known = journal.find(file);
  if (known === undefined) return undefined;
  const row = await rowOf(known.id, database);
  return row?.documentId === known.documentId ? known : undefined;
}

/** Throws `ApiError` as an upload is answered. */
export async function importFile(file: FoundFile, { library, database, journal, workDir, limit }: ImportParts): Promise<ImportedFile> {
  const { place, size, modified } = file;
  if (size > limit) throw ApiError.of('upload.request-too-large', { what: 'bytes', limit, setting: 'upload.requestLimit' });
  if (size === 0) throw ApiError.of('upload.no-files');
  const row = await inTemporaryFolder(workDir, async (folder) => {
    const incoming = { path: await copyInto(folder, file.path), name: file.name, declaredType: lookup(file.name) || undefined, size };
    const [id = 0] = await library.add([{ file: incoming, info: noInfo }], folder);
    return rowOf(id, database);
  });
  if (row === undefined) throw new Error(`${place} was added and is not there`);
  const imported = { place, size, modified, id: row.id, documentId: row.documentId };
  await journal.add(imported);
  return imported;
}

const rowOf = (id: number, database: Database): Promise<FileRow | undefined> =>
  database.read((connection) => new FileStore(connection, database.dialect).byId(id));

/** A copy and no hard link: the library's file must not change with somebody's photograph, and a file as old as the photograph would pass for one that
 *  an upload has left behind. */
async function copyInto(folder: string, path: string): Promise<string> {
  const copy = join(folder, 'imported');
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    // Whoever imports need not be the user that the server runs as.
    await chmod(copy, 0o644);
  } catch (error) {
    throw diskFullOr(error);
  }
  return copy;
}
