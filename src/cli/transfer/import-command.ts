/** `lectern import`: reads an archive of Lectern or Strapi into the database and the storage. */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ArchiveRefused, archiveGroups, metadataName } from '../../archives/archive-parts.ts';
import { compareSchemas } from '../../archives/compare-schemas.ts';
import { findAssets, placeFiles, withAssetsStored } from '../../archives/import-assets.ts';
import { describeContent, type ImportedContent, importContent } from '../../archives/import-content.ts';
import { contentIn } from '../../archives/imported-rows-store.ts';
import { notAnArchive, unpack } from '../../archives/open-archive.ts';
import { linesOf, sizeOf } from '../../archives/read-lines.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { messageOf } from '../../errors/system-error.ts';
import { inTemporaryFolder } from '../../media/library/temporary-folder.ts';
import { openUsableStorage } from '../../media/storage/open-storage.ts';
import type { Storage, StorageKey } from '../../media/storage/storage.ts';
import { counted } from '../../text/counted.ts';
import { isObject, objectAt } from '../../text/json.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { printable } from '../../text/printable.ts';
import type { TransferProgress } from '../../transfer/transfer.ts';
import { confirmed, isTerminal } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { showProgress } from '../show-progress.ts';
import { untilStopped } from '../stop-signal.ts';
import { type ArchiveForm, formOf, type GroupOptions, groupsOf, keyFor } from './archive-options.ts';

interface ImportOptions extends ProjectOptions, GroupOptions {
  readonly replace?: boolean;
  /** Whether `replace` asks nobody. */
  readonly yes?: boolean;
  readonly ignoreMissing?: boolean;
  readonly key?: string;
}

interface Source {
  readonly path: string;
  readonly size: number;
  readonly form: ArchiveForm;
  readonly key: string | undefined;
}

export async function importCommand(archive: string, options: ImportOptions): Promise<number> {
  const source = await sourceOf(archive, options);
  groupsOf(options);
  return withProject(
    options,
    async (project) => {
      const decision = await mayReplace(options, project);
      if (decision !== true) {
        process.stderr.write('Nothing was imported.\n');
        return decision === false ? exitCodes.failed : exitCodes.interrupted;
      }
      return untilStopped('nothing was imported', async (signal) => {
        const progress = showProgress();
        try {
          return await inTemporaryFolder(project.config.upload.workDir, (folder) =>
            read(project, options, source, { folder, signal, progress }),
          );
        } catch (error) {
          throw error instanceof ArchiveRefused ? new StartError(error.problems.map(printable)) : error;
        } finally {
          progress.stop();
        }
      });
    },
    { statementTime: 0 },
  );
}

async function sourceOf(archive: string, { key }: ImportOptions): Promise<Source> {
  const path = resolve(archive);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new StartError([`There is no file or folder ${path}.`]);
  const form: ArchiveForm = found.isDirectory() ? { kind: 'folder', gzip: false, encrypted: false } : formOf(path);
  if (!found.isDirectory() && form.kind === 'folder') {
    throw new StartError([`${path} has to be a folder, or a file whose name ends with .tar.gz, .tar or .tar.gz.enc.`]);
  }
  return { path, size: found.size, form, key: keyFor(form, key) };
}

/** Refuses to delete content unless the user agrees. Undefined when the question was cancelled. */
async function mayReplace({ replace, yes, ...groups }: ImportOptions, { database, model }: OpenProject): Promise<boolean | undefined> {
  if (!groupsOf(groups).has('content')) return true;
  const present = await database.read((connection) => contentIn(connection, model));
  if (present.size === 0) return true;
  if (replace !== true) throw new StartError([describeContent(present)]);
  if (yes === true) return true;
  if (!isTerminal()) {
    throw new StartError([`${describeContent(present)} Without a terminal to ask on, --yes confirms it.`], exitCodes.usage);
  }
  process.stderr.write(`${describeContent(present)}\n`);
  return confirmed('Delete it?');
}

interface Work {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: TransferProgress;
}

async function read(
  project: OpenProject,
  options: ImportOptions,
  source: Source,
  { folder: temporary, signal, progress }: Work,
): Promise<number> {
  const { config, database, model } = project;
  const groups = groupsOf(options);
  const isFolder = source.form.kind === 'folder';
  if (!isFolder) {
    progress.step('unpacking', source.size);
    await unpack({ ...source, gzip: source.form.gzip }, temporary, signal, (bytes) => progress.advance(bytes));
  }
  const folder = isFolder ? source.path : temporary;
  await checkArchive(folder, source, options.ignoreMissing === true, project);
  const storage = await openUsableStorage(config, groups.has('files') ? 'writing' : 'reading');
  const assets = groups.has('files') ? await findAssets(folder) : new Map();
  const missing: unknown[] = [];
  const placeFile = placeFiles(assets, storage, (url) => missing.push(url));
  const bytes = [...assets.values()].reduce((sum, { size }) => sum + size, 0);
  if (bytes > 0) progress.step('files', bytes);
  const done = await withAssetsStored(
    assets.values(),
    { storage, folder: temporary, mayMove: !isFolder, signal, advance: (size) => progress.advance(size) },
    async () => {
      let size = 0;
      if (groups.has('content')) size += (await sizeOf(folder, 'entities')) + (await sizeOf(folder, 'links'));
      if (groups.has('config')) size += await sizeOf(folder, 'configuration');
      progress.step('content', size);
      return importContent({
        database,
        model,
        folder,
        groups,
        replace: options.replace === true,
        ignoreMissing: options.ignoreMissing === true,
        placeFile,
        signal,
        advance: (each) => progress.advance(each),
      });
    },
  );
  progress.stop();
  const failure = groups.has('files')
    ? await removeReplaced(done, new Set([...assets.keys(), ...keysOf(missing, storage)]), storage)
    : undefined;
  process.stdout.write(described(done, assets.size, groups.size === archiveGroups.length ? '' : ` (${[...groups].join(', ')})`));
  process.stderr.write(
    describeOmissions(done, groups.has('files') ? missing.length : 0, database.dialect.tables.columnDefinition('decimal')),
  );
  if (failure !== undefined) process.stderr.write(describeRemaining(failure));
  return exitCodes.done;
}

