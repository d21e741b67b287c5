/** Stores the bytes of files: on the local disk or in an object store. */
import type { Readable } from 'node:stream';

/** The name of a file in its storage, `<hash><ext>`: one path segment. */
export type StorageKey = string;

/** Whether a text can be a key: one path segment without a dot in front. Names with a dot are for
 *  temporary files and cached variants. */
export const isStorageKey = (text: string): text is StorageKey => /^[^./\\\0][^/\\\0]*$/.test(text);

export interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  /** Opens the bytes; the caller reads them to the end or destroys the stream. */
  stream(): Readable;
}

/** A URL that opens one file without further credentials. */
export interface TemporaryUrl {
  readonly url: string;
  /** Seconds for which other callers get the same URL. */
  readonly reusableFor: number;
}

/** `reading`: only read access is needed. */
export type StorageUse = 'reading' | 'writing';

export interface Storage {
  /** The value of `files.provider` for files in this storage; Strapi's names. */
  readonly provider: 'local' | 'aws-s3';
  /** Whether only signed URLs open files. */
  readonly isPrivate: boolean;
  /** The URL of a file, as its row stores it. */
  urlOf(key: StorageKey): string;
  /** The key of a URL that `urlOf` made; undefined for any other. */
  keyOf(url: string): StorageKey | undefined;
  /** Takes over a local file: then either the complete file is stored under `key`, in place of an
   *  older one, or nothing has changed. May move the file at `path`. Throws `ApiError`
   *  'upload.no-room' for a full disk; like all below, 'upload.storage' if the storage fails. */
  put(key: StorageKey, path: string, mediaType: string): Promise<void>;
  /** Undefined when the file does not exist. */
  open(key: StorageKey): Promise<StoredFile | undefined>;
  /** Missing files are no error. */
  remove(keys: readonly StorageKey[]): Promise<void>;
  /** A URL at which the storage itself serves the file, for some minutes and one method. Undefined
   *  if this server serves the files. */
  temporaryUrl(key: StorageKey, method: 'GET' | 'HEAD'): Promise<TemporaryUrl | undefined>;
  /** A sentence on what prevents the storage's use, or undefined. Takes some seconds at most. */
  problem(use: StorageUse): Promise<string | undefined>;
  /** All stored files, in no particular order, without unfinished ones. */
  list(): AsyncIterable<{ readonly key: StorageKey; readonly size: number; readonly modified: Date }>;
}
