/** `lectern media import`. */

import { access, constants, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import prettyBytes from 'pretty-bytes';
import { configuredSettings } from '../../config/stored-settings.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { keepsEvents } from '../../events/event-store.ts';
import { createMediaLibrary } from '../../media/library/media-library.ts';
import { type ImportParts, importedBefore, importFile } from '../../media/maintenance/import-file.ts';
import { type ImportedFile, openImportJournal } from '../../media/maintenance/import-journal.ts';
import { type FoundFile, foundFiles } from '../../media/maintenance/list-folder.ts';
import { openUsableStorage } from '../../media/storage/open-storage.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { inColumns } from '../../text/align-columns.ts';
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { printable } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { showProgress } from '../show-progress.ts';
import { stopSignal } from '../stop-signal.ts';

interface MediaImportOptions extends ProjectOptions {
  /** Whether to import files again that were imported before. */
  readonly again?: boolean;
  readonly json?: boolean;
}

interface Outcome {
  readonly imported: ImportedFile[];
  /** Files that were imported before. */
  readonly skipped: ImportedFile[];
  readonly refused: { readonly place: string; readonly reason: string }[];
}

export function mediaImport(path: string, options: MediaImportOptions): Promise<number> {
  return withProject(options, async (project) => {
    const folder = await folderOf(path, project);
    const outcome: Outcome = { imported: [], skipped: [], refused: [] };
    const unreadable = (relativePath: string) => {
      if (relativePath === '') throw new StartError([`${folder} cannot be read.`]);
      outcome.refused.push({ place: `${relativePath}/`, reason: 'the folder cannot be read' });
    };
    const files: FoundFile[] = [];
    for await (const file of foundFiles(folder, unreadable)) files.push(file);
    const rest = await withParts(project, folder, (parts) => importAll(files, { outcome, again: options.again === true }, parts, project));
    const { imported, skipped, refused } = outcome;
    // Several files are imported at the same time, so the results are in no order.
    for (const list of [imported, skipped, refused]) list.sort((a, b) => (a.place < b.place ? -1 : 1));
    if (options.json === true) process.stdout.write(`${JSON.stringify({ imported, skipped, refused, left: rest }, null, 2)}\n`);
    process.stderr.write(described(outcome, rest));
    if (rest > 0) return exitCodes.interrupted;
    return refused.length > 0 ? exitCodes.failed : exitCodes.done;
  });
}

async function folderOf(path: string, { config }: OpenProject): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new StartError([`There is no folder ${resolve(path)}.`]);
  if (!found.isDirectory()) throw new StartError([`${resolve(path)} is a file; \`lectern media import\` takes a folder.`]);
  const folder = await realpath(path);
  const uploads = await realpath(join(config.publicDir, 'uploads')).catch(() => undefined);
  if (uploads !== undefined && `${folder}${sep}`.startsWith(uploads + sep)) {
    throw new StartError([
      `${folder} is the folder of the library's files; \`${lecternCommand('media check')}\` lists files that the library does not know.`,
    ]);
  }
  return folder;
}

async function withParts(
  { config, database, origin }: OpenProject,
  folder: string,
  work: (parts: ImportParts) => Promise<number>,
): Promise<number> {
  const { upload } = config;
  const { openImages } = await import('../../media/images/image-processes.ts');
  const storage = await openUsableStorage(config, 'writing');
  const images = openImages(config);
  try {
    const library = createMediaLibrary({
      config,
      database,
      storage,
      images,
      configured: configuredSettings(config, origin),
      keepsEvents: keepsEvents(config, await columnsByTable(database)),
      uploads: { files: 0, bytes: 0 },
    });
    const journal = await openImportJournal(upload.workDir, folder);
    return await work({ library, database, journal, temporaryDir: upload.workDir, maxBytes: upload.requestLimit });
  } finally {
    await images.close();
  }
}

interface Import {
  readonly outcome: Outcome;
  readonly again: boolean;
}

/** Called once for each file. `what`: its outcome; undefined for skipped files, without a line. */
type Report = (file: FoundFile, what: string | undefined) => void;

/** Imports as many files at a time as there are processes for images. Returns the number of files
 *  that are left after an interrupt. Throws for an error of the storage or database, since it would
 *  affect the next files as well. */
async function importAll(
  files: readonly FoundFile[],
  { outcome, again }: Import,
  parts: ImportParts,
  { config }: OpenProject,
): Promise<number> {
  const signal = stopSignal();
  const progress = showProgress();
  // Each file also counts as one byte, because empty files take time too.
  progress.step(
    counted(files.length, 'file'),
    files.reduce((sum, { size }) => sum + size, files.length),
  );
  let done = 0;
  const report: Report = ({ relativePath, size }, what) => {
    done++;
    progress.advance(size + 1);
    if (what !== undefined && !process.stderr.isTTY) process.stderr.write(`${done}/${files.length} ${printable(relativePath)}: ${what}\n`);
  };
  const waiting = files.values();
  let taken = 0;
  let isBroken = false;
  const work = async () => {
    while (!signal.received() && !isBroken) {
      const next = waiting.next();
      if (next.done === true) return;
      taken++;
      await importOne(next.value, { outcome, again, report }, parts);
    }
  };
  const fail = (error: unknown) => {
    isBroken = true;
    throw error;
  };
  const worked = await Promise.allSettled(Array.from({ length: config.upload.imageProcesses }, () => work().catch(fail)));
  progress.stop();
  const failed = worked.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    process.stderr.write(described(outcome, files.length - taken));
    throw failed.reason;
  }
  return files.length - taken;
}

async function importOne(
  file: FoundFile,
  { outcome, again, report }: Import & { readonly report: Report },
  parts: ImportParts,
): Promise<void> {
  const { imported, skipped, refused } = outcome;
  const before = again ? undefined : await importedBefore(file, parts);
  if (before !== undefined) {
    skipped.push(before);
    report(file, undefined);
    return;
  }
  const made = (await isReadable(file.path))
    ? await importFile(file, parts).catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) return error.message;
        throw error;
      })
    : 'it cannot be read';
  if (typeof made === 'string') refused.push({ place: file.relativePath, reason: made });
  else imported.push(made);
  report(file, typeof made === 'string' ? made : `imported as ${made.id}`);
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

function described({ imported, skipped, refused }: Outcome, rest: number): string {
  const bytes = prettyBytes(imported.reduce((sum, { size }) => sum + size, 0));
  const files = (list: readonly unknown[]) => counted(list.length, 'file');
  return [
    `Imported ${files(imported)} (${bytes}).\n`,
    skipped.length === 0 ? '' : `Skipped ${files(skipped)} that were imported before; --again imports them once more.\n`,
    refused.length === 0 ? '' : `Refused ${files(refused)}:\n`,
    inColumns(refused.map(({ place, reason }) => [`  ${printable(place)}`, printable(reason)])),
    rest === 0
      ? ''
      : `Not imported because of the interrupt: ${counted(rest, 'file')}. Run the same command to continue; imported files are not imported again.\n`,
  ].join('');
}
