/** Imports one local file into the media library, as if it had been uploaded. */
import { chmod, constants, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lookup } from 'mime-types';
import type { Database } from '../../dialects/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { emptyFileInfo } from '../library/file-info.ts';
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
  readonly temporaryDir: string;
  /** The maximum number of bytes of a file: the limit of uploads. */
  readonly maxBytes: number;
}

/** The earlier import of the file, when its row still exists. */
export async function importedBefore(file: FoundFile, { journal, database }: ImportParts): Promise<ImportedFile | undefined> {
  const known = journal.find(file);
  if (known === undefined) return undefined;
  const row = await rowOf(known.id, database);
  return row?.documentId === known.documentId ? known : undefined;
}

/** Throws the `ApiError` that an upload would get. */
export async function importFile(
  file: FoundFile,
  { library, database, journal, temporaryDir, maxBytes }: ImportParts,
): Promise<ImportedFile> {
  const { relativePath: place, size, modified } = file;
  if (size > maxBytes) throw ApiError.of('upload.request-too-large', { what: 'bytes', limit: maxBytes, setting: 'upload.requestLimit' });
  if (size === 0) throw ApiError.of('upload.no-files', {});
  const row = await inTemporaryFolder(temporaryDir, async (folder) => {
    const incoming = { path: await copyInto(folder, file.path), name: file.name, declaredType: lookup(file.name) || undefined, size };
    const [id = 0] = await library.add([{ file: incoming, info: emptyFileInfo }], folder);
    return rowOf(id, database);
  });
  if (row === undefined) throw new Error(`${place} was added and is not there`);
  const imported = { place, size, modified, id: row.id, documentId: row.documentId };
  await journal.add(imported);
  return imported;
}

const rowOf = (id: number, database: Database): Promise<FileRow | undefined> =>
  database.read((connection) => new FileStore(connection, database.dialect).byId(id));

/** A copy and not a hard link: it must be new, and must not change with the original. */
async function copyInto(folder: string, path: string): Promise<string> {
  const copy = join(folder, 'imported');
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    // The user who imports need not be the user that the server runs as.
    await chmod(copy, 0o644);
  } catch (error) {
    throw diskFullOr(error);
  }
  return copy;
}
