/** `lectern export`: writes the content of a project in the format of Strapi's archives. */
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import prettyBytes from 'pretty-bytes';
import { metadataName } from '../../archives/archive-parts.ts';
import { assetsOf } from '../../archives/export-assets.ts';
import { type ExportedContent, exportContent } from '../../archives/export-content.ts';
import { textLines } from '../../archives/read-lines.ts';
import { ArchiveWriter, folderContainer, tarContainer } from '../../archives/write-archive.ts';
import { StartError } from '../../errors/start-error.ts';
import { openUsableStorage } from '../../media/storage/open-storage.ts';
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { showProgress } from '../show-progress.ts';
import { untilStopped } from '../stop-signal.ts';
import { archiveFolderProblem, inFolderBeside, keepArchive } from '../write-archive.ts';
import { type ArchiveForm, formOf, type GroupOptions, groupsOf, keyFor } from './archive-options.ts';

interface ExportOptions extends ProjectOptions, GroupOptions {
  readonly force?: boolean;
  readonly key?: string;
}

/** Strapi's version that this format is of. If asked, Strapi compares it with its own. */
const formatVersion = '5.54.0';

/** `given`: the file or folder to write. */
export async function exportCommand(path: string, options: ExportOptions): Promise<number> {
  const target = resolve(path);
  const form = formOf(target);
  const groups = groupsOf(options);
  const key = keyFor(form, options.key);
  return withProject(
    options,
    async (project) => {
      const problem = await obstacle(target, form, options.force === true, project);
      if (problem !== undefined) throw new StartError([problem]);
      return untilStopped('no archive was written', async (signal) => {
        const done = await inFolderBeside(target, (folder) =>
          write(project, { target, form, key, groups, folder, signal, force: options.force === true }),
        );
        process.stdout.write(described(target, done));
        if (done.missing.length > 0) process.stderr.write(describeMissing(done.missing));
        return exitCodes.done;
      });
    },
    // An archive is read from one snapshot, however long that takes.
    { statementTime: 0 },
  );
}

async function obstacle(target: string, form: ArchiveForm, force: boolean, { config }: OpenProject): Promise<string | undefined> {
  const problem = await archiveFolderProblem(config, target);
  if (problem !== undefined) return problem;
  if (!existsSync(target)) return undefined;
  const found = await stat(target);
  if (found.isDirectory() !== (form.kind === 'folder')) {
    return `${target} is a ${found.isDirectory() ? 'folder' : 'file'}; name another ${form.kind}.`;
  }
  if (!force) return `${target} already exists; --force replaces it.`;
  const isArchive = form.kind === 'file' || existsSync(join(target, metadataName)) || (await readdir(target)).length === 0;
  return isArchive ? undefined : `${target} has other files than those of an archive, and is not replaced.`;
}

interface Work {
  readonly target: string;
  readonly form: ArchiveForm;
  readonly key: string | undefined;
  readonly groups: ReturnType<typeof groupsOf>;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly force: boolean;
}

interface Done extends ExportedContent {
  files: number;
  bytes: number;
  readonly missing: string[];
}

async function write({ config, database, model }: OpenProject, { target, form, key, groups, folder, signal, force }: Work): Promise<Done> {
  const storage = groups.has('files') ? await openUsableStorage(config, 'reading') : undefined;
  const archive = join(folder, 'archive');
  const library = join(folder, 'library.jsonl');
  const lines = form.kind === 'folder' ? archive : join(folder, 'lines');
  const container = form.kind === 'folder' ? folderContainer(archive) : await tarContainer(archive, { gzip: form.gzip, key });
  const writer = new ArchiveWriter(lines, container, signal);
  const progress = showProgress();
  try {
    let files = 0;
    const content = await database.read((connection) =>
      exportContent({
        connection,
        model,
        writer,
        groups,
        file: async (row) => {
          files++;
          await appendFile(library, `${JSON.stringify(row)}\n`, { mode: 0o600 });
        },
        total: (rows) => progress.step('content', rows),
        advance: (rows) => progress.advance(rows),
      }),
    );
    const done: Done = { ...content, files: 0, bytes: 0, missing: [] };
    // Files are stored before and removed after their rows: only rows deleted since may lack them.
    if (storage !== undefined && files > 0) {
      progress.step('files', files);
      const seen = new Set<string>();
      for await (const line of textLines(createReadStream(library), 'library.jsonl')) {
        for await (const { key: name, metadata, file } of assetsOf(JSON.parse(line), storage, (url) => done.missing.push(url))) {
          if (seen.has(name)) continue;
          seen.add(name);
          await writer.asset(name, metadata, file);
          done.files++;
          done.bytes += file.size;
        }
        progress.advance(1);
      }
    }
    await writer.finish({ createdAt: new Date().toISOString(), strapi: { version: formatVersion } });
    progress.stop();
    await keepArchive(archive, target, { kind: form.kind, force, now: new Date() });
    return done;
  } catch (error) {
    progress.stop();
    await writer.abort(error);
    throw error;
  }
}

function described(target: string, { entries, links, settings, files, bytes, restricted }: Done): string {
  const parts = [
    counted(entries, 'entry', 'entries'),
    counted(links, 'relation'),
    `${counted(files, 'file')} (${prettyBytes(bytes)})`,
    counted(settings, 'setting'),
  ];
  const note =
    restricted === 0
      ? ''
      : `${counted(restricted, 'right')} with restrictions ${restricted === 1 ? 'is' : 'are'} not in the archive; \`${lecternCommand('permissions export')}\` prints them.\n`;
  return `${target}: ${parts.join(', ')}.\n${note}`;
}

function describeMissing(urls: readonly string[]): string {
  const [first = ''] = urls;
  const rest = urls.length === 1 ? '' : ` and ${counted(urls.length - 1, 'other')}`;
  return `Warning: ${first}${rest} ${urls.length === 1 ? 'is' : 'are'} not in the storage, and not in the archive. \`${lecternCommand('media check')}\` lists missing files.\n`;
}
