/** `lectern seed`: writes prepared content into the database of a project. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { ContentError } from '../../demo-content/content.ts';
import { refusePresent } from '../../demo-content/present-content-store.ts';
import { findPlace, type ReadContent, readContent } from '../../demo-content/read-content.ts';
import { writeContent } from '../../demo-content/write-content.ts';
import { StartError } from '../../errors/start-error.ts';
import { codeOf } from '../../errors/system-error.ts';
import { inTemporaryFolder, temporaryDirBeside } from '../../media/library/temporary-folder.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import { untilStopped } from '../stop-signal.ts';
import type { ProjectOptions } from './load-project.ts';
import { type OpenProject, withProject } from './open-project.ts';

interface SeedOptions extends ProjectOptions {
  /** Types may have entries already. */
  readonly add?: boolean;
}

/** One transaction: after a failure or an interrupt, nothing is left of the content. */
export async function seed(path: string, { add = false, ...options }: SeedOptions): Promise<number> {
  const folder = resolve(path);
  return untilStopped('nothing was written', async (signal) => {
    const content = await readFolder(folder);
    // The time limit is meant for requests.
    return withProject(options, (project) => write(content, join(folder, 'uploads'), add, project, signal), { statementTime: 0 });
  });
}

async function write(
  content: ReadContent,
  files: string,
  add: boolean,
  { config, model, database }: OpenProject,
  signal: AbortSignal,
): Promise<number> {
  const hasFiles = existsSync(files);
  if (hasFiles && config.upload.provider !== 'local')
    throw new StartError([
      `${files} would be copied into the public folder, but this project keeps its files in a bucket: upload them there, and move the folder.`,
    ]);
  const line = progressLine(process.stderr);
  const copied: string[] = [];
  try {
    await writeContent(database, model, content, {
      keepDefaultLocale: add,
      before: (connection) => refusePresent(connection, model, content.types, add),
      // The rows are seen when their files are there. A file that is there already stays as it is.
      last: async () => {
        if (hasFiles) await copyFiles(files, join(config.publicDir, 'uploads'), { copied, signal });
      },
      signal,
      progress: line.show,
    });
  } catch (error) {
    for (const path of copied) await rm(path, { force: true });
    throw explained(error, content);
  } finally {
    line.end();
  }
  // Without statistics, the first requests would be planned as if the tables were empty.
  await database.renewStatistics();
  process.stdout.write(summary(content));
  return exitCodes.done;
}

async function readFolder(folder: string): Promise<ReadContent> {
  try {
    const content = await readContent(folder);
    if (
      content.types.length === 0 &&
      content.locales === undefined &&
      content.access.public.length + content.access.authenticated.length === 0
    )
      throw new StartError([`${folder} has no content: docs/seed.md of Lectern describes its files.`]);
    return content;
  } catch (error) {
    if (error instanceof ContentError) throw new StartError([printable(error.message)]);
    if (codeOf(error) === 'ENOENT') throw new StartError([`There is no folder ${folder}.`]);
    if (codeOf(error) === 'ENOTDIR') throw new StartError([`${folder} is a file; name the folder that has the files of content.`]);
    throw error;
  }
}

/** Copies all files that are no links, and adds their paths to `copied`. A copy gets its name when
 *  it is complete, so that the next run does not take a part for the file. */
async function copyFiles(
  from: string,
  to: string,
  { copied, signal }: { readonly copied: string[]; readonly signal: AbortSignal },
): Promise<void> {
  await mkdir(to, { recursive: true });
  // The folder may be a link to another disk.
  const uploads = await realpath(to);
  await inTemporaryFolder(temporaryDirBeside(uploads), async (folder) => {
    const part = join(folder, 'file');
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      signal.throwIfAborted();
      const path = join(entry.parentPath, entry.name);
      const target = join(uploads, relative(from, path));
      if (!entry.isFile() || existsSync(target)) continue;
      await copyFile(path, part);
      await mkdir(dirname(target), { recursive: true });
      await rename(part, target);
      copied.push(target);
    }
  });
}

function explained(error: unknown, content: ReadContent): unknown {
  if (!(error instanceof ContentError)) return error;
  const place = findPlace(error.place, content);
  return new StartError([printable(`${place === undefined ? '' : `${place}: `}${error.message}. Nothing was written.`)]);
}

/** One line on a terminal, and nothing elsewhere. */
function progressLine(stream: NodeJS.WriteStream) {
  let isShown = false;
  return {
    show(rows: number, complete: number): void {
      if (!stream.isTTY) return;
      isShown = true;
      const part = complete === 0 ? '' : `, relations of ${complete.toLocaleString('en')}`;
      stream.write(`\r\u001B[K${rows.toLocaleString('en')} rows${part}`);
    },
    end(): void {
      if (isShown) stream.write('\r\u001B[K');
    },
  };
}

function summary({ types, locales }: ReadContent): string {
  const documents = types.reduce((sum, each) => sum + each.documents.length, 0);
  const parts = [counted(documents, 'document'), counted(new Set(types.map(({ type }) => type)).size, 'type')];
  const of = locales === undefined ? '' : `, and ${counted(locales.length, 'locale')}`;
  return `Wrote ${parts.join(' of ')}${of}.\n`;
}
