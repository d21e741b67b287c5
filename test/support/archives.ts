/** Archives as values, for tests that read or change them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import type { Json } from './served-project.ts';

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

/** The JSON lines of a part of the archive. */
export const linesOf = (files: ArchiveFiles, part: string): Json[] =>
  Object.keys(files)
    .filter((name) => name.startsWith(`${part}/`))
    .sort()
    .flatMap((name) => String(files[name]).split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
