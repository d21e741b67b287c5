/** Records which files were imported, so that an interrupted import can continue. Rows do not
 *  identify a file: names repeat, and images are stored smaller. */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { FoundFile } from './list-folder.ts';

const entry = z.object({ place: z.string(), size: z.number(), modified: z.number(), id: z.number(), documentId: z.string() });

export type ImportedFile = z.infer<typeof entry>;

export interface ImportJournal {
  /** The import of a file that has not changed since. */
  find(file: FoundFile): ImportedFile | undefined;
  add(imported: ImportedFile): Promise<void>;
}

/** One line for each file. In `temporaryDir`, which is always writable and beside the uploads. */
export async function openImportJournal(temporaryDir: string, folder: string): Promise<ImportJournal> {
  const path = join(temporaryDir, `imported-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.jsonl`);
  await mkdir(temporaryDir, { recursive: true });
  const known = new Map<string, ImportedFile>();
  for (const line of (await readFile(path, 'utf8').catch(() => '')).split('\n')) {
    const imported = readEntry(line);
    if (imported !== undefined) known.set(imported.place, imported);
  }
  return {
    find({ relativePath: place, size, modified }) {
      const imported = known.get(place);
      return imported?.size === size && imported.modified === modified ? imported : undefined;
    },
    add: (imported) => appendFile(path, `${JSON.stringify(imported)}\n`),
  };
}

/** Undefined for a line that a power cut has left incomplete. */
function readEntry(line: string): ImportedFile | undefined {
  try {
    return entry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
