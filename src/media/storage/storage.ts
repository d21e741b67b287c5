/** Where the bytes of files are kept: on the disk of the server, or in an object store. */
import type { Readable } from 'node:stream';

/** The name of a file in its storage, `<hash><ext>`: one segment, never a path. */
export type StorageKey = string;

/** Names that a key can be: one segment, and nothing that begins with a dot, where files on their way in and kept variants are. */
export const isStorageKey = (text: string): text is StorageKey => /^[^./\\\0][^/\\\0]*$/.test(text);

export interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  /** Opens the bytes; the caller reads them to the end or destroys the stream. */
  stream(): Readable;
}

/** An address that opens one file without further credentials. */
export interface TemporaryUrl {
  readonly url: string;
  /** Seconds for which the next caller is sent to the same address. */
  readonly kept: number;
}

/** `reading`: looking at what is there is enough. */
export type StorageUse = 'reading' | 'writing';

export interface Storage {
  /** What `files.provider` says of files that are kept here; Strapi's names. */
  readonly provider: 'local' | 'aws-s3';
  /** Whether files can be opened by signed addresses alone. */
  readonly isPrivate: boolean;
  /** The address of a file, as its row keeps it. */
  urlOf(key: StorageKey): string;
  /** The key of an address that `urlOf` made; undefined for any other. */
  keyOf(url: string): StorageKey | undefined;
  /** Takes over a file of this machine: afterwards the whole of it is there under `key`, in place of what was there, or the old state stands.
   *  The file at `path` may be moved away. Throws `ApiError` 'upload.no-room' for a full disk, and as all that follow 'upload.storage' when the
   *  storage does not do what it is asked for. */
  put(key: StorageKey, path: string, mediaType: string): Promise<void>;
  /** Undefined when there is none. */
  open(key: StorageKey): Promise<StoredFile | undefined>;
  /** What is not there is no error. */
  remove(keys: readonly StorageKey[]): Promise<void>;
  /** Where the storage itself gives out a file, whether or not it is there: for some minutes, by one method. Undefined for a storage whose files
   *  this server gives out. */
  temporaryAddress(key: StorageKey, method: 'GET' | 'HEAD'): Promise<TemporaryUrl | undefined>;
  /** A sentence about what keeps the storage from being used; undefined when nothing does. Takes some seconds at most. */
  problem(use: StorageUse): Promise<string | undefined>;
  /** Everything that is kept here, in no order; without what is still on its way in. */
  list(): AsyncIterable<{ readonly key: StorageKey; readonly size: number; readonly modified: Date }>;
}
