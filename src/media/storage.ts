/** Where the bytes of files are kept: on the disk of the server, or in an object store. */
import type { Readable } from 'node:stream';

/** The name of a file in its storage, `<hash><ext>`: one segment, never a path. */
export type StorageKey = string;

export interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  /** Opens the bytes; the caller reads them to the end or destroys the stream. */
  stream(): Readable;
}

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
   *  The file at `path` may be moved away. Throws `ApiError` 'upload.no-room' for a full disk. */
  put(key: StorageKey, path: string, mediaType: string): Promise<void>;
  /** Undefined when there is none. */
  open(key: StorageKey): Promise<StoredFile | undefined>;
  /** What is not there is no error. */
  remove(keys: readonly StorageKey[]): Promise<void>;
  /** Everything that is kept here, in no order; without what is still on its way in. */
  list(): AsyncIterable<{ readonly key: StorageKey; readonly size: number; readonly modified: Date }>;
}
