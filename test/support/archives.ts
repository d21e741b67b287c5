/** Archives as values, for tests that read or change them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';
import type { Json } from './served-project.ts';

/** Made by `strapi export --no-encrypt` of Strapi 5.54.0 from the recorded database, without the largest pictures. */
export const strapiArchive = fileURLToPath(new URL('../archives/strapi.tar.gz', import.meta.url));

/** The files of an archive by name. */
export type ArchiveFiles = Readonly<Record<string, Buffer>>;

export async function readTar(tar: Buffer): Promise<ArchiveFiles> {
  const files: Record<string, Buffer> = {};
  const entries = extract();
  entries.end(tar);
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files[entry.header.name] = Buffer.concat(chunks);
  }
  return files;
}

export const readTarGz = (path: string): Promise<ArchiveFiles> => readTar(gunzipSync(readFileSync(path)));

export function readArchiveFolder(folder: string): ArchiveFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path)];
    }),
  );
}

export interface TarEntry {
  readonly header: Parameters<Pack['entry']>[0];
  readonly content?: string | Buffer;
}

export async function writeTarGz(path: string, entries: readonly TarEntry[]): Promise<void> {
  const tar = pack();
  for (const { header, content } of entries) tar.entry(header, content ?? '');
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  writeFileSync(path, gzipSync(Buffer.concat(chunks)));
}

export function writeArchiveFolder(folder: string, files: ArchiveFiles): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** The JSON lines of a part of the archive. */
export const linesOf = (files: ArchiveFiles, part: string): Json[] =>
  Object.keys(files)
    .filter((name) => name.startsWith(`${part}/`))
    .sort()
    .flatMap((name) => String(files[name]).split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