/** Refuses other files, and content without types or attributes, before anything is written. */
async function checkArchive(folder: string, { path, key }: Source, ignoreMissing: boolean, { model }: OpenProject): Promise<void> {
  const metadata = await readFile(join(folder, metadataName), 'utf8').catch(() => undefined);
  if (metadata === undefined) throw new ArchiveRefused([notAnArchive(path, key)]);
  const version = versionIn(metadata);
  if (version === undefined || !version.startsWith('5.')) {
    throw new ArchiveRefused([
      `The archive is of ${version === undefined ? 'an unknown version' : `Strapi ${version}`}. Only archives of Strapi 5 and Lectern can be imported: import it into Strapi 5, and export it from there.`,
    ]);
  }
  const schemas = [];
  for await (const { value } of linesOf(folder, 'schemas')) schemas.push(value);
  if (schemas.length === 0) throw new ArchiveRefused([`${path} has no schemas.`]);
  const { lost, absent } = compareSchemas(schemas, model);
  if (lost.length > 0 && !ignoreMissing) {
    throw new ArchiveRefused([...lost, 'Add these to the schema files, or leave that content out with --ignore-missing.']);
  }
  const notes = [...lost.map((problem) => `${problem} It is left out.`), ...absent];
  process.stderr.write(notes.map((note) => `Note: ${printable(note)}\n`).join(''));
}

function versionIn(metadata: string): string | undefined {
  try {
    const value: unknown = JSON.parse(metadata);
    const { version } = isObject(value) ? objectAt(value, 'strapi') : {};
    return typeof version === 'string' && version.length < 50 ? version : undefined;
  } catch {
    return undefined;
  }
}

const keysOf = (urls: readonly unknown[], storage: Storage): readonly StorageKey[] =>
  urls.flatMap((url) => (typeof url === 'string' ? (storage.keyOf(url) ?? []) : []));

/** Removes the files of deleted rows, unless present rows have them too. The import is committed,
 *  so a failure is returned: a file that stays is an orphan that `lectern media check` finds. */
async function removeReplaced({ replacedFiles }: ImportedContent, present: ReadonlySet<StorageKey>, storage: Storage): Promise<unknown> {
  try {
    const urls = replacedFiles.flatMap(({ url, formats }) => {
      const variants: unknown = typeof formats === 'string' ? JSON.parse(formats) : null;
      return [url, ...(isObject(variants) ? Object.values(variants).map((format) => (isObject(format) ? format.url : undefined)) : [])];
    });
    await storage.remove(keysOf(urls, storage).filter((key) => !present.has(key)));
    return undefined;
  } catch (error) {
    return error;
  }
}

function describeRemaining(failure: unknown): string {
  const reason = failure instanceof ApiError ? failure.problem : messageOf(failure);
  return `Warning: everything is imported, but files of the deleted entries are still in the storage: ${printable(reason)} \`${lecternCommand('media check')}\` lists them.\n`;
}

const described = ({ entries, links, settings }: ImportedContent, files: number, which: string): string =>
  `Imported${which}: ${counted(entries, 'entry', 'entries')}, ${counted(links, 'relation')}, ${counted(files, 'file')}, ${counted(settings, 'setting')}.\n`;

function describeOmissions({ skippedEntries, skippedLinks, rounded }: ImportedContent, missing: number, decimal: string): string {
  const lines = [...skippedEntries].map(
    ([uid, count]) => `${counted(count, 'entry', 'entries')} of ${printable(uid)}, which the project does not have`,
  );
  if (skippedLinks > 0) lines.push(`${counted(skippedLinks, 'relation')} with a side that is not in the archive or the project`);
  const omitted = lines.map((line) => `Left out: ${line}.\n`).join('');
  const files =
    missing === 0 ? '' : `Warning: the bytes of ${counted(missing, 'file')} are not in the archive; their URLs are unchanged.\n`;
  const roundings = [...rounded].map(
    ([path, count]) =>
      `Note: ${counted(count, 'value')} of ${path} ${count === 1 ? 'has' : 'have'} more digits than its column (${decimal}), which rounds ${count === 1 ? 'it' : 'them'}.\n`,
  );
  return omitted + roundings.join('') + files;
}
