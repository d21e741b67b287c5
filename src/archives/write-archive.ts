/** Writes an archive as a folder or as one file. Lines are written to files first, since a tar
 *  entry begins with its size, and memory must not grow with it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { StoredFile } from '../media/storage/storage.ts';
import { archiveCipher, assetMetadataName, assetName, type LinePart, metadataName, partName } from './archive-parts.ts';
import type { LineWriter } from './export-content.ts';

/** Characters of one file of JSON lines. Smaller files need less space besides the archive. */
const partLength = 64 * 1024 * 1024;
const bufferLength = 64 * 1024;

interface Container {
  /** Takes over a file that was written below the working folder. */
  add(name: string, path: string): Promise<void>;
  text(name: string, text: string): Promise<void>;
  stored(name: string, file: StoredFile): Promise<void>;
  finish(): Promise<void>;
  /** The first failure. */
  abort(error: unknown): Promise<void>;
}

export class ArchiveWriter implements LineWriter {
  readonly #folder: string;
  readonly #container: Container;
  readonly #signal: AbortSignal;
  #open:
    | { readonly part: LinePart; readonly file: FileHandle; readonly path: string; length: number; buffer: string[]; buffered: number }
    | undefined;
  readonly #indexes = new Map<LinePart, number>();

  constructor(folder: string, container: Container, signal: AbortSignal) {
    this.#folder = folder;
    this.#container = container;
    this.#signal = signal;
  }

  /** Lines of one part follow each other. */
  async line(part: LinePart, text: string): Promise<void> {
    if (this.#open !== undefined && (this.#open.part !== part || this.#open.length > partLength)) await this.#close();
    this.#open ??= await this.#begin(part);
    const { buffer } = this.#open;
    // Strapi writes no line break after the last line.
    buffer.push(this.#open.length === 0 ? text : `\n${text}`);
    this.#open.length += text.length + 1;
    this.#open.buffered += text.length;
    if (this.#open.buffered > bufferLength) await this.#flush();
  }

  async asset(key: string, metadata: object, file: StoredFile): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#close();
    await this.#container.text(assetMetadataName(key), JSON.stringify(metadata));
    await this.#container.stored(assetName(key), file);
  }

  async finish(metadata: object): Promise<void> {
    await this.#close();
    this.#signal.throwIfAborted();
    await this.#container.text(metadataName, JSON.stringify(metadata, null, 2));
    await this.#container.finish();
  }

  async abort(error: unknown): Promise<void> {
    await this.#open?.file.close();
    this.#open = undefined;
    await this.#container.abort(error);
  }

  async #begin(part: LinePart) {
    const index = (this.#indexes.get(part) ?? 0) + 1;
    this.#indexes.set(part, index);
    const path = join(this.#folder, partName(part, index));
    await mkdir(dirname(path), { recursive: true });
    return { part, path, file: await open(path, 'wx', 0o600), length: 0, buffer: [], buffered: 0 };
  }

  async #flush(): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#open === undefined) return;
    const text = this.#open.buffer.join('');
    this.#open.buffer = [];
    this.#open.buffered = 0;
    await this.#open.file.writeFile(text);
  }

  async #close(): Promise<void> {
    if (this.#open === undefined) return;
    await this.#flush();
    const { file, path, part } = this.#open;
    await file.close();
    this.#open = undefined;
    await this.#container.add(partName(part, this.#indexes.get(part) ?? 1), path);
  }
}

/** A folder with the files of an archive. */
export function folderContainer(folder: string): Container {
  const pathOf = async (name: string) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  return {
    add: async () => undefined,
    text: async (name, text) => writeFile(await pathOf(name), text, { flag: 'wx', mode: 0o600 }),
    stored: async (name, file) => pipeline(file.stream(), createWriteStream(await pathOf(name), { flags: 'wx', mode: 0o600 })),
    finish: async () => undefined,
    abort: async () => undefined,
  };
}

/** One file: tar, compressed, encrypted if there is a key. */
export async function tarContainer(
  file: string,
  { gzip, key }: { readonly gzip: boolean; readonly key: string | undefined },
): Promise<Container> {
  const tar = pack();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  const compression = gzip ? createGzip({ level: 6 }) : new PassThrough();
  const encryption = key === undefined ? new PassThrough() : await archiveCipher(key);
  const written = pipeline(tar, compression, encryption, target);
  // The error is thrown by `finish` or by the entry that waits for space.
  written.catch(() => undefined);
  const failed = new Promise<never>((_, reject) => written.catch(reject));
  failed.catch(() => undefined);
  const unlessFailed = <T>(work: Promise<T>): Promise<T> => Promise.race([work, failed]);
  return {
    async add(name, path) {
      await unlessFailed(addStream(tar, { name, size: (await stat(path)).size, stream: () => createReadStream(path) }));
      await rm(path);
    },
    text: (name, text) => unlessFailed(addText(tar, name, text)),
    stored: (name, { size, stream }) => unlessFailed(addStream(tar, { name, size, stream })),
    async finish() {
      tar.finalize();
      await written;
    },
    async abort(error) {
      tar.destroy(error instanceof Error ? error : new Error(String(error)));
      await written.catch(() => undefined);
    },
  };
}

const addText = (tar: Pack, name: string, text: string): Promise<void> =>
  new Promise((done, fail) => tar.entry({ name }, text, (error) => (error ? fail(error) : done())));

async function addStream(
  tar: Pack,
  { name, size, stream }: { readonly name: string; readonly size: number; readonly stream: () => Readable },
) {
  if (size === 0) await addText(tar, name, '');
  else await pipeline(stream(), tar.entry({ name, size }));
}
